import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCertificates } from '../../../src/playground/certificates.ts';
import { auditStreams } from '../../../src/server/store/schema/audit.ts';
import { chance, rounds } from '../../prove.ts';
import { type Line, linesIn, StreamLab } from './stream-lab.ts';

const kills = rounds(2, 20);
const entries = rounds(40, 400);
const random = chance();

let lab: StreamLab;
let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  const { key, certificate, authority } = await makeCertificates(Date.now());
  lab = await StreamLab.start({ key, cert: certificate });
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-audit-'));
  await writeFile(join(folder, 'ca.pem'), authority);
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await lab.close();
  await rm(folder, { recursive: true });
});

async function startStreamer(): Promise<ChildProcess> {
  const started = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'streamer.ts'),
      lab.audit.url,
      lab.key.toString('base64'),
      String(lab.receiver.port),
      join(folder, 'audit.jsonl'),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    },
  );
  await once(started.stdout, 'data');
  return started;
}

/** Every position is there, none before its predecessor, and what comes twice is the same. */
function expectWhole(lines: readonly Line[]): void {
  let last = 0;
  const hashes = new Map<number, string>();
  for (const { position, hash } of lines) {
    expect(position).toBeLessThanOrEqual(last + 1);
    expect(hashes.get(position) ?? hash).toBe(hash);
    hashes.set(position, hash);
    last = Math.max(last, position);
  }
  expect(last).toBe(2 * entries);
}

it(
  'no row is lost over https or in a file when servers are killed at any point',
  async () => {
    await lab.audit.write(entries);
    await lab.link();
    await lab.company.save(lab.owner, { url: lab.receiver.url, secret: 'Bearer of-the-receiver' });
    for (let kill = 0; kill < kills; kill += 1) {
      child = await startStreamer();
      const target = Math.floor(((kill + random()) / (kills + 1)) * 2 * entries);
      await expect
        .poll(() => lab.lines().at(-1)?.position ?? 0, { timeout: 60_000, interval: 2 })
        .toBeGreaterThanOrEqual(target);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    child = await startStreamer();
    const streams = async () =>
      (await lab.audit.store.db.select().from(auditStreams))
        .filter(({ chain }) => chain === lab.owner.companyId)
        .map(({ position }) => position);
    await expect.poll(streams, { timeout: 90_000 }).toEqual([2 * entries, 2 * entries]);
    expectWhole(lab.lines());
    const file = linesIn(await readFile(join(folder, 'audit.jsonl'), 'utf8'));
    expectWhole(file.filter(({ chain }) => chain === lab.owner.companyId));
  },
  rounds(150_000, 1_800_000),
);
