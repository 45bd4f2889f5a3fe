import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { type Obj, type Rec, rec, str } from '../../src/playground/kit/values.ts';
import { json } from './client.ts';
import { agree, checkOwners, versionOf } from './history.ts';
import { rounds, seed } from '../prove.ts';

/** What is done to one object at a time. */
type Step = { readonly name: string } & (
  | { readonly do: 'create' | 'put'; readonly state: State }
  | { readonly do: 'merge' | 'strategic' | 'json'; readonly state: State }
  | { readonly do: 'apply'; readonly state: State; readonly manager: string; readonly force: boolean }
  | { readonly do: 'delete' }
);

/** The parts of a deployment that steps vary; absent ones are not named. */
interface State {
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly containers?: readonly { readonly name: string; readonly image: string; readonly port?: number }[];
}

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', chance: 11 });
});
afterAll(async () => {
  await playground.close();
});

const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), { maxKeys: 3 });
const container = fc.record(
  {
    name: fc.constantFrom('main', 'side', 'third'),
    image: fc.constantFrom('one:1', 'two:2'),
    port: fc.constantFrom(80, 8080),
  },
  { requiredKeys: ['name', 'image'] },
);
const containers = fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1, maxLength: 3 });
const partial = fc.record(
  { replicas: fc.integer({ min: 0, max: 4 }), labels, containers },
  { requiredKeys: [] },
);
const whole = fc.record({ replicas: fc.integer({ min: 0, max: 4 }), labels, containers });
const name = fc.constantFrom('ada', 'bea');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('create' as const, 'put' as const), name, state: whole }),
  fc.record({
    do: fc.constantFrom('merge' as const, 'strategic' as const, 'json' as const),
    name,
    state: partial,
  }),
  fc.record({
    do: fc.constant('apply' as const),
    name,
    state: whole,
    manager: fc.constantFrom('ann', 'bob'),
    force: fc.boolean(),
  }),
  fc.record({ do: fc.constant('delete' as const), name }),
);

const port = (number: number | undefined) =>
  number === undefined ? {} : { ports: [{ containerPort: number }] };
const spec = ({ replicas, containers: wanted }: State): Rec => ({
  ...(replicas === undefined ? {} : { replicas }),
  ...(wanted === undefined
    ? {}
    : {
        template: {
          spec: {
            containers: wanted.map((item) => ({ name: item.name, image: item.image, ...port(item.port) })),
          },
        },
      }),
});

function deployment(object: string, state: State): Rec {
  const own = spec(state);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: object, labels: state.labels ?? {} },
    spec: {
      ...own,
      selector: { matchLabels: { app: object } },
      template: { ...rec(own['template']), metadata: { labels: { app: object } } },
    },
  };
}

const patchOf = (state: State): Rec => ({
  ...(state.labels === undefined ? {} : { metadata: { labels: state.labels } }),
  spec: spec(state),
});

/** Does one step; the answer, whatever it is. */
async function act(path: string, one: Step): Promise<Rec> {
  const call = (method: string, place: string, body?: unknown, type?: string) =>
    json(playground, method, place, body, type);
  const item = `${path}/${one.name}`;
  switch (one.do) {
    case 'create':
      return await call('POST', path, deployment(one.name, one.state));
    case 'put':
      return await call('PUT', item, deployment(one.name, one.state));
    case 'merge':
      return await call('PATCH', item, patchOf(one.state), 'application/merge-patch+json');
    case 'strategic':
      return await call('PATCH', item, patchOf(one.state), 'application/strategic-merge-patch+json');
    case 'json':
      return await call(
        'PATCH',
        item,
        [{ op: 'add', path: '/spec/replicas', value: one.state.replicas ?? 1 }],
        'application/json-patch+json',
      );
    case 'apply': {
      const query = `fieldManager=${one.manager}&force=${String(one.force)}`;
      const body = deployment(one.name, one.state);
      return await call('PATCH', `${item}?${query}`, body, 'application/apply-patch+yaml');
    }
    case 'delete':
      return await call('DELETE', item);
    default:
      return one satisfies never;
  }
}

/** What must hold of an object after any step: owned paths exist, and a conflict changes nothing. */
function checkOwnership(object: Obj, one: Step, before: Obj | undefined): void {
  const entries = checkOwners(object);
  if (one.do === 'apply') {
    const mine = entries.find((entry) => entry.manager === one.manager && entry.operation === 'Apply');
    const named = (one.state.containers ?? []).map(
      (item) => `/f:spec/f:template/f:spec/f:containers/k:{"name":"${item.name}"}/f:image`,
    );
    // Who applies owns what it names.
    expect(mine?.paths).toEqual(expect.arrayContaining([...named, '/f:spec/f:replicas']));
    expect(rec(object['spec'])['replicas']).toBe(one.state.replicas);
  } else if (before !== undefined && 'state' in one && one.state.replicas !== undefined) {
    const was = rec(before['spec'])['replicas'];
    const now = rec(object['spec'])['replicas'];
    // A value that an update changes leaves those who had it and belongs to the writer.
    if (was !== now) {
      const holders = entries.filter(({ paths }) => paths.includes('/f:spec/f:replicas'));
      expect(holders.map(({ operation }) => operation)).toEqual(['Update']);
    }
  }
}

test(
  'list, get and the replay of a watch agree after any history, and field ownership is correct',
  async () => {
    let round = 0;
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const namespace = `round-${round++}`;
        await json(playground, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
        const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
        const start = await versionOf(playground, path);
        const key = (one: string) => `${namespace}/${one}`;
        const stored = (one: string) => playground.world.store.get('apps/deployments', key(one));
        for (const one of steps) {
          const before = stored(one.name);
          const answer = await act(path, one);
          const after = stored(one.name);
          const code = answer['kind'] === 'Status' && answer['status'] === 'Failure' ? answer['code'] : 200;
          // Who gives a container up leaves what others own of it, and that alone may be no container.
          if (code === 422)
            expect(str(answer['message'])).toMatch(/containers\[\d\]\.(name|image): Required value/);
          else expect([200, 404, 409]).toContain(code);
          const outcome = `${one.do} ${String(code)}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          // What is refused changes nothing.
          if (code !== 200) expect(after).toBe(before);
          else if (one.do !== 'delete') {
            expect(answer).toEqual(after);
            if (after !== undefined) checkOwnership(after, one, before);
          }
          if (code === 409 && one.do === 'apply') expect(one.force).toBe(false);
        }
        await agree(
          playground,
          { path, storage: 'apps/deployments', kind: 'Deployment', apiVersion: 'apps/v1' },
          start,
        );
      }),
      { numRuns: rounds(60, 600), seed },
    );
    // A history in which nothing happens proves nothing.
    const common = [
      'create 200',
      'create 409',
      'put 200',
      'merge 200',
      'strategic 200',
      'json 200',
      'apply 200',
    ];
    for (const outcome of [...common, 'apply 409', 'delete 200']) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(5);
    }
  },
  rounds(120_000, 1_800_000),
);
