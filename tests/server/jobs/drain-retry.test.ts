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
