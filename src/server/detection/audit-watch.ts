import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { actionIds } from '../../../commands/kinds/index.ts';
import { deliveryDays } from '../../contract/webhooks.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import { addressOfActor } from '../access/person.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { pause } from '../kit/pause.ts';
import type { Store } from '../store/store.ts';
import type { Happening, Happenings } from '../webhooks/happenings.ts';
import { wantedEvents } from '../webhooks/wanted-events.ts';
import { audienceOf, changedOf, clusterChangeOf } from './audited-change.ts';

/** The audit is read this often, ms. */
const interval = 3_000;
/** Entries of one cluster that are read at once. */
const batch = 100;

/** What changes objects. Everything else in the audit is read, looked at or set up. */
const changes = [...actionIds, 'object.create', 'object.edit', 'resource.create', 'resource.apply'];
const accessActions = ['askAccess', 'approveAccess'];
/** What changes a cluster as a whole. */
const clusterActions = ['createNamespace', 'saveGlobalSettings', 'replaceKubeconfig'];
/** An entry that could not be told for this long is given up, ms. */
const patience = 3_600_000;
/** What is older than this is told no more, days: by then what marked it as told may be gone as well. */
const mostDays = deliveryDays - 1;

/** An entry of the audit that makes an event. */
export interface AuditEntry extends Record<string, unknown> {
  readonly id: string;
  readonly company_id: number;
  readonly cluster_id: number;
  readonly cluster: string;
  readonly user_id: number | null;
  readonly actor: string;
  readonly action: string;
  readonly subject: Readonly<Record<string, unknown>>;
  /** Settings that it changed, by name. */
  readonly changes: Readonly<Record<string, unknown>> | null;
  /** Epoch ms. */
  readonly finished: number;
}

interface AuditWatchParts {
  readonly store: Pick<Store, 'db'>;
  readonly happenings: Pick<Happenings, 'record'>;
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tells of what people did through the console, as the audit has it. */
export class AuditWatch {
  readonly #parts: AuditWatchParts;

  constructor(parts: AuditWatchParts) {
    this.#parts = parts;
  }

  /** Reads it until the signal is aborted. Throws errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look();
      await pause(this.#parts.clock, interval, signal).catch(() => undefined);
    }
  }

  /** Tells of what was not told yet. Throws errors of the database. */
  async look(): Promise<void> {
    const { happenings, kinds, log } = this.#parts;
    const { now, entries } = await this.#read();
    const behind = new Set<number>();
    const counts = new Map<number, number>();
    for (const entry of entries) {
      const { cluster_id: clusterId } = entry;
      counts.set(clusterId, (counts.get(clusterId) ?? 0) + 1);
      try {
        await happenings.record(happeningOf(entry, kinds));
      } catch (error) {
        if (Date.parse(now) - entry.finished < patience) behind.add(clusterId);
        log.error(
          { err: describeError(error), auditId: entry.id },
          'A change could not be told; trying again',
        );
      }
    }
    for (const [clusterId, count] of counts) if (count >= batch) behind.add(clusterId);
    await this.#advance(now, behind);
  }

  /**
   * What succeeded on clusters that anybody wants to hear of, since shortly before the audit was read last, and was not
   * told yet: an entry may be committed after a later one. Every entry that is read makes a happening, which marks it as
   * told, and each cluster has entries of its own: none keeps another's back.
   */
  async #read(): Promise<{ readonly now: string; readonly entries: readonly AuditEntry[] }> {
    const { db } = this.#parts.store;
    const { rows: times } = await db.execute<{ now: string }>(sql`select now()::text as now`);
    const { rows: entries } = await db.execute<AuditEntry>(sql`
      with wanting as (
        select w.company_id, w.cluster_id, greatest(min(w.created_at), now() - make_interval(days => ${mostDays}),
          least(min(c.read_until), now()) - interval '5 minutes') as since
        from ${wantedEvents} w left join audit_cursors c on c.cluster_id = w.cluster_id
        where w.events is null or w.events && array['console.changed', 'access.asked', 'access.granted']
        group by w.company_id, w.cluster_id)
      select e.id::text, e.company_id, c.id as cluster_id, c.name as cluster, e.user_id, e.actor, e.action,
        e.subject, e.changes,
        (extract(epoch from e.finished_at) * 1000)::float8 as finished
      from wanting w join clusters c on c.id = w.cluster_id
      cross join lateral (
        select * from audit_entries e
        where e.company_id = w.company_id and e.started_at > w.since - interval '15 minutes'
          and e.finished_at > w.since and e.status < 400
          and (e.cluster_id = w.cluster_id
            or e.cluster_id is null and e.subject ->> 'clusterId' = w.cluster_id::text)
          -- The first of two approvals grants nothing.
          and (e.action <> 'approveAccess' or e.changes -> 'state' ->> 'after' = 'active')
          and (e.action = any(${sql.param([...accessActions, ...clusterActions])}::text[])
            or e.action = any(${sql.param(changes)}::text[]) and e.subject ->> 'kind' <> ''
              and e.subject ->> 'dryRun' is distinct from 'true'
              -- A call may succeed with objects of which each failed.
              and not coalesce(e.subject -> 'failed' >= coalesce(e.subject -> 'objects', '1')
                and jsonb_typeof(e.subject -> 'failed') = 'number' and e.subject -> 'failed' > '0', false))
          and not exists (select from happenings h where h.key = 'audit/' || e.id)
        order by e.id limit ${batch}) e
      order by e.id`);
    return { now: times[0]?.now ?? new Date().toISOString(), entries };
  }

  /** Stores up to when the audit was read: whoever reads on begins there, however much later. */
  async #advance(now: string, behind: ReadonlySet<number>): Promise<void> {
    await this.#parts.store.db.execute(sql`
      insert into audit_cursors (cluster_id, read_until)
      select distinct w.cluster_id, ${now}::timestamptz from ${wantedEvents} w
        where w.cluster_id <> all(${sql.param([...behind])}::int[])
      on conflict (cluster_id) do update set read_until = excluded.read_until`);
  }
}

/** The happening that an entry of the audit makes. */
export function happeningOf(entry: AuditEntry, kinds: readonly Kind[]): Happening {
  const { id, company_id: companyId, cluster_id: clusterId, action, subject } = entry;
  const common = { key: `audit/${id}`, companyId, clusterId, byUserId: entry.user_id };
  const cluster = { id: clusterId, name: entry.cluster };
  const actor = addressOfActor(entry.actor);
  if (accessActions.includes(action)) {
    const isAsked = action === 'askAccess';
    const { email, accessRequest } = subject;
    return {
      ...common,
      type: isAsked ? 'access.asked' : 'access.granted',
      permission: 'owner',
      namespace: '',
      data: {
        cluster,
        actor,
        title: isAsked
          ? `${actor} asks for temporary access`
          : `${actor} granted temporary access${typeof email === 'string' ? ` to ${email}` : ''}`,
        path: '/settings?section=access-requests',
      },
      accessRequestId: typeof accessRequest === 'number' ? accessRequest : null,
    };
  }
  if (clusterActions.includes(action)) {
    const { audience, ...change } = clusterChangeOf(entry);
    const data = { ...change, cluster, path: `/clusters/${clusterId}` };
    return {
      ...common,
      type: 'console.changed',
      ...audience,
      data,
      ownersData: { ...data, actor, title: `${actor}: ${data.title}` },
    };
  }
  const { title, object } = changedOf(action, subject, kinds);
  const data = { title, cluster, object, state: action, path: `/clusters/${clusterId}` };
  return {
    ...common,
    type: 'console.changed',
    ...audienceOf(action, subject, kinds),
    data,
    ownersData: { ...data, actor, title: `${actor}: ${title}` },
  };
}
