import { expect, test } from 'vitest';
import { deployment } from '../../commands/kinds/deployment.ts';

test.each<[what: string, revision: string, status: object, isFirst: boolean]>([
  ['of its first template', '1', { observedGeneration: 2, replicas: 3, updatedReplicas: 3 }, true],
  ['without pods', '1', { observedGeneration: 2 }, true],
  ['whose newest template nobody has seen yet', '1', { observedGeneration: 1, replicas: 3 }, false],
  ['scaled before its newest template was looked at', '1', { observedGeneration: 2, replicas: 3 }, false],
  ['of a later template', '2', { observedGeneration: 2, replicas: 3, updatedReplicas: 3 }, false],
])('a Deployment %s has no earlier revision or may have one', (_what, revision, status, isFirst) => {
  const metadata = {
    name: 'web',
    generation: 2,
    annotations: { 'deployment.kubernetes.io/revision': revision },
  };
  const object = { metadata, status };
  expect(deployment.facts?.(object)).toMatchObject({ isFirst });
});
