import { sql } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** Rows of the audit that receivers of one kind have not confirmed. */
export interface Unsent {
  /** The key of the duty that sends them. */
  readonly queue: `audit/${'file' | 'https'}`;
  readonly jobs: number;
  /** For how long the oldest one has been there, seconds; 0 where none is. */
  readonly late: number;
}

/**
 * How much of the audit is yet to be sent, to all receivers together. Throws when the store does not answer.
 * @param hasFile whether the operator has set a file: that of a former setting receives nothing
 */
export async function unsentRows(store: Pick<Store, 'db'>, hasFile: boolean): Promise<readonly Unsent[]> {
  const { rows } = await store.db.execute<{ sink: string; jobs: number; late: number }>(sql`
    select s.sink, sum(greatest(0, ends.head - s.position))::int as jobs,
      coalesce(max(extract(epoch from now() - next.linked_at)), 0)::float8 as late
    from audit_streams s
    left join lateral (select max(l.position) as head from audit_links l where l.chain = s.chain) ends on true
    left join lateral (select l.linked_at from audit_links l
      where l.chain = s.chain and l.position > s.position order by l.position limit 1) next on true
    group by s.sink`);
  const sinks = hasFile ? (['file', 'https'] as const) : (['https'] as const);
  return sinks.map((sink) => {
    const found = rows.find((row) => row.sink === sink);
    return { queue: `audit/${sink}` as const, jobs: found?.jobs ?? 0, late: found?.late ?? 0 };
  });
}
