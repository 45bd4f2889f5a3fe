import { expect, test } from 'vitest';
import { customresourcedefinition } from '../../commands/kinds/customresourcedefinition.ts';
import { newestFirst } from '../../src/kube/api-versions.ts';
import type { CustomResourceDefinition } from '../../src/kube/custom.ts';

test('the newest version is the first stable one, as Kubernetes orders them', () => {
  expect(newestFirst(['v1beta1', 'v2alpha1', 'v1', 'v2', 'v1beta2', 'odd'])).toEqual([
    'v2',
    'v1',
    'v1beta2',
    'v1beta1',
    'v2alpha1',
    'odd',
  ]);
});

test('the list of definitions shows the newest served version, whichever is stored', () => {
  const [column] = customresourcedefinition.columns.filter(
    (one) => typeof one !== 'string' && one.id === 'version',
  );
  if (column === undefined || typeof column === 'string' || !('value' in column))
    throw new Error('no column');
  const versions = [
    { name: 'v1alpha1', served: true, storage: true },
    { name: 'v1beta1', served: true },
    { name: 'v1', served: false },
  ];
  const object: CustomResourceDefinition = { spec: { versions } };
  expect(column.value(object)).toBe('v1beta1');
});
