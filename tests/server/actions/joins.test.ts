import { describe, expect, it } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { createJoiner } from '../../../src/server/actions/joins.ts';
import { readRevisions, type Workload } from '../../../src/server/actions/revisions.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';

const hpas = '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers';
const scaledObjects = '/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects';
const web: KubeObject = { metadata: { name: 'web', namespace: 'shop' } };

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

function joinOver(transport: Transport) {
  const deployment = kindById('deployment');
  if (deployment === undefined) throw new Error('There are no deployments.');
  return createJoiner(transport).join(deployment, web, ['scaledBy']);
}

const join = (answers: Readonly<Record<string, readonly object[] | number>>) => joinOver(answering(answers));

const hpa = (scaleTargetRef: object, more: object = {}) => ({
  metadata: { name: 'scaler' },
  spec: { scaleTargetRef, maxReplicas: 5, ...more },
});

describe('who scales a workload', () => {
  it('is the autoscaler whose target it is, with the bounds that hold where none are said', async () => {
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    expect(await join({ [hpas]: [hpa({ ...target, name: 'other' }), hpa(target)] })).toEqual({
      scaledBy: { kind: 'HorizontalPodAutoscaler', name: 'scaler', min: 1, max: 5 },
    });
  });

  it('is no autoscaler whose target is of another kind or group', async () => {
    const others = [
      hpa({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' }),
      hpa({ apiVersion: 'example.org/v1', kind: 'Deployment', name: 'web' }),
    ];
    expect(await join({ [hpas]: others })).toEqual({});
  });

  it('is the ScaledObject, not the autoscaler that it makes', async () => {
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const scaled = {
      metadata: { name: 'queue' },
      spec: { scaleTargetRef: { name: 'web' }, maxReplicaCount: 8 },
    };
    expect(await join({ [hpas]: [hpa(target)], [scaledObjects]: [scaled] })).toEqual({
      scaledBy: { kind: 'ScaledObject', name: 'queue', min: 0, max: 8 },
    });
  });

  it('is unset in a cluster without those APIs, or that refuses them', async () => {
    expect(await join({})).toEqual({});
    expect(await join({ [hpas]: 403, [scaledObjects]: 403 })).toEqual({});
  });

  it('is not guessed when the cluster cannot be asked', async () => {
    await expect(join({ [hpas]: 500 })).rejects.toBeInstanceOf(ClusterProblem);
  });

  it('is found on the last page as well; beyond what is looked through it is refused, never guessed', async () => {
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const others = Array.from({ length: 19_999 }, () => hpa({ ...target, name: 'other' }));
    expect(await join({ [hpas]: [...others, hpa(target)] })).toMatchObject({ scaledBy: { name: 'scaler' } });
    const tooMany = [...others, hpa(target), hpa(target)];
    await expect(join({ [hpas]: tooMany })).rejects.toMatchObject({
      status: 502,
      title: expect.stringMatching(/^The cluster has more than 20,000 horizontalpodautoscalers .*\.$/),
    });
  });

  it('is read again from the start when the cluster forgets where a page begins, three times at most', async () => {
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const many = [...Array.from({ length: 600 }, () => hpa({ ...target, name: 'other' })), hpa(target)];
    let forgets = 2;
    const transport = answering({ [hpas]: many }, ({ query }) => {
      if (query?.['continue'] === undefined || forgets === 0) return;
      forgets -= 1;
      throw new ClusterProblem({ status: 502, title: 'Too old.' }, { status: 410 });
    });
    expect(await joinOver(transport)).toMatchObject({ scaledBy: { name: 'scaler' } });
    forgets = Number.POSITIVE_INFINITY;
    await expect(joinOver(transport)).rejects.toMatchObject({ title: 'Too old.' });
  });
});

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

  it('are refused in words beyond what is looked through', async () => {
    const others = Array.from({ length: 20_001 }, (_, index) => replicaSet(index + 1, 'another'));
    await expect(readRevisions(answering({ [path]: others }), 'ReplicaSet', workload)).rejects.toMatchObject({
      status: 502,
      title:
        'More than 20,000 replicasets have the labels of web; this console does not search more of them for its revisions.',
    });
  });
});
