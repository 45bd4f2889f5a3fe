import { expect, test } from 'vitest';
import type { DeletionEffect } from '../../src/contract/objects.ts';
import { deletionText } from '../../src/web/features/actions/deletion-text.ts';

const pods = (
  effect: DeletionEffect['effect'],
  count: number | null,
  ...names: string[]
): DeletionEffect => ({
  effect,
  kind: 'Pod',
  title: 'Pods',
  count,
  names,
});
const claim = (effect: DeletionEffect['effect'], ...names: string[]): DeletionEffect => ({
  effect,
  kind: 'PersistentVolumeClaim',
  title: 'PersistentVolumeClaims',
  count: names.length,
  names,
});
const sets: DeletionEffect = {
  effect: 'owned',
  kind: 'ReplicaSet',
  title: 'ReplicaSets',
  count: 2,
  names: [],
};
const volume = (effect: DeletionEffect['effect']): DeletionEffect => ({
  effect,
  kind: 'PersistentVolume',
  title: 'PersistentVolumes',
  count: 1,
  names: ['pv-1'],
});

const cases: readonly (readonly [
  effects: readonly DeletionEffect[],
  propagation: string,
  said: readonly string[],
])[] = [
  [[], 'Background', ['Nothing else is deleted with it.']],
  [[sets, pods('owned', 3)], 'Foreground', ['Deletes 2 ReplicaSets and 3 pods as well.']],
  [[sets, pods('owned', 3)], 'Orphan', ['2 ReplicaSets and 3 pods stay, without an owner.']],
  [[pods('owned', 1, 'api-1')], 'Orphan', ['1 pod stays, without an owner.']],
  [[pods('owned', null)], 'Background', ['Deletes pods as well.']],
  [
    [pods('owned', 1, 'loki-0'), claim('claims', 'data-loki-0')],
    'Background',
    ['Deletes 1 pod as well.', 'The claim data-loki-0 stays, with the data.'],
  ],
  [
    [claim('claimsGone', 'a-0', 'a-1')],
    'Background',
    ['Deletes the claims a-0 and a-1 as well, with the data.'],
  ],
  [
    [pods('inside', 12), { ...sets, effect: 'inside' }],
    'Background',
    ['Deletes 12 pods and 2 ReplicaSets as well.'],
  ],
  [
    [pods('running', 4)],
    'Background',
    ['4 pods run on it and are lost: controllers start theirs again on other nodes, others are gone.'],
  ],
  [
    [volume('volumeGone')],
    'Background',
    ['Deletes PersistentVolume pv-1 as well, with the data: its reclaim policy says so.'],
  ],
  [[volume('volumeKept')], 'Background', ['PersistentVolume pv-1 stays, with the data.']],
  [
    [claim('claimLost', 'shop/data')],
    'Background',
    ['PersistentVolumeClaim shop/data loses its volume, and the way to the data.'],
  ],
  [
    [{ effect: 'maker', kind: 'ReplicaSet', title: 'ReplicaSet', count: 1, names: ['api-5c'] }],
    'Background',
    ['ReplicaSet api-5c creates another in its place.'],
  ],
];

test.each(cases)('%j with %s', (effects, propagation, said) => {
  expect(deletionText({ effects, hasUnseen: false }, propagation)).toEqual(said);
});

test('what a person may not view is no number, and never nothing', () => {
  expect(deletionText({ effects: [], hasUnseen: true }, 'Background')).toEqual([
    'Objects that you may not view may be deleted as well.',
  ]);
});
