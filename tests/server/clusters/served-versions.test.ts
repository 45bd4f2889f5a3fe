import { describe, expect, test } from 'vitest';
import { ServedVersions } from '../../../src/server/clusters/served-versions.ts';
import { ClusterProblem, type KubeRequest } from '../../../src/server/clusters/transport.ts';
import { clockAt } from '../clock-at.ts';

const notFound = (body?: ConstructorParameters<typeof ClusterProblem>[1]['body']) =>
  new ClusterProblem(
    { status: 404, title: 'not found' },
    { status: 404, ...(body === undefined ? {} : { body }) },
  );

/** What the API servers of two versions of Kubernetes say of their groups. */
const clusters: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '1.25': {
    '/apis/autoscaling': { versions: [{ version: 'v2' }, { version: 'v1' }, { version: 'v2beta2' }] },
    '/apis/autoscaling/v2': { resources: [{ name: 'horizontalpodautoscalers' }] },
    '/apis/flowcontrol.apiserver.k8s.io': { versions: [{ version: 'v1beta2' }, { version: 'v1beta1' }] },
    '/apis/flowcontrol.apiserver.k8s.io/v1beta2': {
      resources: [{ name: 'flowschemas' }, { name: 'flowschemas/status' }],
    },
    '/apis/flowcontrol.apiserver.k8s.io/v1beta1': { resources: [{ name: 'flowschemas' }] },
    '/apis/policy': { versions: [{ version: 'v1' }] },
    '/apis/policy/v1': { resources: [{ name: 'poddisruptionbudgets' }] },
  },
  'without autoscaling/v2, which its directory still names': {
    '/apis/autoscaling': { versions: [{ version: 'v2' }, { version: 'v1' }] },
    '/apis/autoscaling/v1': { resources: [{ name: 'horizontalpodautoscalers' }] },
  },
};

function versionsOf(cluster: string) {
  const asked: string[] = [];
  const versions = new ServedVersions(
    (path) => {
      asked.push(path);
      const answer = clusters[cluster]?.[path];
      return answer === undefined ? Promise.reject(notFound()) : Promise.resolve(answer);
    },
    clockAt(() => 0),
  );
  return { versions, asked };
}

describe('a resource that a cluster does not serve in the version asked for', () => {
  test.each([
    [
      '1.25',
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/x',
      '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/x',
    ],
    [
      'without autoscaling/v2, which its directory still names',
      '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers',
      '/apis/autoscaling/v1/namespaces/shop/horizontalpodautoscalers',
    ],
    [
      'without autoscaling/v2, which its directory still names',
      '/apis/autoscaling/v2/horizontalpodautoscalers',
      '/apis/autoscaling/v1/horizontalpodautoscalers',
    ],
  ])('is asked for in the newest one that it serves: %s %s', async (cluster, path, expected) => {
    const { versions, asked } = versionsOf(cluster);
    const request: KubeRequest = { path, query: { limit: 500 } };
    expect(versions.adapted(request)).toBe(request);
    expect(await versions.instead(request, notFound())).toEqual({ ...request, path: expected });
    const count = asked.length;
    expect(versions.adapted(request)).toEqual({ ...request, path: expected });
    expect(asked).toHaveLength(count);
  });

  test('is sent in that version as well', async () => {
    const { versions } = versionsOf('without autoscaling/v2, which its directory still names');
    const path = '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web';
    const body = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
    expect(await versions.instead({ method: 'PUT', path, body }, notFound())).toMatchObject({
      body: { ...body, apiVersion: 'autoscaling/v1' },
    });
  });

  test.each([
    ['/apis/policy/v1/poddisruptionbudgets', notFound()],
    ['/apis/gone.example.org/v1/things', notFound()],
    ['/api/v1/pods', notFound()],
    [
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/x',
      notFound({ kind: 'Status', details: { name: 'x' } }),
    ],
    [
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      new ClusterProblem({ status: 403, title: '' }, { status: 403 }),
    ],
    ['/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', new Error('broken')],
  ])('stays what it is where no other version helps: %s', async (path, error) => {
    const { versions } = versionsOf('1.25');
    expect(await versions.instead({ path }, error)).toBeUndefined();
  });
});
