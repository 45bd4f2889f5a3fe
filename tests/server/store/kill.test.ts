import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../../../src/server/store/embedded/processes.ts';
import { openVault } from '../../../src/server/store/open-vault.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamClusters, teamMembers } from '../../../src/server/store/schema/teams.ts';
import { chance, rounds } from '../../prove.ts';
import { bySuperuser, type DataFolder, dataFolder } from './data-folder.ts';

const victims = ['server', 'database', 'both', 'one worker of the database'] as const;
/** In the gate each of them once. */
const kills = rounds(victims.length, 200);
const random = chance();

let folder: DataFolder;
/** The writer of this moment, in an object so that a failed round's writer is ended too. */
const current: { writer: Writer | null } = { writer: null };
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(async () => {
  current.writer?.process.kill('SIGKILL');
  await folder.remove();
});

interface Writer {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  /** Resolves once it has acknowledged this many more rows; false when it has ended before. */
  more(count: number): Promise<boolean>;
}

function startWriter(dataDir: string, name: string, acknowledged: string[]): Writer {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), dataDir, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const lines = createInterface(child.stdout);
  const wake = (): void => waiting.forEach((check) => check());
  lines.on('line', (line) => {
    if (!line.startsWith('ready')) acknowledged.push(line);
    seen += 1;
    wake();
  });
  lines.on('close', () => {
    isOver = true;
    wake();
  });
  return {
    process: child,
    more(count) {
      const target = seen + count;
      return new Promise((resolve) => {
        const check = (): void => {
          if (seen < target && !isOver) return;
          waiting.delete(check);
          resolve(seen >= target);
        };
        waiting.add(check);
        check();
      });
    },
  };
}

const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);

/** A process of the database that serves a connection (where there is no /proc, the database's first one). */
function workerOf(postmaster: number): number {
  if (!existsSync('/proc')) return postmaster;
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === postmaster && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('[local]');
      } catch {
        return false;
      }
    });
  return found ?? postmaster;
}

test(`${kills} rounds of kill -9, the database's process included, lose nothing acknowledged`, {
  timeout: rounds(240_000, 1_800_000),
}, async () => {
  const dataDir = join(folder.path, 'data');
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round++) {
    current.writer ??= startWriter(dataDir, `w${round}`, acknowledged);
    const { writer } = current;
    // A different moment each time, counted in what was written.
    const isWriting = await writer.more(1 + Math.floor(random() * 40));
    expect(isWriting, `round ${round}: the writer goes on`).toBe(true);
    const victim = victims[round % victims.length];
    const postmaster = postmasterOf(dataDir);
    if (victim === 'one worker of the database') process.kill(workerOf(postmaster), 'SIGKILL');
    if (victim === 'database' || victim === 'both') process.kill(postmaster, 'SIGKILL');
    if (victim === 'server' || victim === 'both') {
      writer.process.kill('SIGKILL');
      if (writer.process.signalCode === null) await once(writer.process, 'exit');
      await writer.more(Number.POSITIVE_INFINITY);
      current.writer = null;
    }
  }
  if (current.writer !== null) {
    current.writer.process.kill('SIGKILL');
    await current.writer.more(Number.POSITIVE_INFINITY);
    current.writer = null;
  }

  const store = await openStore({ databaseUrl: null, dataDir });
  const vault = await openVault({ dataDir, secretKey: null }, store);
  const kept = new Set<string>();
  for (const row of await store.db.select().from(sessions))
    kept.add(`session ${row.tokenHash.toString('hex')}`);
  for (const row of await store.db.select().from(clusters)) {
    const text = vault.open(row.kubeconfig ?? Buffer.alloc(0), `clusters/${row.id}/kubeconfig`);
    if (text === `credential of ${row.name}`) kept.add(`cluster ${row.id} ${row.name}`);
  }
  const members = new Map((await store.db.select().from(teamMembers)).map((row) => [row.teamId, row.userId]));
  for (const row of await store.db.select().from(teamClusters))
    kept.add(`grant ${row.teamId} ${members.get(row.teamId)} ${row.clusterId}`);
  expect(acknowledged.filter((line) => !kept.has(line))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(kills);

  const pid = store.embedded?.pid() ?? 0;
  await store.close();
  expect(isAlive(pid)).toBe(false);
  await bySuperuser(dataDir, [
    'create extension amcheck',
    `select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
       where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'`,
  ]);
});
