import { describe, expect, it } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { createJoiner } from '../../../src/server/actions/joins.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';

const hpas = '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers';
const scaledObjects = '/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects';
const web: KubeObject = { metadata: { name: 'web', namespace: 'shop' } };

function join(answers: Readonly<Record<string, object[] | number>>) {
  const transport: Transport = {
    clusterId: 1,
    credential: '1.1',
    json: async <T>({ path }: KubeRequest): Promise<T> => {
      const answer = answers[path] ?? 404;
      if (typeof answer === 'number') {
        throw new ClusterProblem({ status: 502, title: 'It is so.' }, { status: answer });
      }
      return await Promise.resolve({ items: answer } as T);
    },
    stream: () => Promise.reject(new Error('Nothing streams here.')),
    close: () => Promise.resolve(),
  };
  const deployment = kindById('deployment');
  if (deployment === undefined) throw new Error('There are no deployments.');
  return createJoiner(transport).join(deployment, web, ['scaledBy']);
}

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

  it('is nobody whose target is of another kind or group', async () => {
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

  it('is nobody in a cluster without those APIs, or that hides them', async () => {
    expect(await join({})).toEqual({});
    expect(await join({ [hpas]: 403, [scaledObjects]: 403 })).toEqual({});
  });

  it('is not guessed when the cluster cannot be asked', async () => {
    await expect(join({ [hpas]: 500 })).rejects.toBeInstanceOf(ClusterProblem);
  });
});
