import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { type Audit, type AuditEntry, createAudit } from '../../../src/server/audit/audit.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { freshDatabase } from '../postgres.ts';

export const silent = pino({ level: 'silent' });

/** A store with one company and its audit, and nothing that closes chains by itself. */
export interface AuditLab {
  readonly url: string;
  readonly store: Store;
  readonly audit: Audit;
  readonly companyId: number;
  /** An entry of the company. */
  entry(more?: Partial<AuditEntry>): AuditEntry;
  /** Writes whole entries of the company: a row before each change and one after. */
  write(count: number): Promise<void>;
  /** Runs SQL as somebody who turns off what guards the audit. */
  tamper(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function startAuditLab(): Promise<AuditLab> {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: join(tmpdir(), 'wheelhouse-unused') });
  const [company] = await store.db.insert(companies).values({ name: 'Harbour' }).returning();
  const companyId = company?.id ?? 0;
  const audit = createAudit(store, silent, createTriesRetention(store, silent, Date.now));
  const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
    companyId,
    userId: 7,
    actor: 'ada@example.org',
    action: 'deleteCluster',
    clusterId: 3,
    subject: { clusterId: 3, name: 'prod' },
    address: '198.51.100.7',
    requestId: randomBytes(4).toString('hex'),
    ...more,
  });
  return {
    url: database.url,
    store,
    audit,
    companyId,
    entry,
    async write(count) {
      for (let index = 0; index < count; index += 1) {
        const row = await audit.begin(entry({ subject: { index } }));
        await row.finish(204);
      }
    },
    async tamper(statement) {
      const tables = ['audit', 'audit_links', 'audit_segments', 'audit_drops'];
      await store.db.transaction(async (tx) => {
        for (const name of tables) await tx.execute(sql.raw(`alter table ${name} disable trigger user`));
        await tx.execute(sql.raw(statement));
        for (const name of tables) await tx.execute(sql.raw(`alter table ${name} enable trigger user`));
      });
    },
    async close() {
      await store.close();
      await database.drop();
    },
  };
}
