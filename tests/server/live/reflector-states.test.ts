import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/server/clusters/transport.ts';
import type { Reflector } from '../../../src/server/live/source/reflector.ts';
import { startReflector } from './reflector-harness.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import {
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  type ScriptedTransport,
  silence,
} from './script-transport.ts';

let clock: FakeClock;
let cluster: ScriptedTransport;
let reflector: Reflector;
let changes: string[];

function start(transport: () => Promise<Transport> = () => Promise.resolve(cluster)): void {
  ({ reflector, changes } = startReflector(clock, transport));
}

beforeEach(() => {
  clock = createFakeClock();
  cluster = createScriptedTransport();
});
afterEach(() => reflector.dispose());

describe('states', () => {
  const whileListing = async (error: Error) => {
    cluster.onList = () => {
      throw error;
    };
    start();
    await settle();
  };

  test('a cluster that never answered is unreachable, with its tries', async () => {
    await whileListing(silence());
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      attempt: 1,
      message: 'prod refused the connection.',
    });
    await clock.advance(200);
    expect(reflector.state.attempt).toBe(2);
  });

  test('a refused credential (401) is forbidden, asked again after 30 s', async () => {
    await whileListing(refusal(401));
    expect(reflector.state).toMatchObject({
      status: 'forbidden',
      message: "prod rejected this console's credential (401). Replace its kubeconfig.",
    });
    await clock.advance(29_000);
    expect(cluster.calls).toHaveLength(1);
    await clock.advance(2_000);
    expect(cluster.calls).toHaveLength(2);
  });

  test('a denied list (403) is forbidden, and live once the role is given', async () => {
    await whileListing(refusal(403));
    expect(reflector.state).toMatchObject({
      status: 'forbidden',
      message:
        "This console's credential may not list pods in all namespaces of prod. Give it a role that may list and watch them, then retry.",
    });
    cluster.onList = () => listOf('1', [podOf('a', '1')]);
    await clock.advance(30_000);
    expect(reflector.state.status).toBe('live');
  });

  test('a resource that is not served is absent; rows held of it are gone', async () => {
    cluster.onList = () => listOf('1', [podOf('a', '1')]);
    start();
    await settle();
    cluster.onWatch = cluster.onList = () => {
      throw refusal(404);
    };
    await clock.advance(10_000);
    cluster.lastWatch.end();
    await settle();
    expect(reflector.state).toMatchObject({ status: 'absent', message: 'prod does not serve pods.' });
    expect(changes).toEqual(['+a', '-a']);
  });

  test('Retry-After is obeyed, even against Retry', async () => {
    await whileListing(refusal(429, { retryAfter: 20 }));
    expect(reflector.state).toMatchObject({ status: 'loading', attempt: 1 });
    await clock.advance(10_000);
    reflector.retry();
    await clock.advance(9_000);
    expect(cluster.calls).toHaveLength(1);
    await clock.advance(1_000);
    expect(cluster.calls).toHaveLength(2);
  });

  test('Retry asks at once, but not more than once a second', async () => {
    await whileListing(refusal(403));
    reflector.retry();
    await settle();
    reflector.retry();
    await settle();
    expect(cluster.calls).toHaveLength(2);
    await clock.advance(1_000);
    reflector.retry();
    await settle();
    expect(cluster.calls).toHaveLength(3);
  });
});
