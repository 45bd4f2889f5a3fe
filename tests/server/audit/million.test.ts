import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { desc, eq, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { type BenchServer, startServer } from '../../bench/processes.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { chance, isFull, rounds } from '../../prove.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** Entries, of two rows each. */
const size = rounds(3_000, 1_000_000);
const chunk = 20_000;
const mebibyte = 1 << 20;

let console: TestConsole;
let companyId: number;
let owner: TestPerson;
/** Exports: as `npm start` runs it, and nothing but it is in its memory. */
let exporter: BenchServer;
/** Holds the lock of the chains while it is open: nobody closes them. */
let held: Client;

function report(sentence: string): void {
  if (isFull) process.stdout.write(`${sentence}\n`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  report(`${what}: ${((performance.now() - started) / 1000).toFixed(2)} s`);
  return result;
}

/** The file of an export, from a console that is a process of its own. */
async function askExport(format: string): Promise<Response> {
  // Over plain http the names of cookies end in the port.
  const [own, its] = [console.url, exporter.url].map((url) => new URL(url).port);
  const cookie = [...owner.client.cookies]
    .map(([name, value]) => `${name.replace(own ?? '', its ?? '')}=${value}`)
    .join('; ');
  const answer = await fetch(`${exporter.url}/api/organization/audit/export?format=${format}`, {
    headers: { cookie },
  });
  expect(answer.status).toBe(200);
  return answer;
}

/** The peak of the exporting console's memory while something happens, MiB, for each part of it. */
async function peaksOf(work: (begin: (part: number) => void) => Promise<void>): Promise<number[]> {
  const peaks: number[] = [];
  let part = 0;
  const end = new AbortController();
  const measure = async () => {
    while (!end.signal.aborted) {
      const memory = Math.round((await exporter.resident()) / mebibyte);
      peaks[part] = Math.max(peaks[part] ?? 0, memory);
      await pause(20);
    }
  };
  const measured = measure();
  try {
    await work((next) => {
      part = next;
    });
  } finally {
    end.abort();
    await measured;
  }
  return peaks.filter((peak) => peak !== undefined);
}

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  const { db } = console.store;
  const random = chance();
  // Rows come faster than any console writes them: without indexes that are made at the end, and nobody closes meanwhile.
  held = new Client({ connectionString: console.services.config.databaseUrl ?? '' });
  await held.connect();
  await held.query(`set statement_timeout = 0; select pg_advisory_lock(5727210402)`);
  const indexes = await held.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'audit' and indexname like 'audit_company%'`,
  );
  for (const { name } of indexes.rows) await held.query(`drop index ${name}`);
  // They bring their dates along.
  await held.query('alter table audit disable trigger audit_refuse_rewriting');
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
    await held.query('alter table audit enable always trigger audit_refuse_rewriting');
    for (const { definition } of indexes.rows) await held.query(definition);
  });
  await db.execute(sql`analyze audit`);
  exporter = await startServer({
    PORT: '0',
    DATABASE_URL: console.services.config.databaseUrl ?? '',
    WHEELHOUSE_SECRET_KEY: `k1:${randomBytes(32).toString('base64')}`,
  });
}, 1_800_000);
afterAll(async () => {
  await exporter.end();
  await held.end();
  await console.close();
});

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

  it.each([
    ['jsonl', 'alone'],
    ['csv', 'alone'],
    ['jsonl', 'while it closes chains'],
    ['csv', 'while it closes chains'],
  ])(
    'is exported whole as %s %s, in flat memory',
    async (format, beside) => {
      if (beside !== 'alone') {
        // Nobody else is there to close them.
        await console.app.close();
        await held.query('select pg_advisory_unlock_all()');
      }
      let [lines, bytes] = [0, 0];
      const before = await exporter.figures();
      const started = performance.now();
      const peaks = await peaksOf(async (begin) => {
        for await (const part of (await askExport(format)).body ?? []) {
          bytes += part.length;
          for (const byte of part) if (byte === 10) lines += 1;
          begin(Math.min(3, Math.floor((lines * 4) / size)));
        }
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const after = await exporter.figures();
      const live = ({ heapUsed, external }: typeof after) => (heapUsed + external) / mebibyte;
      report(
        `export as ${format} ${beside}: ${lines} lines, ${(bytes / mebibyte).toFixed(0)} MiB in ${seconds} s; memory before ${Math.round(before.rss / mebibyte)}, peaks by quarters ${peaks.join(', ')}, after ${Math.round(after.rss / mebibyte)} MiB; live ${live(before).toFixed(1)} before, ${live(after).toFixed(1)} MiB after`,
      );
      expect(lines).toBeGreaterThanOrEqual(format === 'csv' ? size + 1 : size);
      expect(lines).toBeLessThan(size + 10);
      // What grew with the file would be largest in the last quarter.
      expect(Math.max(...peaks.slice(1))).toBeLessThan((peaks[0] ?? 0) + 32);
      // Code that is loaded and compiled meanwhile counts as well: some 10 MiB were seen.
      expect(live(after) - live(before)).toBeLessThan(24);
    },
    1_800_000,
  );

  it('is read no faster than the reader takes it', async () => {
    let read = 0;
    const before = (await exporter.figures()).rss / mebibyte;
    const [peak = 0] = await peaksOf(async () => {
      const reader = (await askExport('jsonl')).body?.getReader();
      read += (await reader?.read())?.value?.length ?? 0;
      await pause(isFull ? 5_000 : 200);
      await reader?.cancel();
    });
    report(`a reader that stops after ${read} bytes: ${Math.round(peak - before)} MiB more memory at most`);
    expect(peak - before).toBeLessThan(50);
    await expect
      .poll(
        async () => {
          const [last] = await console.store.db
            .select({ status: audit.status })
            .from(audit)
            .where(eq(audit.action, 'exportAudit'))
            .orderBy(desc(audit.id))
            .limit(1);
          return last?.status;
        },
        { timeout: 30_000 },
      )
      .toEqual(isFull ? 499 : expect.any(Number));
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
