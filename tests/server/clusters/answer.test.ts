import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJson } from '../../../src/server/clusters/answer.ts';
import type { Budget } from '../../../src/server/kit/memory-budget.ts';

let answer: (response: ServerResponse) => void;
const server = createServer((_request, response) => answer(response));
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const limits = { bytes: 1_000, values: 1_000 };
const text = JSON.stringify('x'.repeat(598));

const endless = (): Budget => ({ limit: Number.POSITIVE_INFINITY, held: 0 });

it('answers that are read at one time share a budget, and give it back', async () => {
  const budget: Budget = { limit: 1_000, held: 0 };
  const budgets = { cluster: budget, all: endless() };
  let end: () => void = () => undefined;
  answer = (response) => {
    response.write(text);
    end = () => response.end();
  };
  const first = readJson(await request(url), limits, budgets);
  await expect.poll(() => budget.held).toBe(600);
  answer = (response) => response.end(text);
  await expect(readJson(await request(url), limits, budgets)).rejects.toThrow('ANSWERS_TOO_MANY');
  expect(budget.held).toBe(600);
  end();
  expect(await first).toHaveLength(598);
  expect(budget.held).toBe(0);
  expect(await readJson(await request(url), limits, budgets)).toHaveLength(598);
});

it('the inflated size of an answer counts, and a broken answer returns its share', async () => {
  const budget: Budget = { limit: 700, held: 0 };
  const budgets = { cluster: endless(), all: budget };
  const zipped = gzipSync(text.repeat(2).slice(0, 900));
  answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
  await expect(readJson(await request(url), limits, budgets)).rejects.toThrow('ANSWERS_TOO_MANY');
  answer = (response) => response.end('{"half":');
  await expect(readJson(await request(url), limits, budgets)).rejects.toThrow('ANSWER_UNREADABLE');
  expect(budget.held).toBe(0);
});

it('values are counted before they are parsed', async () => {
  answer = (response) => response.end(`[${'0,'.repeat(300)}0]`);
  const read = async (values: number) => readJson(await request(url), { bytes: 1_000, values });
  expect(await read(301)).toHaveLength(301);
  await expect(read(300)).rejects.toThrow('ANSWER_TOO_LARGE');
});

it('what a large answer is parsed to counts as well, and an answer beyond the memory of the server is refused before that', async () => {
  const large = JSON.stringify(Array.from({ length: 200_000 }, () => 'x'));
  const all: Budget = { limit: 2 * large.length, held: 0 };
  const read = async () =>
    readJson(await request(url), { bytes: 10_000_000, values: 1_000_000 }, { cluster: endless(), all });
  answer = (response) => response.end(large);
  await expect(read()).rejects.toThrow('ANSWERS_TOO_MANY');
  expect(all.held).toBe(0);
  await expect(readJson(await request(url), { bytes: 10_000_000, values: 1_000_000 })).resolves.toHaveLength(
    200_000,
  );
});
