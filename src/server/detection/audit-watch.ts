import { sql } from 'drizzle-orm';
import type { Kind } from '../../registry/kind.ts';
import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import type { Store } from '../store/store.ts';
import type { Happening, Happenings } from '../webhooks/happenings.ts';

/** The audit is read this often, ms. */
const interval = 3_000;

interface AuditEntry extends Record<string, unknown> {
  readonly id: string;
  readonly company_id: number;
  readonly cluster_id: number;
  readonly cluster: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: Readonly<Record<string, unknown>>;
}

interface AuditWatchParts {
  readonly store: Pick<Store, 'db'>;
  readonly happenings: Happenings;
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
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
      for (const entry of await this.#entries()) {
        const happening = this.#happeningOf(entry);
        if (happening !== undefined) await this.#parts.happenings.record(happening);
      }
      await pause(this.#parts.clock, interval, signal).catch(() => undefined);
    }
  }

  /** What succeeded in the last minutes on clusters with webhooks, and was not told yet. */
  async #entries(): Promise<readonly AuditEntry[]> {
    const { rows } = await this.#parts.store.db.execute<AuditEntry>(sql`
      with wanting as (
        select company_id, cluster_id, min(created_at) as since from webhooks
        where disabled_at is null and events && array['console.changed', 'access.asked', 'access.granted']
        group by company_id, cluster_id)
      select e.id::text, e.company_id, c.id as cluster_id, c.name as cluster, e.actor, e.action, e.subject
      from wanting w join clusters c on c.id = w.cluster_id
      cross join lateral (
        select * from audit_entries e
        where e.company_id = w.company_id and e.started_at > now() - interval '15 minutes'
          and e.finished_at > greatest(w.since, now() - interval '5 minutes') and e.status < 400
          and (e.cluster_id = w.cluster_id
            or e.cluster_id is null and e.subject ->> 'clusterId' = w.cluster_id::text)) e
      where not exists (select from happenings h where h.key = 'audit/' || e.id)
      order by e.id limit 200`);
    return rows;
  }

  #happeningOf(entry: AuditEntry): Happening | undefined {
    const { id, company_id: companyId, cluster_id: clusterId, cluster, actor, action, subject } = entry;
    const common = { key: `audit/${id}`, companyId, clusterId };
    const data = { cluster: { id: clusterId, name: cluster }, actor };
    if (action === 'askAccess' || action === 'approveAccess')
      return {
        ...common,
        type: action === 'askAccess' ? 'access.asked' : 'access.granted',
        permission: 'owner',
        namespace: '',
        data: {
          ...data,
          title:
            action === 'askAccess'
              ? `${actor} asks for temporary access`
              : `${actor} granted temporary access`,
          path: '/settings/permissions',
        },
      };
    const text = (name: string) => (typeof subject[name] === 'string' ? subject[name] : '');
    const kind = this.#parts.kinds.find((one) => one.id === text('kind'));
    if (kind === undefined || subject['dryRun'] === true) return undefined;
    const [namespace, names] = [text('namespace'), text('names') || text('name')];
    const bare = namespace === '' ? names : names.replaceAll(`${namespace}/`, '');
    return {
      ...common,
      type: 'console.changed',
      permission: kind.permissions.view,
      namespace,
      data: {
        ...data,
        title: `${actor}: ${action} of ${names}`,
        object: { kind: kind.id, ...(namespace === '' ? {} : { namespace }), name: bare },
        state: action,
        path: `/clusters/${clusterId}`,
      },
    };
  }
}
