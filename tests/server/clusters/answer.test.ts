import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AnswerBudget, readJson } from '../../../src/server/clusters/answer.ts';

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

it('answers that are read at one time share a budget, and give it back', async () => {
  const budget: AnswerBudget = { limit: 1_000, held: 0 };
  let end: () => void = () => undefined;
  answer = (response) => {
    response.write(text);
    end = () => response.end();
  };
  const first = readJson(await request(url), limits, budget);
  await expect.poll(() => budget.held).toBe(600);
  answer = (response) => response.end(text);
  await expect(readJson(await request(url), limits, budget)).rejects.toThrow('ANSWERS_TOO_MANY');
  expect(budget.held).toBe(600);
  end();
  expect(await first).toHaveLength(598);
  expect(budget.held).toBe(0);
  expect(await readJson(await request(url), limits, budget)).toHaveLength(598);
});

it('the inflated size of an answer counts, and a broken answer returns its share', async () => {
  const budget: AnswerBudget = { limit: 700, held: 0 };
  const zipped = gzipSync(text.repeat(2).slice(0, 900));
  answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
  await expect(readJson(await request(url), limits, budget)).rejects.toThrow('ANSWERS_TOO_MANY');
  answer = (response) => response.end('{"half":');
  await expect(readJson(await request(url), limits, budget)).rejects.toThrow('ANSWER_UNREADABLE');
  expect(budget.held).toBe(0);
});

it('values are counted before they are parsed', async () => {
  answer = (response) => response.end(`[${'0,'.repeat(300)}0]`);
  const read = async (values: number) => readJson(await request(url), { bytes: 1_000, values });
  expect(await read(301)).toHaveLength(301);
  await expect(read(300)).rejects.toThrow('ANSWER_TOO_LARGE');
});
