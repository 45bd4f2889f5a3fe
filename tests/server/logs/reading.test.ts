import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LogRequest } from '../../../src/contract/log.ts';
import type { Pod } from '../../../src/kube/core.ts';
import { followLog } from '../../../src/server/logs/follow.ts';
import { readLogs } from '../../../src/server/logs/reading.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import { createScriptedTransport } from '../live/script-transport.ts';

const request: LogRequest = {
  of: { pods: [{ namespace: 'shop', name: 'a' }] },
  previous: false,
  follow: true,
};

test('a page that leaves while the pods are looked up ends its own log and nothing else', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  const leaving = new AbortController();
  const listed = Promise.withResolvers<readonly Pod[]>();
  const reading = readLogs({
    request,
    members: { list: () => listed.promise, has: () => false, isOpen: false, label: 'Pod shop/a' },
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
    signal: leaving.signal,
    onError: () => {},
  });
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
