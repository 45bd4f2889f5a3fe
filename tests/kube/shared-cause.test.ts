import { expect, test } from 'vitest';
import { sharedCause, sharedImageCause, sharedPlacement } from '../../src/kube/shared-cause.ts';

test.each([
  ['secret "db" not found', 'The Secret db does not exist.', true],
  ['configmap "settings" not found', 'The ConfigMap settings does not exist.', true],
  [
    'persistentvolumeclaim "data" not found. preemption: not helpful',
    'The PersistentVolumeClaim data does not exist.',
    true,
  ],
  [
    'pods "web-7d4b9" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
    'The ServiceAccount web does not exist.',
    true,
  ],
  [
    'pods "web-1" is forbidden: exceeded quota: team-a, requested: cpu=1, used: cpu=4',
    'The quota team-a is used up.',
    true,
  ],
  [
    'Internal error occurred: failed calling webhook "mutate.example.com": failed to call webhook: timeout',
    'The webhook mutate.example.com fails.',
    false,
  ],
  [
    'admission webhook "deny.example.com" denied the request: no',
    'The webhook deny.example.com denies the pods.',
    false,
  ],
])('“%s” is the cause of all objects that report it', (message, title, isInNamespace) => {
  expect(sharedCause(message)).toMatchObject({ title, isInNamespace });
});

test('a cause that may be the object’s own is shared with none', () => {
  for (const message of [
    '',
    'Last exit with code 1',
    'couldn’t find key password in Secret shop/db',
    'container has runAsNonRoot and image will run as root',
  ])
    expect(sharedCause(message)).toBeUndefined();
});

test.each([
  [
    'failed to resolve reference: dial tcp: lookup registry.example: no such host',
    'Images cannot be pulled from the registry registry.example.',
  ],
  ['unexpected status: 401 Unauthorized', 'Images cannot be pulled from the registry registry.example.'],
  ['manifest unknown', 'The image registry.example/shop/web:2 cannot be pulled.'],
  [
    'Back-off pulling image "registry.example/shop/web:2"',
    'The image registry.example/shop/web:2 cannot be pulled.',
  ],
])('“%s” means: %s', (message, title) => {
  expect(sharedImageCause(message, 'registry.example/shop/web:2').title).toBe(title);
});

test('an image without a registry is of Docker’s', () => {
  expect(sharedImageCause('429 Too Many Requests', 'library/nginx').title).toBe(
    'Images cannot be pulled from the registry docker.io.',
  );
});

test('pods that miss the same on every node share the cause, whatever the counts', () => {
  const one =
    '0/3 nodes are available: 1 node(s) had untolerated taint {a: }, 2 Insufficient cpu. preemption: none.';
  const other = '0/9 nodes are available: 8 Insufficient cpu, 1 node(s) had untolerated taint {a: }.';
  expect(sharedPlacement(one)).toEqual(sharedPlacement(other));
  expect(sharedPlacement(one)?.title).toBe(
    'No node can take the pods: Insufficient cpu, node(s) had untolerated taint {a: }.',
  );
  for (const own of [
    '0/3 nodes are available: 3 node(s) didn’t match Pod’s node affinity/selector.',
    '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn’t have free ports.',
    'running PreBind plugin: binding volumes: timed out',
  ])
    expect(sharedPlacement(own)).toBeUndefined();
});
