import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { type Obj, type Rec, rec, same } from '../../src/playground/kit/values.ts';
import { json } from './client.ts';
import { agree, checkOwners, versionOf } from './history.ts';
import { rounds, seed } from '../prove.ts';

/** The parts of an object of a defined kind that steps vary; absent ones are not named. */
interface State {
  readonly size?: number;
  readonly tags?: readonly string[];
  readonly parts?: readonly { readonly name: string; readonly count?: number }[];
}

/** What is done to one object at a time. */
type Step = { readonly name: string } & (
  | { readonly do: 'create' | 'put' | 'merge'; readonly state: State }
  | { readonly do: 'apply'; readonly state: State; readonly manager: string; readonly force: boolean }
  | { readonly do: 'status' | 'scale'; readonly count: number }
  | { readonly do: 'hold' | 'free' | 'delete' }
);

const storage = 'history.io/fleets';
const kind = { apiVersion: 'history.io/v1', kind: 'Fleet' };
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', chance: 12 });
  const integer = { type: 'integer', minimum: 0, maximum: 4 };
  const spec = {
    type: 'object',
    properties: {
      size: { ...integer, default: 1 },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, count: { type: 'integer' } },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    },
  };
  const status = { type: 'object', properties: { ready: { type: 'integer' } } };
  await json(playground, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'fleets.history.io' },
    spec: {
      group: 'history.io',
      scope: 'Namespaced',
      names: { plural: 'fleets', kind: 'Fleet' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' },
          },
        },
      ],
    },
  });
});
afterAll(async () => {
  await playground.close();
});

// 5 is more than the schema allows.
const size = fc.constantFrom(0, 1, 2, 3, 4, 5, 5, 5);
const tags = fc.uniqueArray(fc.constantFrom('red', 'blue', 'green'), { minLength: 1, maxLength: 3 });
const part = fc.record(
  { name: fc.constantFrom('hull', 'mast'), count: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: ['name'] },
);
const parts = fc.uniqueArray(part, { selector: ({ name }) => name, minLength: 1, maxLength: 2 });
const state = fc.record({ size, tags, parts }, { requiredKeys: [] });
const name = fc.constantFrom('ada', 'bea');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'put' as const, 'merge' as const),
      name,
      state,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('apply' as const),
      name,
      state,
      manager: fc.constantFrom('ann', 'bob'),
      force: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('status' as const, 'scale' as const),
      name,
      count: fc.integer({ min: 0, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('hold' as const, 'free' as const, 'delete' as const), name }),
  },
);

const merge = 'application/merge-patch+json';
const finalizer = 'history.io/anchor';

/** Does one step; the answer, whatever it is. */
async function act(path: string, one: Step, before: Obj | undefined): Promise<Rec> {
  const item = `${path}/${one.name}`;
  const patch = (place: string, body: unknown) => json(playground, 'PATCH', place, body, merge);
  const metadata = { name: one.name };
  switch (one.do) {
    case 'create':
      return await json(playground, 'POST', path, { ...kind, metadata, spec: one.state });
    case 'put': {
      const held = before?.metadata.finalizers;
      const resourceVersion = before?.metadata.resourceVersion;
      const kept = { ...metadata, ...(held === undefined ? {} : { finalizers: held }), resourceVersion };
      return await json(playground, 'PUT', item, { ...kind, metadata: kept, spec: one.state });
    }
    case 'merge':
      return await patch(item, { spec: one.state, status: { ready: 99 } });
    case 'apply': {
      const query = `fieldManager=${one.manager}&force=${String(one.force)}`;
      const body = { ...kind, metadata, spec: one.state };
      return await json(playground, 'PATCH', `${item}?${query}`, body, 'application/apply-patch+yaml');
    }
    case 'status':
      return await patch(`${item}/status`, { spec: { size: 4 }, status: { ready: one.count } });
    case 'scale':
      return await patch(`${item}/scale`, { spec: { replicas: one.count } });
    case 'hold':
      return await patch(item, { metadata: { finalizers: [finalizer] } });
    case 'free':
      return await patch(item, { metadata: { finalizers: null } });
    case 'delete':
      return await json(playground, 'DELETE', item);
    default:
      return one satisfies never;
  }
}

/** What must hold of an object that a step has written. */
function check(after: Obj, one: Step, before: Obj | undefined): void {
  const entries = checkOwners(after);
  const ready = rec(after['status'])['ready'];
  if (one.do === 'status') {
    expect(ready).toBe(one.count);
    expect(after['spec']).toEqual(before?.['spec']);
  } else expect(ready).toBe(rec(before?.['status'])['ready']);
  if (one.do === 'scale') expect(rec(after['spec'])['size']).toBe(one.count);
  // The generation counts the changes of what is wanted; a deletion that is waited for is one.
  if (before !== undefined) {
    const marked = after.metadata.deletionTimestamp !== before.metadata.deletionTimestamp;
    const changed = marked || !same(after['spec'], before['spec']);
    expect(after.metadata.generation).toBe((before.metadata.generation ?? 0) + (changed ? 1 : 0));
  }
  if (one.do !== 'apply') return;
  const mine = entries.find(({ manager, operation }) => manager === one.manager && operation === 'Apply');
  const named = [
    ...(one.state.size === undefined ? [] : ['/f:spec/f:size']),
    ...(one.state.tags ?? []).map((tag) => `/f:spec/f:tags/v:${JSON.stringify(tag)}`),
    ...(one.state.parts ?? []).map((item) => `/f:spec/f:parts/k:{"name":"${item.name}"}/f:name`),
  ];
  // Who applies owns what it names, and what it names is there.
  expect(mine?.paths ?? []).toEqual(expect.arrayContaining(named));
  expect(rec(after['spec'])['tags'] ?? []).toEqual(expect.arrayContaining([...(one.state.tags ?? [])]));
}

test(
  'spec, status and ownership of custom objects stay separate through any history',
  async () => {
    const everywhere = '/apis/history.io/v1/fleets';
    await expect.poll(async () => (await json(playground, 'GET', everywhere))['kind']).toBe('FleetList');
    let round = 0;
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const namespace = `fleet-${round++}`;
        await json(playground, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
        const path = `/apis/history.io/v1/namespaces/${namespace}/fleets`;
        const start = await versionOf(playground, path);
        for (const one of steps) {
          const stored = () => playground.world.store.get(storage, `${namespace}/${one.name}`);
          const before = stored();
          const answer = await act(path, one, before);
          const after = stored();
          const code =
            answer['kind'] === 'Status' && answer['status'] === 'Failure' ? Number(answer['code']) : 200;
          const outcome = `${one.do} ${String(code)}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          expect([200, 404, 409, 422], JSON.stringify(answer)).toContain(code);
          // Who gives a part up leaves what others own of it, and that alone may be no part.
          const allowed =
            /size in body should be less than|parts\[\d\]\.name: Required value|no new finalizers/;
          if (code === 422) expect(answer['message']).toMatch(allowed);
          // What is refused changes nothing.
          if (code !== 200) expect(after).toBe(before);
          else if (after !== undefined) check(after, one, before);
          if (code === 200 && one.do === 'delete' && after !== undefined) {
            expect(after.metadata.finalizers).toEqual([finalizer]);
            expect(after.metadata.deletionTimestamp).toBeDefined();
          }
          if (code === 409 && one.do === 'apply') expect(one.force).toBe(false);
        }
        await agree(playground, { path, storage, ...kind }, start);
      }),
      { numRuns: rounds(60, 600), seed },
    );
    const common = [
      'create 200',
      'create 409',
      'create 422',
      'put 200',
      'merge 200',
      'merge 422',
      'apply 200',
    ];
    for (const outcome of [
      ...common,
      'apply 409',
      'status 200',
      'scale 200',
      'hold 200',
      'free 200',
      'delete 200',
    ]) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(5);
    }
  },
  rounds(60_000, 1_800_000),
);
