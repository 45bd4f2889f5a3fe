import { describe, expect, test } from 'vitest';
import type { ObjectView } from '../../src/contract/live.ts';
import { unknownDashboard } from '../../src/web/data/live/dashboard.ts';
import { type LiveObject, unknownObject } from '../../src/web/data/live/object.ts';
import { applyMessage, renewed, type SubscriptionMessage } from '../../src/web/data/live/subscription.ts';
import { subscribeMessage, targetKey } from '../../src/web/data/live/targets.ts';

const view: ObjectView = {
  object: { metadata: { name: 'api', resourceVersion: '7' } },
  status: ['Available', 'ok'],
  facts: { replicas: 2 },
  attention: [],
  joined: {},
  missing: [],
  actions: [],
};

function hear(from: LiveObject, ...messages: readonly SubscriptionMessage[]): LiveObject {
  let subscription = renewed(from);
  for (const message of messages) {
    const next = applyMessage(subscription, message);
    if (next === 'gap') throw new Error('a message is missing');
    subscription = next;
  }
  return subscription.data;
}
const fresh = unknownObject('2026-01-01T00:00:00Z');

describe('a live object', () => {
  test('its version comes whole, and what surrounds it without it', () => {
    const known = hear(fresh, { type: 'object', id: 1, seq: 1, ...view });
    expect(known).toMatchObject({ complete: true, view });
    const joined = { podsOfNode: 3 };
    const later = hear(
      fresh,
      { type: 'object', id: 1, seq: 1, ...view },
      {
        type: 'surroundings',
        id: 1,
        seq: 2,
        status: view.status,
        attention: [],
        joined,
        missing: ['~ Secret shop/key'],
        actions: [],
      },
    );
    expect(later.view).toEqual({ ...view, joined, missing: ['~ Secret shop/key'] });
    expect(later.view?.object).toBe(view.object);
  });

  test('when it is gone its last version stays, and another of its name takes the place', () => {
    const at = '2026-01-01T01:00:00Z';
    const gone = hear(fresh, { type: 'object', id: 1, seq: 1, ...view }, { type: 'gone', id: 1, seq: 2, at });
    expect(gone).toMatchObject({ view, gone: { at }, complete: true });
    const again = hear(gone, { type: 'object', id: 2, seq: 1, ...view });
    expect(again.gone).toBeUndefined();
  });

  test('it says that it was paused until it is heard of again', () => {
    const paused = { ...hear(fresh, { type: 'object', id: 1, seq: 1, ...view }), pausedAt: 'then' };
    expect(hear(paused).pausedAt).toBe('then');
    expect(hear(paused, { type: 'object', id: 2, seq: 1, ...view }).pausedAt).toBeUndefined();
  });
});

test('a dashboard comes whole', () => {
  const dashboard = {
    attention: [],
    attentionTotal: 0,
    unwatched: [],
    unwatchedTotal: 0,
    workloads: {},
    capacity: null,
    nodes: null,
    usage: null,
    storage: null,
    events: null,
    eventMinutes: null,
    changes: [],
  };
  const next = applyMessage(renewed(unknownDashboard('then')), {
    type: 'dashboard',
    id: 1,
    seq: 1,
    dashboard,
  });
  expect(next).toMatchObject({ data: { dashboard, complete: true } });
});

test('each target has a key of its own and asks for itself', () => {
  const targets = [
    { clusterId: 1, kind: 'pod' },
    { clusterId: 1, kind: 'pod', wide: true },
    { clusterId: 1, kind: 'pod', where: { owner: 'u' } },
    { clusterId: 1, kind: 'pod', namespace: 'shop', where: { owner: 'u' } },
    { type: 'object', clusterId: 1, kind: 'pod', namespace: 'shop', name: 'api' },
    { type: 'dashboard', clusterId: 1 },
  ] as const;
  expect(new Set(targets.map(targetKey)).size).toBe(targets.length);
  expect(targets.map((target) => subscribeMessage(target, 3))).toEqual([
    { type: 'subscribe', id: 3, clusterId: 1, kind: 'pod' },
    { type: 'subscribe', id: 3, clusterId: 1, kind: 'pod', wide: true },
    { type: 'subscribe', id: 3, clusterId: 1, kind: 'pod', where: { owner: 'u' } },
    { type: 'subscribe', id: 3, clusterId: 1, kind: 'pod', namespace: 'shop', where: { owner: 'u' } },
    { type: 'subscribe', id: 3, clusterId: 1, kind: 'pod', namespace: 'shop', name: 'api' },
    { type: 'subscribe', id: 3, clusterId: 1, dashboard: true },
  ]);
});
