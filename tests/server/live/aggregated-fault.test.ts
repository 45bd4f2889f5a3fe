import { expect, test } from 'vitest';
import { customKind, genericKind, servedKind } from '../../../commands/kinds/custom.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import type { AnyKind } from '../../../src/registry/kinds/kind.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { judge } from '../../../src/server/live/source/faults.ts';
import { createMetrics } from '../../../src/server/live/joins/metrics.ts';
import { createFakeClock } from './fake-clock.ts';

const resource = {
  group: 'lab.example.org',
  version: 'v1alpha1',
  plural: 'probes',
  kind: 'Probe',
  scope: 'Namespaced',
} as const;

/** A kind of which no definition is known: another server than the cluster's own may have it. */
const foreign = genericKind({ resource, permissions: { view: 'owner', manage: 'owner' } });
const unavailable = (retryAfter?: number) =>
  new ClusterProblem({ status: 502, title: 'prod: service unavailable' }, { status: 503, retryAfter });
const faultOf = (kind: AnyKind | undefined, retryAfter?: number) => {
  if (kind === undefined) throw new Error('There is no such kind.');
  return judge(unavailable(retryAfter), { cluster: 'prod', kind, namespace: undefined }, 'list');
};

test('a list of a server that does not answer names its APIService, and waits as long as it asks', () => {
  const message =
    'prod: the server of the API lab.example.org does not answer (503). The conditions of APIService v1alpha1.lab.example.org say why.';
  expect(faultOf(foreign)).toEqual({ type: 'failed', message });
  expect(faultOf(foreign, 7)).toEqual({ type: 'throttled', message, retryAfter: 7_000 });
});

test('a 503 of what the cluster itself serves blames no other server', () => {
  const { group, plural, kind: name, version, scope } = resource;
  // A definition without columns and without a status.
  const versions = [{ name: version, served: true, storage: true }];
  const bare = customKind({ spec: { group, scope, names: { kind: name, plural }, versions } });
  for (const kind of [kindById('deployment'), servedKind(resource, [], false), bare])
    expect(faultOf(kind).message).toBe('prod: service unavailable');
});

test('usage without an answer of the metrics server names its APIService', async () => {
  const pod = kindById('pod');
  if (pod === undefined) throw new Error('There is no kind of pods.');
  const clock = createFakeClock();
  const metrics = createMetrics({
    kind: pod,
    cluster: () => 'prod',
    transport: () => Promise.reject(unavailable()),
    namespaces: () => Promise.resolve([]),
    clock,
    budget: { limit: Number.POSITIVE_INFINITY, held: 0 },
  });
  const leave = metrics.retain(() => undefined);
  await clock.advance(1_000);
  expect(metrics.state).toEqual({
    status: 'absent',
    at: null,
    message:
      'prod has no metrics: the server of APIService v1beta1.metrics.k8s.io does not answer. The APIService says why.',
  });
  leave();
});
