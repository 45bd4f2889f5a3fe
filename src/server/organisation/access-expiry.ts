import { sql } from 'drizzle-orm';
import { auditRows } from '../store/schema/audit.ts';
import type { Transaction } from '../store/store.ts';
import type { Expiring } from './expiry.ts';

/** The actions of the rows that tell of an ending, and of a request that nobody decided on. */
const actions = { expired: 'access.expire', lapsed: 'access.lapse' } as const;

interface EndedRow extends Record<string, unknown> {
  readonly request_id: number;
  readonly company_id: number;
  readonly user_id: number;
  readonly email: string;
  readonly cluster_id: number;
  readonly permissions: string[];
  readonly namespaces: string[] | null;
}

/** Temporary grants, whose end the audit tells. */
export const temporaryAccessExpiry: Expiring = {
  next: sql`(select min(ends_at) from temporary_grants)`,
  async end(tx: Transaction): Promise<number[]> {
    const { rows } = await tx.execute<EndedRow>(sql`
      with over as (select request_id from temporary_grants where ends_at <= clock_timestamp()
        order by request_id limit 100 for update skip locked)
      delete from temporary_grants g using over, users u
      where g.request_id = over.request_id and u.id = g.user_id
      returning g.request_id, g.company_id, g.user_id, u.email, g.cluster_id, g.permissions, g.namespaces`);
    return await tell(tx, rows, { before: 'active', after: 'expired' });
  },
};

/** Requests that nobody decided on in time. */
export const accessRequestLapse: Expiring = {
  next: sql`(select min(decide_by) from access_requests where state = 'pending')`,
  async end(tx: Transaction): Promise<number[]> {
    const { rows } = await tx.execute<EndedRow>(sql`
      with over as (select id from access_requests where state = 'pending' and decide_by <= clock_timestamp()
        order by id limit 100 for update skip locked)
      update access_requests r set state = 'lapsed', ended_at = r.decide_by from over, users u
      where r.id = over.id and u.id = r.user_id
      returning r.id as request_id, r.company_id, r.user_id, u.email, r.cluster_id, r.permissions, r.namespaces`);
    return await tell(tx, rows, { before: 'pending', after: 'lapsed' });
  },
};

/** Writes a row of the audit for each. Answers their companies. */
async function tell(
  tx: Transaction,
  rows: readonly EndedRow[],
  state: { readonly before: string; readonly after: keyof typeof actions },
): Promise<number[]> {
  if (rows.length > 0) await tx.insert(auditRows).values(rows.map((row) => rowOf(row, state)));
  return rows.map(({ company_id }) => company_id);
}

function rowOf(ended: EndedRow, state: { readonly before: string; readonly after: keyof typeof actions }) {
  return {
    companyId: ended.company_id,
    actor: 'expiry',
    action: actions[state.after],
    clusterId: ended.cluster_id,
    subject: {
      requestId: ended.request_id,
      userId: ended.user_id,
      email: ended.email,
      permissions: ended.permissions.join(', '),
      namespaces: ended.namespaces?.join(', ') ?? 'all',
    },
    changes: { state },
    address: 'console',
    requestId: 'expiry',
    finishedAt: sql`date_trunc('milliseconds', now())`,
    status: 200,
  };
}
