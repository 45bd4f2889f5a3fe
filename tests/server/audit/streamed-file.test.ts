import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileSink } from '../../../src/server/streams/sinks.ts';
import { auditCommand } from '../../../src/server/boot/admin/verify-audit.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { auditStreams } from '../../../src/server/store/schema/audit.ts';
import { linesIn, StreamLab } from './stream-lab.ts';

let lab: StreamLab;
let folder: string;
let path: string;
beforeEach(async () => {
  lab = await StreamLab.start();
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-audit-'));
  path = join(folder, 'audit.jsonl');
});
afterEach(async () => {
  await lab.close();
  await rm(folder, { recursive: true });
});

const patience = { timeout: 60_000 };

/** Chain and position of each whole line of a file. */
async function writtenLines(name = path): Promise<string[]> {
  const text = await readFile(name, 'utf8').catch(() => '');
  return linesIn(text).map(({ chain, position }) => `${chain}/${position}`);
}

async function write(count: number): Promise<void> {
  await lab.audit.write(count);
  await lab.link();
}

/** The output of the operator's command; rejects as it does. */
async function verify(file?: string): Promise<string> {
  const secretKey = `k1:${randomBytes(32).toString('base64')}`;
  const { config } = readConfig({ DATABASE_URL: lab.audit.url, WHEELHOUSE_SECRET_KEY: secretKey });
  if (config === null) throw new Error('The settings of the test are wrong.');
  const said: string[] = [];
  await auditCommand({ config, say: (sentence) => void said.push(sentence) }, 'verify', file);
  return said.join('\n');
}

it('has the rows of all chains, goes on after a rotation, and ends what a killed server left', async () => {
  await lab.audit.audit.begin(lab.audit.entry({ companyId: null, userId: 1, actor: 'the operator' }));
  await write(1);
  const { companyId } = lab.owner;
  const stop = lab.serve(createFileSink(path));
  await expect
    .poll(async () => (await writtenLines()).sort(), patience)
    .toEqual(['0/1', `${companyId}/1`, `${companyId}/2`]);
  const rotated = join(folder, 'audit.1.jsonl');
  await rename(path, rotated);
  await write(1);
  await expect.poll(() => writtenLines(), patience).toEqual([`${companyId}/3`, `${companyId}/4`]);
  expect(await writtenLines(rotated)).toHaveLength(3);
  await stop();
  await writeFile(path, '{"type":"row","chain":1,"posi', { flag: 'a' });
  await write(1);
  lab.serve(createFileSink(path));
  await expect
    .poll(async () => (await writtenLines()).slice(2), patience)
    .toEqual([`${companyId}/5`, `${companyId}/6`]);
  expect((await readFile(path, 'utf8')).split('\n').filter((line) => line.endsWith('"posi'))).toHaveLength(1);
});

it('that cannot be written is tried again, and the reason names it', async () => {
  await write(1);
  await mkdir(path);
  lab.serve(createFileSink(path));
  await expect
    .poll(async () => (await lab.row())?.problem, patience)
    .toMatch(new RegExp(`^The file ${path} cannot be written: `));
  await rm(path, { recursive: true });
  await expect.poll(() => writtenLines(), patience).toHaveLength(2);
  await expect.poll(async () => (await lab.row())?.problem, patience).toBeNull();
});

it('shows an end that was cut off, also where the database no longer says what was confirmed', async () => {
  await write(3);
  lab.serve(createFileSink(path));
  await expect.poll(async () => (await lab.row())?.position, patience).toBe(6);
  const said = await verify(path);
  expect(said).toMatch(/Harbour \(\d+\): the operator’s file has confirmed position 6\./);
  expect(said).toMatch(/Harbour \(\d+\): the file ends with position 6, and matches the audit there\./);
  await lab.audit.tamper(`delete from audit where id > 4; delete from audit_links where row_id > 4;
    delete from audit_segments where last_position > 4`);
  await expect(verify()).rejects.toMatchObject({
    sentences: [
      expect.stringMatching(/: Position 6 was confirmed by the operator’s file, but the audit has no/),
    ],
  });
  await lab.audit.store.db.delete(auditStreams);
  expect(await verify()).toContain('The audit is complete.');
  await expect(verify(path)).rejects.toMatchObject({
    sentences: [
      expect.stringMatching(
        /: The file has position 6, but the audit has no position 6; it ends at position 4\.$/,
      ),
    ],
  });
  await expect(verify(join(folder, 'none'))).rejects.toMatchObject({
    sentences: [expect.stringMatching(/none could not be read: ENOENT/)],
  });
});
