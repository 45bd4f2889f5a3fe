import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Duty } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { pause } from '../kit/pause.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import { notifications } from '../store/schema/notifications.ts';
import { happenings } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';
import type { HappeningData } from '../webhooks/bodies.ts';
import type { Happenings } from '../webhooks/happenings.ts';

/** Alerts that are to be mailed are looked for this often, ms. */
const interval = 10_000;
/** Alerts that one mail lists; of the others it has their number. */
const listLimit = 50;

/** Inputs of the mails of alerts. */
export interface AlertMailParts {
  readonly store: Pick<Store, 'db'>;
  readonly happenings: Pick<Happenings, 'mayHear'>;
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly clock: Clock;
  /** Where people open the console. */
  readonly origin: () => string;
}

/** The duty that mails people the alerts whose time has come. */
export const alertMailDuty = (parts: AlertMailParts): Duty => ({
  key: 'alerts/mails',
  async run(signal) {
    while (!signal.aborted) {
      try {
        await mailAlerts(parts);
      } catch (error) {
        // They are mailed at the next round.
        if (!signal.aborted) parts.log.warn({ err: describeError(error) }, 'Alerts could not be mailed');
      }
      await pause(parts.clock, interval, signal).catch(() => undefined);
    }
  },
});

/**
 * Mails each person their alerts, all in one mail, once the first of them is due. Those that they read meanwhile, or may not
 * see any more, are left out. Throws errors of the database.
 */
export async function mailAlerts(parts: AlertMailParts): Promise<void> {
  const { store, clock } = parts;
  const due = await store.db
    .selectDistinct({ userId: notifications.userId, companyId: notifications.companyId })
    .from(notifications)
    .where(lte(notifications.mailAt, new Date(clock.now()).toISOString()));
  for (const person of due) await mailOne(parts, person);
}

interface Alert extends Pick<HappeningData, 'title' | 'cluster' | 'path'> {
  readonly at: string;
}

async function mailOne(
  { store, happenings: audience, mailer, origin }: AlertMailParts,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: notifications.id, readAt: notifications.readAt, of: happenings })
      .from(notifications)
      .innerJoin(happenings, eq(happenings.id, notifications.happeningId))
      .where(
        and(
          eq(notifications.userId, userId),
          eq(notifications.companyId, companyId),
          isNotNull(notifications.mailAt),
        ),
      )
      .orderBy(happenings.at, happenings.id)
      .for('update', { of: notifications, skipLocked: true });
    if (rows.length === 0) return;
    const alerts: Alert[] = [];
    for (const { readAt, of } of rows)
      if (readAt === null && (await audience.mayHear({ userId, companyId, clusterId: of.clusterId }, of)))
        alerts.push({ ...(of.data as HappeningData), at: of.at });
    const ids = rows.map(({ id }) => id);
    await tx.update(notifications).set({ mailAt: null }).where(inArray(notifications.id, ids));
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.emailProvenAt)));
    if (user === undefined || alerts.length === 0 || !mailer.isConfigured) return;
    await mailer.send({ purpose: 'alerts', to: user.email, ...alertMail(alerts, origin()) }, tx);
  });
}

/** Subject and text of the mail of some alerts, the oldest first. @param origin where people open the console */
export function alertMail(
  alerts: readonly Alert[],
  origin: string,
): { readonly subject: string; readonly text: string } {
  const clusters = [...new Set(alerts.map(({ cluster }) => cluster.name))];
  const [first] = alerts;
  const lineOf = ({ at, cluster, title, path }: Alert) =>
    `${at.slice(0, 16).replace('T', ' ')} UTC, ${cluster.name}: ${title}\n${origin}${path}`;
  const more = alerts.length - listLimit;
  return {
    subject:
      alerts.length === 1 && first !== undefined
        ? `${first.cluster.name}: ${first.title}`
        : `${alerts.length} alerts of ${clusters.length === 1 ? clusters[0] : `${clusters.length} clusters`}`,
    text: [
      ...alerts.slice(0, listLimit).map(lineOf),
      ...(more > 0 ? [`${more} more are in the bell of the console.`] : []),
      `You chose to be mailed about new trouble. Change it: ${origin}/settings?section=alerts`,
    ].join('\n\n'),
  };
}
