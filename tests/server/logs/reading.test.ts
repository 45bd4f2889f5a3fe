import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LogRequest } from '../../../src/contract/log.ts';
import { Problem } from '../../../src/contract/problem.ts';
import type { Pod } from '../../../src/kube/core.ts';
import { followLog } from '../../../src/server/logs/follow.ts';
import { type ReadingOptions, readLogs } from '../../../src/server/logs/reading.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import { createScriptedTransport } from '../live/script-transport.ts';

const request: LogRequest = {
  of: { pods: [{ namespace: 'shop', name: 'a' }] },
  previous: false,
  follow: true,
};

/** What a reading of one pod needs; `list` looks the pod up. */
const readingOf = (list: () => Promise<readonly Pod[]>, signal: AbortSignal): ReadingOptions => ({
  request,
  members: { list, has: () => false, isOpen: false, label: 'Pod shop/a' },
  cluster: 'prod',
  transport: () => Promise.resolve(createScriptedTransport()),
  tap: () => {
    throw new Error('Too many lists are open.');
  },
  takePlace: () => true,
  givePlace: () => {},
  follow: followLog,
  out: { line: () => undefined, tell: () => {} },
  clock: createFakeClock(),
  signal,
  onError: () => {},
});

test('a log that is read once ends where its pods cannot be looked up', async () => {
  const unreachable = new Problem({ status: 502, title: 'prod refused the connection.' });
  const options = readingOf(() => Promise.reject(unreachable), new AbortController().signal);
  const outcome = await readLogs({ ...options, request: { ...request, follow: false } });
  expect(outcome).toEqual({ reason: 'unreachable', title: 'prod refused the connection.' });
});

test('a page that leaves while the pods are looked up ends its own log and nothing else', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  const leaving = new AbortController();
  const listed = Promise.withResolvers<readonly Pod[]>();
  const reading = readLogs(readingOf(() => listed.promise, leaving.signal));
  const gone = new Error('The page is gone.');
  leaving.abort(gone);
  // An error that nobody heard of ends the process once a turn is over: the answer comes later than that.
  await setImmediate();
  listed.resolve([]);
  await expect(reading).rejects.toBe(gone);
  await setImmediate();
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});
