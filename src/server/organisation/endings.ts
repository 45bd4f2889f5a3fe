import { and, eq, isNull, sql } from 'drizzle-orm';
import { tellInvited } from '../access/invited.ts';
import { revokeTokens } from '../access/live-tokens.ts';
import { jobs } from '../store/schema/jobs.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import { alerts, follows, notifications } from '../store/schema/notifications.ts';
import { acknowledgements } from '../store/schema/troubles.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import { sessions } from '../store/schema/sessions.ts';
import { personGroups, teamMembers } from '../store/schema/teams.ts';
import { accessRequests, temporaryGrants } from '../store/schema/temporary-access.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import { webhooks } from '../store/schema/webhooks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { withdrawMail } from './invitation-mail.ts';

/** Why somebody no longer reaches a company. A suspension may be lifted; who left or was removed has to be invited again. */
export type Ending = 'suspended' | 'left' | 'removed';

/** Whose membership ends, and how. */
export interface EndedMembership {
  readonly userId: number;
  readonly companyId: number;
  readonly ending: Ending;
}

type Channel = Store['channel'];

/** How the recording of a shell ends whose person no longer reaches the company. */
const recordingEnding: Readonly<Record<Ending, string>> = {
  suspended: 'The person was suspended.',
  left: 'The person left the organisation.',
  removed: 'The person was removed from the organisation.',
};

/**
 * Everything that a person has by a membership and that ends with it, one entry each. Whatever comes to act for a person
 * by itself (tokens, webhooks, conversations …) ends here, in the transaction that ends the membership.
 */
const endings: Readonly<
  Record<string, (tx: Transaction, of: EndedMembership, channel: Channel) => Promise<void>>
> = {
  /** Sockets, logs and shells end with the sessions that opened them. */
  async sessions(tx, { userId, companyId }, channel) {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.companyId, companyId)))
      .returning({ tokenHash: sessions.tokenHash });
    // Each by its hash: what is open by it closes without another question to the store.
    for (const { tokenHash } of ended)
      await channel.notify('sessions', { userId, tokenHash: tokenHash.toString('hex') }, tx);
  },

  /** Marked as ended here, as the server that records one of these shells may be gone. */
  async recordings(tx, { userId, companyId, ending }) {
    await tx
      .update(shellRecordings)
      .set({ endedAt: sql`now()`, ending: recordingEnding[ending] })
      .where(
        and(
          eq(shellRecordings.userId, userId),
          eq(shellRecordings.companyId, companyId),
          isNull(shellRecordings.endedAt),
        ),
      );
  },

  /** For good, also with a suspension: whoever comes back makes new ones. */
  async tokens(tx, { userId, companyId }, channel) {
    await revokeTokens(tx, channel, and(eq(apiTokens.userId, userId), eq(apiTokens.companyId, companyId)));
  },

  /** Suspended people keep their places in teams, so that lifting the suspension gives back what they had. */
  async teams(tx, { userId, companyId, ending }) {
    if (ending !== 'suspended') {
      await tx
        .delete(teamMembers)
        .where(and(eq(teamMembers.userId, userId), eq(teamMembers.companyId, companyId)));
      await tx
        .delete(personGroups)
        .where(and(eq(personGroups.userId, userId), eq(personGroups.companyId, companyId)));
    }
  },

  /** What was given for a while does not come back with a suspension that is lifted; what waits is withdrawn. */
  async access(tx, { userId, companyId }) {
    await tx
      .delete(temporaryGrants)
      .where(and(eq(temporaryGrants.userId, userId), eq(temporaryGrants.companyId, companyId)));
    await tx
      .update(accessRequests)
      .set({ state: 'withdrawn', endedAt: sql`now()` })
      .where(
        and(
          eq(accessRequests.userId, userId),
          eq(accessRequests.companyId, companyId),
          eq(accessRequests.state, 'pending'),
        ),
      );
  },

  /** What the person offered in the company's name is taken back: nobody vouches for it any more. */
  async invitations(tx, of, channel) {
    await takeBackInvitations(tx, channel, of);
  },

  /** With their addresses and secrets. Those of suspended people stay and are sent nothing, as they hold nothing. */
  async webhooks(tx, { userId, companyId, ending }) {
    if (ending !== 'suspended')
      await tx.delete(webhooks).where(and(eq(webhooks.userId, userId), eq(webhooks.companyId, companyId)));
  },

  /** What was told, with what was followed and acknowledged. Suspended people keep all and are told nothing more, as they hold nothing. */
  async notifications(tx, { userId, companyId, ending }) {
    if (ending === 'suspended') return;
    for (const table of [notifications, follows, alerts, acknowledgements])
      await tx.delete(table).where(and(eq(table.userId, userId), eq(table.companyId, companyId)));
  },

  /** Drains and the like that the person began stop after their present step. */
  async jobs(tx, { userId, companyId }, channel) {
    const stopped = await tx
      .update(jobs)
      .set({ cancelledBy: 'the end of the membership of who began it' })
      .where(and(eq(jobs.userId, userId), eq(jobs.companyId, companyId), eq(jobs.status, 'running')))
      .returning({ jobId: jobs.id, clusterId: jobs.clusterId });
    for (const job of stopped) await channel.notify('jobs', job, tx);
  },
};

/** Takes back the open invitations of somebody who may no longer invite to a company, with their mails that wait. */
export async function takeBackInvitations(
  tx: Transaction,
  channel: Channel,
  { userId, companyId }: Pick<EndedMembership, 'userId' | 'companyId'>,
): Promise<void> {
  const open = and(
    eq(invitations.invitedBy, userId),
    eq(invitations.companyId, companyId),
    eq(invitations.state, 'pending'),
  );
  for (const { id } of await tx.select({ id: invitations.id }).from(invitations).where(open))
    await withdrawMail(tx, id);
  const gone = await tx
    .update(invitations)
    .set({ state: 'revoked', settledAt: sql`now()` })
    .where(open)
    .returning({ id: invitations.id });
  for (const { id } of gone) await tellInvited(tx, { channel }, id);
}

/** The names of what ends with a membership, for the test that has a case for each. */
export const endingNames: readonly string[] = Object.keys(endings);

/**
 * Ends a membership with everything that the person has by it, in one transaction: both or neither.
 * @param within checks that it may end, in the same transaction
 */
export async function endMembership(
  store: Pick<Store, 'db' | 'channel'>,
  of: EndedMembership,
  within: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const { channel } = store;
  await store.db.transaction(async (tx) => {
    await within(tx);
    await tx
      .update(memberships)
      .set(
        of.ending === 'suspended'
          ? { state: 'suspended' }
          : // Whoever is invited again loses the operator's exception, which was for the former membership.
            { state: 'left', wasRemoved: of.ending === 'removed', isLocal: false },
      )
      .where(and(eq(memberships.userId, of.userId), eq(memberships.companyId, of.companyId)));
    for (const end of Object.values(endings)) await end(tx, of, channel);
    await channel.notify('grants', { companyId: of.companyId }, tx);
  });
}
