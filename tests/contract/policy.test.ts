import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import { isPolicyCurrent } from '../../src/build/policy.ts';
import { api } from '../../src/contract/api.ts';
import { streams } from '../../src/contract/streams.ts';

test('the page of the policy says what calls and kinds declare: npm run first writes it', async () => {
  expect(await isPolicyCurrent()).toBe(true);
});

test('the page of the policy has a line for each call and each kind', async () => {
  const lines = (await readFile(new URL('../../docs/policy.md', import.meta.url), 'utf8')).split('\n');
  const first = lines.map((line) => line.split(' | ')[0]);
  const missing = [
    ...[...Object.values(api), ...Object.values(streams)].map(({ summary }) => summary),
    ...kinds.map(({ title }) => title),
  ].filter((text) => !first.includes(`| ${text.replaceAll('|', '\\|')}`));
  expect(missing).toEqual([]);
});
