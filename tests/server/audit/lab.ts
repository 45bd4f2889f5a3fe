import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { type Audit, type AuditEntry, createAudit } from '../../../src/server/audit/audit.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { disableTriggers } from '../../../src/server/store/transfer/triggers.ts';
import { freshDatabase } from '../postgres.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

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
  /** Writes whole entries that are so many days old. They are for chains that are closed afterwards. */
  writeOld(count: number, days: number): Promise<void>;
  /** Runs SQL as somebody who turns off what guards the audit. */
  tamper(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function startAuditLab(): Promise<AuditLab> {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: join(tmpdir(), 'wheelhouse-unused') });
  const [company] = await store.db.insert(companies).values({ name: 'Harbour' }).returning();
  const companyId = company?.id ?? 0;
  const audit = createAudit(store, silent, createTriesRetention(store, silent, systemClock));
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
  const lab: AuditLab = {
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
    async writeOld(count, days) {
      await lab.write(count);
      await lab.tamper(`update audit a set started_at = a.started_at - interval '${days} days',
        finished_at = a.finished_at - interval '${days} days' from audit_queue q where q.row_id = a.id`);
    },
    async tamper(statement) {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        await client.query('begin');
        const enable = await disableTriggers(client);
        await client.query(statement);
        await enable();
        await client.query('commit');
      } finally {
        await client.end();
      }
    },
    async close() {
      await store.close();
      await database.drop();
    },
  };
  return lab;
}
