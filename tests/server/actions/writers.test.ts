import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestOf } from '../../../src/contract/endpoint.ts';
import type { Ref } from '../../../src/contract/objects.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { writerEndpoints } from '../../../src/contract/writers.ts';
import { applicationDefinition } from '../../kube/writers/application-definition.ts';
import { type Lab, startLab } from './playground.ts';

type Wish = Omit<RequestOf<(typeof writerEndpoints)['objectWriters']>['body'], 'refs' | 'act'>;

let lab: Lab;
const web: Ref = { kind: 'deployment', namespace: 'shop', name: 'web' };
const trackingId = 'argocd.argoproj.io/tracking-id';

beforeAll(async () => {
  lab = await startLab();
  await lab.put('/api/v1/namespaces', { metadata: { name: 'argocd' } });
  await lab.put('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', applicationDefinition);
  await lab.put('/apis/argoproj.io/v1alpha1/namespaces/argocd/applications', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'storefront' },
    spec: { syncPolicy: { automated: { selfHeal: true } } },
    status: { sync: { status: 'OutOfSync' } },
  });
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'registry.example.org/app:1' }] },
  };
  for (const name of ['web', 'web-copy'])
    await lab.put('/apis/apps/v1/namespaces/shop/deployments', {
      metadata: { name, annotations: { [trackingId]: 'storefront:apps/Deployment:shop/web' } },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    });
  await lab.put('/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers', {
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
    },
  });
  await lab.put('/api/v1/namespaces/shop/secrets', {
    metadata: { name: 'web-tls', annotations: { 'meta.helm.sh/release-name': 'web' } },
    stringData: { password: 'never-to-be-told' },
  });
});
afterAll(() => lab.close());

const writersOf = async (
  person: { readonly client: Lab['owner']['client'] },
  ref: Ref,
  wish: Wish & { readonly act?: 'change' | 'delete' } = {},
) =>
  await person.client.call('objectWriters', {
    params: { clusterId: lab.clusterId },
    body: { refs: [ref], act: 'change', ...wish },
  });
const sentences = async (...asked: Parameters<typeof writersOf>) =>
  (await writersOf(...asked)).objects.flatMap(({ writers }) => writers.map(({ sentence }) => sentence));

const heals = 'Argo CD storefront puts this back at once (self-heal on).';
const scales = 'HorizontalPodAutoscaler web will scale this again, between 2 and 5.';

test('an object names its application and its autoscaler, with what shows it', async () => {
  const { objects } = await writersOf(lab.owner, web);
  expect(objects).toMatchObject([
    {
      ref: web,
      writers: [
        {
          tool: 'argocd',
          sentence: heals,
          when: 'at-once',
          sight: 'seen',
          syncState: 'OutOfSync',
          ref: { namespace: 'argocd', name: 'storefront' },
          evidence: [
            { path: `metadata.annotations[${trackingId}]`, value: 'storefront:apps/Deployment:shop/web' },
            { path: 'spec.syncPolicy.automated.selfHeal', value: 'true' },
          ],
        },
        { tool: 'autoscaler', sentence: scales, ref: { kind: 'hpa', namespace: 'shop', name: 'web' } },
      ],
    },
  ]);
});

test('a copy with the annotation of another object has no writer', async () => {
  expect(await sentences(lab.owner, { ...web, name: 'web-copy' })).toEqual([]);
});

test('an edit of a label is nothing to an autoscaler, and a count is', async () => {
  expect(await sentences(lab.owner, web, { paths: [['metadata', 'labels', 'team']] })).toEqual([heals]);
  expect(await sentences(lab.owner, web, { paths: [['spec', 'replicas']] })).toEqual([heals, scales]);
});

test('an action is judged by the fields that it changes', async () => {
  const scale = { id: 'deployment.scale', args: { replicas: 3 } };
  expect(await sentences(lab.owner, web, { action: scale })).toEqual([heals, scales]);
  const restart = { id: 'deployment.restart', args: {} };
  expect(await sentences(lab.owner, web, { action: restart })).toEqual([heals]);
  const deletion = { id: 'object.delete', args: {} };
  expect(await sentences(lab.owner, web, { action: deletion })).toEqual([
    'Argo CD storefront creates it again at once (self-heal on).',
  ]);
});

test('somebody who may not view the application reads that it is not seen, and nothing of it', async () => {
  const member = await lab.member(teamRoles.Viewer, ['shop']);
  const { objects } = await writersOf(member, web, { paths: [['metadata', 'labels', 'team']] });
  expect(objects[0]?.writers).toEqual([
    {
      tool: 'argocd',
      label: 'Argo CD storefront',
      sentence:
        'Argo CD storefront applies this; when it will put this back is not seen, as you may not view its Application.',
      when: 'unknown',
      sight: 'unseen',
      isCertain: false,
      evidence: [
        { path: `metadata.annotations[${trackingId}]`, value: 'storefront:apps/Deployment:shop/web' },
      ],
    },
  ]);
});

test('somebody who may not view the object itself is refused', async () => {
  const member = await lab.member(teamRoles.Viewer, ['elsewhere']);
  await expect(writersOf(member, web)).rejects.toMatchObject({ status: 403 });
  const viewer = await lab.member(teamRoles.Viewer);
  const secret: Ref = { kind: 'secret', namespace: 'shop', name: 'web-tls' };
  await expect(writersOf(viewer, secret)).rejects.toMatchObject({ status: 403 });
  const seen = await writersOf(lab.owner, secret);
  expect(seen.objects[0]?.writers[0]?.label).toBe('Helm release web');
  expect(JSON.stringify(seen)).not.toContain('never-to-be-told');
});
