import { describe, expect, it } from 'vitest';
import { readRevisions, type Workload } from '../../../src/server/actions/revisions.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';

/** A cluster that answers by path, in pages of 500; a number refuses. */
function answering(
  answers: Readonly<Record<string, readonly object[] | number>>,
  onRequest: (request: KubeRequest) => void = () => {},
): Transport {
  return {
    clusterId: 1,
    credential: '1.1',
    json: async <T>(request: KubeRequest): Promise<T> => {
      onRequest(request);
      const answer = answers[request.path] ?? 404;
      if (typeof answer === 'number') {
        throw new ClusterProblem({ status: 502, title: 'It is so.' }, { status: answer });
      }
      const from = Number(request.query?.['continue'] ?? 0);
      const next = from + 500 < answer.length ? String(from + 500) : '';
      const page = { metadata: { continue: next }, items: answer.slice(from, from + 500) };
      return await Promise.resolve(page as T);
    },
    stream: () => Promise.reject(new Error('Nothing streams here.')),
    close: () => Promise.resolve(),
  };
}

describe('the revisions of a workload', () => {
  const path = '/apis/apps/v1/namespaces/shop/replicasets';
  const workload: Workload = {
    metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
    spec: { selector: { matchLabels: { app: 'web' } } },
  };
  const replicaSet = (revision: number, uid: string) => ({
    metadata: {
      name: `web-${revision}`,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true }],
    },
  });

  it('are found among any number with the same labels, which the cluster selects', async () => {
    const selectors = new Set<unknown>();
    const others = Array.from({ length: 1_200 }, (_, index) => replicaSet(index + 1, 'another'));
    const transport = answering(
      { [path]: [...others, replicaSet(1, 'u1'), replicaSet(2, 'u1')] },
      (request) => selectors.add(request.query?.['labelSelector']),
    );
    const found = await readRevisions(transport, 'ReplicaSet', workload);
    expect(found.map(({ number }) => number)).toEqual([2, 1]);
    expect([...selectors]).toEqual(['app=web']);
  });

  it('are read again from the start when the cluster forgets where a page begins, three times at most', async () => {
    const many = [...Array.from({ length: 600 }, () => replicaSet(1, 'another')), replicaSet(2, 'u1')];
    let forgets = 2;
    const transport = answering({ [path]: many }, ({ query }) => {
      if (query?.['continue'] === undefined || forgets === 0) return;
      forgets -= 1;
      throw new ClusterProblem({ status: 502, title: 'Too old.' }, { status: 410 });
    });
    expect(await readRevisions(transport, 'ReplicaSet', workload)).toHaveLength(1);
    forgets = Number.POSITIVE_INFINITY;
    await expect(readRevisions(transport, 'ReplicaSet', workload)).rejects.toMatchObject({
      title: 'Too old.',
    });
  });

  it('are refused in words beyond what is looked through', async () => {
    const others = Array.from({ length: 20_001 }, (_, index) => replicaSet(index + 1, 'another'));
    await expect(readRevisions(answering({ [path]: others }), 'ReplicaSet', workload)).rejects.toMatchObject({
      status: 502,
      title:
        'More than 20,000 replicasets have the labels of web; this console does not search more of them for its revisions.',
    });
  });
});
