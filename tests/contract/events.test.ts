import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { webhookEvents } from '../../src/contract/webhooks.ts';

const folder = new URL('../server/webhooks/', import.meta.url);

test('each event of webhooks has a case in tests/server/webhooks', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const without = webhookEvents.filter(([type]) => !texts.some((text) => text.includes(`'${type}'`)));
  expect(without.map(([type]) => `${type}: add a case to a file of tests/server/webhooks`)).toEqual([]);
});
