import { expect, test } from 'vitest';
import { node } from '../../../commands/kinds/node.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';
import { drain } from '../../../src/server/jobs/drain/drain.ts';
import type { JobContext } from '../../../src/server/jobs/job.ts';

const minutes = 10;
const refusals = 6;
const pod = {
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u1',
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r1', controller: true },
    ],
  },
};

/** A cluster with one pod whose eviction a budget refuses several times before it is gone. */
function stubbornCluster(retryAfter: number | undefined): { transport: Transport; tries: () => number } {
  let tries = 0;
  const problem = (status: number) =>
    new ClusterProblem(
      { status, title: 'Refused.', retryable: status === 429, where: {} },
      { status, ...(retryAfter === undefined ? {} : { retryAfter }) },
    );
  const answer = ({ path }: KubeRequest): unknown => {
    if (path === '/api/v1/pods') return { metadata: {}, items: [pod] };
    if (path === '/api/v1/nodes/worker') return {};
    if (path !== '/api/v1/namespaces/shop/pods/web/eviction') throw problem(404);
    tries += 1;
    if (tries <= refusals) throw problem(429);
    return {};
  };
  const transport = {
    clusterId: 1,
    credential: 'test',
    json: async <T>(request: KubeRequest) => (await Promise.resolve(answer(request))) as T,
    stream: () => Promise.reject(new Error('Nothing is streamed.')),
    close: () => Promise.resolve(),
  };
  return { transport, tries: () => tries };
}

test.each<[string, number | undefined, number, number[]]>([
  ['doubles up to 5 s', undefined, 0.5, [1_000, 2_000, 4_000, 5_000, 5_000, 5_000]],
  ['stays within 5 s with the most jitter', undefined, 1, [1_250, 2_500, 5_000, 5_000, 5_000, 5_000]],
  ['follows what the cluster asks for', 3, 0.5, [3_000, 3_000, 4_000, 5_000, 5_000, 5_000]],
  ['stays within 5 s where the cluster asks for a minute', 60, 0.5, Array.from({ length: 6 }, () => 5_000)],
])('the wait before a refused eviction is tried again %s', async (_what, retryAfter, random, wanted) => {
  const waits: number[] = [];
  const { transport, tries } = stubbornCluster(retryAfter);
  const context = {
    transport,
    kind: node,
    object: { metadata: { name: 'worker' } },
    ref: { kind: 'node', name: 'worker' },
    address: { group: '', version: 'v1', plural: 'nodes', name: 'worker' },
    args: { limit: minutes },
    cluster: { name: 'prod' },
    clock: {
      now: () => 0,
      random: () => random,
      after: (ms: number, run: () => void) => {
        // The limit of the whole drain never comes; each wait is over at once.
        if (ms !== minutes * 60_000) {
          waits.push(ms);
          queueMicrotask(run);
        }
        return () => undefined;
      },
    },
    require: () => Promise.resolve(),
  } as unknown as JobContext;
  const prepared = await drain.prepare(context);
  const ended = await prepared.run({
    signal: new AbortController().signal,
    doneBefore: [],
    steps: () => undefined,
    step: () => undefined,
    message: () => undefined,
  });
  expect(ended).toBe('The node is drained: 1 pod is gone. The node stays cordoned.');
  expect(tries()).toBe(refusals + 1);
  expect(waits).toEqual(wanted);
});

/** A cluster whose pods go at once; `evicted` has their names. Each request takes a turn of the event loop. */
function quickCluster(names: readonly string[], isCordoned = false) {
  const evicted: string[] = [];
  const patched: string[] = [];
  const gone = new ClusterProblem(
    { status: 404, title: 'It is gone.', retryable: false, where: {} },
    { status: 404 },
  );
  const answer = ({ path, method }: KubeRequest): unknown => {
    if (path === '/api/v1/pods')
      return {
        metadata: {},
        items: names.map((name) => ({ metadata: { ...pod.metadata, name, uid: name } })),
      };
    if (method === 'PATCH') patched.push(path);
    if (method === 'PATCH') return {};
    if (!path.endsWith('/eviction')) throw gone;
    evicted.push(path.split('/').at(-2) ?? '');
    return {};
  };
  const transport = {
    json: async <T>(request: KubeRequest) => {
      await new Promise((resolve) => setImmediate(resolve));
      return answer(request) as T;
    },
  };
  const context = {
    transport,
    kind: node,
    object: { metadata: { name: 'worker' }, spec: { unschedulable: isCordoned } },
    ref: { kind: 'node', name: 'worker' },
    address: { group: '', version: 'v1', plural: 'nodes', name: 'worker' },
    args: { limit: minutes },
    cluster: { name: 'prod' },
  };
  return { context, evicted, patched };
}

async function runDrain(context: object, doneBefore: readonly string[] = []): Promise<string> {
  const prepared = await drain.prepare(context as unknown as JobContext);
  return await prepared.run({
    signal: new AbortController().signal,
    doneBefore,
    steps: () => undefined,
    step: () => undefined,
    message: () => undefined,
  });
}

/** Time that passes only by waiting. */
function waitingClock() {
  let now = 0;
  return {
    now: () => now,
    random: () => 0.5,
    after: (ms: number, run: () => void) => {
      if (ms !== minutes * 60_000) {
        now += ms;
        queueMicrotask(run);
      }
      return () => undefined;
    },
  };
}

const lost = () => Object.assign(new Error('The connection ended.'), { code: '57P01' });
const thirty = Array.from({ length: 30 }, (_pod, index) => `web-${index}`);

test('a drain whose rights cannot be read has ended with all of its evictions when it says that it failed', async () => {
  const { context, evicted } = quickCluster(thirty);
  let asked = 0;
  const ended = runDrain({
    ...context,
    clock: waitingClock(),
    require: () => {
      asked += 1;
      return asked === 4 ? Promise.reject(new Error('a fault of ours')) : Promise.resolve();
    },
  });
  await expect(ended).rejects.toThrow('a fault of ours');
  const then = evicted.length;
  expect(then).toBeLessThanOrEqual(10);
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(evicted).toHaveLength(then);
});

test('a drain waits while the database restarts, and gives up where it stays away', async () => {
  const restarting = quickCluster(thirty);
  let refused = 0;
  const require = () => {
    refused += 1;
    return refused % 3 === 0 ? Promise.resolve() : Promise.reject(lost());
  };
  expect(await runDrain({ ...restarting.context, clock: waitingClock(), require })).toBe(
    'The node is drained: 30 pods are gone. The node stays cordoned.',
  );
  const away = quickCluster(thirty);
  const clock = waitingClock();
  await expect(runDrain({ ...away.context, clock, require: () => Promise.reject(lost()) })).rejects.toThrow(
    'The connection ended.',
  );
  expect(clock.now()).toBe(60_000);
  expect(away.evicted).toEqual([]);
});

test.each([
  ['goes on with a node that is still cordoned, without touching that', true],
  ['ends where somebody uncordoned the node meanwhile', false],
])('a drain that moved %s', async (_what, isStillCordoned) => {
  const { context, evicted, patched } = quickCluster(['web'], isStillCordoned);
  const ended = runDrain({ ...context, clock: waitingClock(), require: () => Promise.resolve() }, [
    'Cordon the node',
  ]);
  if (isStillCordoned) expect(await ended).toMatch(/^The node is drained: 1 pod is gone/);
  else await expect(ended).rejects.toThrow('worker was uncordoned meanwhile, so no more pods were evicted');
  expect(patched).toEqual([]);
  expect(evicted).toEqual(isStillCordoned ? ['web'] : []);
});
