import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import type { ListState } from '../../../src/contract/live.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { objectLimits } from '../../../src/server/live/source/object-watch.ts';
import { createObjectWatches } from '../../../src/server/live/source/object-watches.ts';
import { createProjector, type Entry } from '../../../src/server/live/source/projector.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import {
  createScriptedTransport,
  podOf,
  refusal,
  type ScriptedTransport,
  silence,
} from './script-transport.ts';

let clock: FakeClock;
let transport: ScriptedTransport;
/** What the list holds of the object. */
let held: Entry | undefined;
let isReady: boolean;
let status: ListState['status'];

beforeEach(() => {
  clock = createFakeClock();
  transport = createScriptedTransport();
  held = undefined;
  isReady = false;
  status = 'loading';
});

/** The open object shop/a, and what was told of it: versions, `gone` and `gone at once`. */
function watched() {
  const told: string[] = [];
  const watches = createObjectWatches({
    kind: pod,
    cluster: () => 'prod',
    transport: () => Promise.resolve(transport),
    find: () => held,
    isReady: () => isReady,
    state: () => ({ status, since: '2026-01-01T00:00:00.000Z' }),
    onClosed: () => told.push('closed'),
    clock,
    log: pino({ level: 'silent' }),
  });
  const membership = watches.open('shop', 'a', {
    version: (object) => told.push(object.metadata?.resourceVersion ?? ''),
    gone: (at) => told.push(at === null ? 'never there' : 'gone'),
    state: () => {},
  });
  const project = createProjector(pod, pino({ level: 'silent' }));
  const offer = (object: KubeObject) => {
    watches.offer(object);
    held = project(object, held);
  };
  return { watches, membership, told, offer };
}

const ready = () => {
  isReady = true;
  status = 'live';
};

describe('the versions of an open object', () => {
  test('are asked for again when what the answer was ahead of does not come', async () => {
    transport.onList = () => podOf('a', '5');
    const { told, offer } = watched();
    await settle();
    // The list began later than the answer and is newer: its version is one that the watch never gives.
    transport.onList = () => podOf('a', '9');
    offer(podOf('a', '8'));
    ready();
    expect(told).toEqual(['5']);
    await clock.advance(objectLimits.patience);
    expect(told).toEqual(['5', '9']);
    offer(podOf('a', '9'));
    offer(podOf('a', '10'));
    expect(told).toEqual(['5', '9', '10']);
    expect(clock.pending).toBe(0);
  });

  test('that come while it is asked for are shown at once, and an older answer after them is not', async () => {
    const answer = Promise.withResolvers<KubeObject>();
    transport.onList = () => answer.promise;
    const { told, offer } = watched();
    await settle();
    offer(podOf('a', '5'));
    offer(podOf('a', '6'));
    answer.resolve(podOf('a', '5'));
    await settle();
    offer(podOf('a', '7'));
    expect(told).toEqual(['5', '6', '7']);
  });

  test('end when it was deleted before the list was complete', async () => {
    transport.onList = () => podOf('a', '5');
    const { watches, told } = watched();
    await settle();
    transport.onList = () => {
      throw refusal(404);
    };
    ready();
    watches.settled();
    await settle();
    expect(told).toEqual(['5', 'gone']);
  });

  test('are not brought back by an answer from before its deletion', async () => {
    const answer = Promise.withResolvers<KubeObject>();
    transport.onList = () => answer.promise;
    const { watches, told, offer } = watched();
    await settle();
    offer(podOf('a', '5'));
    if (held !== undefined) watches.dropped(held);
    answer.resolve(podOf('a', '4'));
    await settle();
    expect(told).toEqual(['5', 'gone']);
  });

  test('go on when an older object of the same name goes', async () => {
    transport.onList = () => podOf('a', '5');
    const { watches, told, offer } = watched();
    await settle();
    offer(podOf('a', '5'));
    if (held !== undefined) watches.dropped({ ...held, uid: 'an older one' });
    offer(podOf('a', '6'));
    expect(told).toEqual(['5', '6']);
  });

  test('are waited for, ever longer, while the cluster does not answer; the state says why', async () => {
    transport.onList = () => {
      throw silence();
    };
    const { membership, told } = watched();
    await settle();
    expect(membership.state).toMatchObject({ status: 'unreachable', attempt: 1 });
    await clock.advance(objectLimits.minRetryPause);
    expect(membership.state.attempt).toBe(2);
    transport.onList = () => podOf('a', '5');
    await clock.advance(2 * objectLimits.minRetryPause);
    expect(told).toEqual(['5']);
  });

  test('are asked for again and again where the kind may not be listed', async () => {
    status = 'forbidden';
    transport.onList = () => podOf('a', '5');
    const { membership, told } = watched();
    await settle();
    expect(membership.state.status).toBe('stale');
    transport.onList = () => podOf('a', '6');
    await clock.advance(objectLimits.poll);
    expect(told).toEqual(['5', '6']);
    membership.leave();
    expect([told.at(-1), clock.pending]).toEqual(['closed', 0]);
  });
});
