import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { chance, isFull, rounds } from '../../prove.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** Entries, of two rows each. */
const size = rounds(3_000, 1_000_000);
const chunk = 20_000;
const mebibyte = 1 << 20;

let console: TestConsole;
let companyId: number;
let owner: TestPerson;

function report(sentence: string): void {
  if (isFull) process.stdout.write(`${sentence}\n`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  report(`${what}: ${((performance.now() - started) / 1000).toFixed(2)} s`);
  return result;
}

/** Memory of this process, where the console runs, beyond what it had at the beginning: the peak, MiB. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const measure = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(measure);
  return Math.round((peak - before) / mebibyte);
}

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  const { db } = console.store;
  const random = chance();
  // Rows come faster than any console writes them: without indexes that are made at the end, and nobody closes meanwhile.
  const held = new Client({ connectionString: console.services.config.databaseUrl ?? '' });
  await held.connect();
  await held.query(`set statement_timeout = 0; select pg_advisory_lock(5727210402)`);
  const indexes = await held.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'audit' and indexname like 'audit_company%'`,
  );
  for (const { name } of indexes.rows) await held.query(`drop index ${name}`);
  await timed(`${size} entries written`, async () => {
    for (let from = 0; from < size; from += chunk) {
      await held.query(`select setseed(${random()})`);
      await held.query(
        `with begun as (
          insert into audit (company_id, user_id, actor, action, cluster_id, subject, address, request_id, started_at)
          select $1::int, n % 500, 'person' || n % 500 || '@example.org',
            (array['pod.delete', 'deployment.restart', 'deployment.scale', 'object.edit', 'secret.reveal'])[n % 5 + 1],
            n % 40, jsonb_build_object('kind', 'pod', 'namespace', 'team-' || n % 90, 'names', 'web-' || n || '-' || (random() * 1e9)::int),
            '198.51.100.' || n % 250, 'request-' || n, timestamptz '2026-01-01' + n * interval '20 seconds'
          from generate_series($2::int, $3::int) n returning *)
        insert into audit (entry, company_id, user_id, actor, action, cluster_id, subject, address, request_id,
          started_at, finished_at, status)
        select id, company_id, user_id, actor, action, cluster_id, subject, address, request_id, started_at,
          started_at + interval '1 second', case when id % 97 = 0 then 403 when id % 501 = 0 then 500 else 200 end
        from begun order by id`,
        [companyId, from, Math.min(from + chunk, size) - 1],
      );
    }
    for (const { definition } of indexes.rows) await held.query(definition);
  });
  await held.end();
  await db.execute(sql`analyze audit`);
}, 1_800_000);
afterAll(() => console.close());

describe('an audit of many entries', () => {
  it('is searched in short time, whatever is looked for', async () => {
    const last = new Date(Date.parse('2026-01-01T00:00:00Z') + (size - 1) * 20_000).toISOString();
    const questions: Record<string, [query: Record<string, string>, atLeast: number]> = {
      'the newest': [{}, 100],
      'one person': [{ person: 'person7@example.org' }, 6],
      'one object': [{ object: 'web-17-' }, 1],
      'what nobody named': [{ object: 'nothing-has-this-name' }, 0],
      'one action on one cluster': [{ action: 'secret.reveal', clusterId: '4' }, 75],
      failures: [{ outcome: 'failed' }, 5],
      'an early time': [{ from: '2026-01-01T00:00:00Z', until: '2026-01-01T00:10:00Z' }, 30],
      'the last moment': [{ from: last }, 1],
    };
    for (const [what, [query, atLeast]] of Object.entries(questions)) {
      const started = performance.now();
      const { entries } = await owner.client.call('audit', { query });
      const ms = performance.now() - started;
      report(`search for ${what}: ${ms.toFixed(0)} ms, ${entries.length} on the first page`);
      expect(entries.length, what).toBeGreaterThanOrEqual(atLeast);
      // A statement ends after 30 s; on a machine with nothing else to do each takes a fraction.
      expect(ms, what).toBeLessThan(25_000);
    }
    await timed('actions and oldest entry', () => owner.client.call('auditSettings', {}));
  });

  it.each(['jsonl', 'csv'])(
    'is exported whole as %s, in flat memory',
    async (format) => {
      let [lines, bytes] = [0, 0];
      // The peak of each quarter of the file, while chains are closed besides: what grows with the file grows in the last.
      const peaks = [0, 0, 0, 0];
      const started = performance.now();
      const answer = await fetch(`${console.url}/api/organization/audit/export?format=${format}`, {
        headers: { cookie: [...owner.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      expect(answer.status).toBe(200);
      for await (const part of answer.body ?? []) {
        bytes += part.length;
        for (const byte of part) if (byte === 10) lines += 1;
        const quarter = Math.min(3, Math.floor((lines * 4) / size));
        const memory = Math.round(process.memoryUsage.rss() / mebibyte);
        peaks[quarter] = Math.max(peaks[quarter] ?? 0, memory);
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      report(
        `export as ${format}: ${lines} lines, ${(bytes / mebibyte).toFixed(0)} MiB in ${seconds} s; memory of console and reader by quarters ${peaks.join(', ')} MiB`,
      );
      expect(lines).toBeGreaterThanOrEqual(format === 'csv' ? size + 1 : size);
      expect(lines).toBeLessThan(size + 10);
      expect(peaks[3]).toBeLessThan(Math.max(...peaks.slice(0, 3)) + 50);
    },
    1_800_000,
  );

  it('is read no faster than the reader takes it', async () => {
    const { promise: isThrough, resolve } = Promise.withResolvers<void>();
    let read = 0;
    const growth = await peakOf(async () => {
      const answer = await fetch(`${console.url}/api/organization/audit/export?format=jsonl`, {
        headers: { cookie: [...owner.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      const reader = answer.body?.getReader();
      read += (await reader?.read())?.value?.length ?? 0;
      await pause(isFull ? 5_000 : 200);
      await reader?.cancel();
      resolve();
    });
    await isThrough;
    report(`a reader that stops after ${read} bytes: ${growth} MiB more memory at most`);
    expect(growth).toBeLessThan(200);
    await expect
      .poll(async () => (await owner.client.call('audit', { query: { action: 'exportAudit' } })).entries[0], {
        timeout: 30_000,
      })
      .toMatchObject({ status: isFull ? 499 : expect.any(Number) });
  });

  it('is chained and checked whole', async () => {
    let linked = 0;
    await timed('chains closed', async () => {
      for (let count = 1; count > 0; linked += count) count = await linkWaiting(console.store);
    });
    // The console itself may have taken some.
    await expect
      .poll(() => console.store.db.execute(sql`select 1 from audit_queue`).then(({ rows }) => rows.length), {
        timeout: 1_000_000,
      })
      .toBe(0);
    const checked = await timed('chains verified', () => verifyAudit(console.store));
    expect(checked.unlinked).toBe(null);
    expect(checked.chains.map(({ problem }) => problem)).toEqual(checked.chains.map(() => null));
    expect(checked.chains.find(({ chain }) => chain === companyId)?.links).toBeGreaterThanOrEqual(2 * size);
  }, 1_800_000);
});
