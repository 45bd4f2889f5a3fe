import { expect, it, test } from 'vitest';
import { node } from '../../../commands/kinds/node.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';
import { drain } from '../../../src/server/jobs/drain/drain.ts';
import type { JobContext } from '../../../src/server/jobs/job.ts';

const pod = {
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u1',
    labels: { app: 'web' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r1', controller: true },
    ],
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};
const budgetNamed = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'shop', generation: 1 },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
  ...more,
});

/** The plan of a node with one pod, on a cluster that answers the list of budgets in its own way. */
async function planWith(budgets: (request: KubeRequest) => unknown) {
  const answer = (request: KubeRequest): unknown =>
    request.path === '/api/v1/pods' ? { metadata: {}, items: [pod] } : budgets(request);
  const transport: Transport = {
    clusterId: 1,
    credential: 'test',
    json: async <T>(request: KubeRequest) => (await Promise.resolve(answer(request))) as T,
    stream: () => Promise.reject(new Error('Nothing is streamed.')),
    close: () => Promise.resolve(),
  };
  const context = {
    transport,
    kind: node,
    object: { metadata: { name: 'worker' } },
    address: { group: '', version: 'v1', plural: 'nodes', name: 'worker' },
    args: {},
    cluster: { name: 'prod' },
  } as unknown as JobContext;
  const { lines, notes, blocked } = await drain.plan(context);
  return { about: lines.map(({ about }) => about), notes: notes.slice(1), blocked };
}
const refuse = (status: number, upstream: number, retryable: boolean) => () => {
  throw new ClusterProblem({ status, title: `prod answered ${upstream}.`, retryable }, { status: upstream });
};

it('the plan of a drain finds a budget on any page of the list', async () => {
  const asked: unknown[] = [];
  const { about } = await planWith(({ path, query }) => {
    asked.push([path, query?.['continue']]);
    const isFirst = query?.['continue'] === undefined;
    return isFirst
      ? { metadata: { continue: 'second' }, items: [budgetNamed('api', { spec: { selector: null } })] }
      : { metadata: {}, items: [budgetNamed('web')] };
  });
  expect(asked).toEqual([
    ['/apis/policy/v1/poddisruptionbudgets', undefined],
    ['/apis/policy/v1/poddisruptionbudgets', 'second'],
  ]);
  expect(about).toEqual(['is held back now: disruption budget web needs 2 healthy pods and has 2']);
});

test.each([403, 404])(
  'the plan of a drain says that budgets could not be read after a %i',
  async (status) => {
    expect(await planWith(refuse(status, status, false))).toEqual({
      about: [null],
      notes: [
        `The disruption budgets could not be read, so it is unknown which pods they protect. prod answered ${status}.`,
        'The cluster still applies them: an eviction that a budget blocks is retried until it is allowed.',
      ],
      blocked: null,
    });
  },
);

it('the plan of a drain fails with the cluster where asking again may help', async () => {
  await expect(planWith(refuse(502, 503, true))).rejects.toThrow('prod answered 503.');
});

it('the plan of a drain shows no hostile text of a budget', async () => {
  const odd = budgetNamed('web\u202e\u0007', {
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 'no',
      currentHealthy: '\u202e2',
      desiredHealthy: [],
    },
  });
  const { about } = await planWith(() => ({ metadata: {}, items: [odd] }));
  expect(about.join()).toMatch(/^is held back now: disruption budget web\S* needs 0 healthy pods and has 0$/);
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(about.join()).not.toMatch(/[\u202e\u0007]/);
});
