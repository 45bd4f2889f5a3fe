import { sql } from 'drizzle-orm';
import { auditRows } from '../store/schema/audit.ts';
import type { Transaction } from '../store/store.ts';
import type { Expiring } from './expiry.ts';

/** The action of the row that tells of an ending. */
const expiry = 'access.expire';

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
    if (rows.length > 0) await tx.insert(auditRows).values(rows.map(rowOf));
    return rows.map(({ company_id }) => company_id);
  },
};

function rowOf(ended: EndedRow) {
  return {
    companyId: ended.company_id,
    actor: 'expiry',
    action: expiry,
    clusterId: ended.cluster_id,
    subject: {
      requestId: ended.request_id,
      userId: ended.user_id,
      email: ended.email,
      permissions: ended.permissions.join(', '),
      namespaces: ended.namespaces?.join(', ') ?? 'all',
    },
    changes: { state: { before: 'active', after: 'expired' } },
    address: 'console',
    requestId: 'expiry',
    finishedAt: sql`date_trunc('milliseconds', now())`,
    status: 200,
  };
}
