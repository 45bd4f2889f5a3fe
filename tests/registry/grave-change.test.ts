import { describe, expect, it } from 'vitest';
import { genericKind } from '../../commands/kinds/custom.ts';
import { actionById, kindById, kinds } from '../../commands/kinds/index.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { isGrave } from '../../src/registry/kinds/confirmation.ts';
import { isChangeGrave } from '../../src/registry/kinds/grave-change.ts';

const kindOf = (id: string) => {
  const kind = kindById(id);
  if (kind === undefined) throw new Error(`There is no kind ${id}.`);
  return kind;
};
const projects = (group: string) =>
  genericKind({
    resource: { group, version: 'v1', plural: 'projects', kind: 'Project', scope: 'Cluster' },
    permissions: { view: 'owner', manage: 'owner' },
  });

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '1-2-3' };
const ownedBy = (...ownerReferences: readonly unknown[]) =>
  ({ metadata: { name: 'one', ownerReferences } }) as KubeObject;
const tainted = (...taints: readonly unknown[]) =>
  ({ metadata: { name: 'one' }, spec: { taints } }) as KubeObject;
const plain: KubeObject = { metadata: { name: 'one' } };
const noExecute = { key: 'maintenance', value: 'yes', effect: 'NoExecute' };

interface Case {
  readonly what: string;
  readonly kind: string;
  readonly before?: KubeObject;
  readonly wanted: KubeObject;
  readonly isGrave: boolean;
}

const cases: readonly Case[] = [
  { what: 'a node gets a taint NoExecute', kind: 'node', wanted: tainted(noExecute), isGrave: true },
  {
    what: 'a node gets one beside another',
    kind: 'node',
    before: tainted(noExecute),
    wanted: tainted(noExecute, { key: 'other', effect: 'NoExecute' }),
    isGrave: true,
  },
  {
    what: 'a taint of a node becomes NoExecute',
    kind: 'node',
    before: tainted({ ...noExecute, effect: 'NoSchedule' }),
    wanted: tainted(noExecute),
    isGrave: true,
  },
  {
    what: 'a taint NoExecute of a node gets another value',
    kind: 'node',
    before: tainted({ ...noExecute, value: 'no' }),
    wanted: tainted(noExecute),
    isGrave: true,
  },
  {
    what: 'a node keeps its taint NoExecute',
    kind: 'node',
    before: tainted(noExecute),
    wanted: tainted(noExecute),
    isGrave: false,
  },
  {
    what: 'a node loses its taint NoExecute',
    kind: 'node',
    before: tainted(noExecute),
    wanted: tainted(),
    isGrave: false,
  },
  {
    what: 'a node gets taints of other effects',
    kind: 'node',
    wanted: tainted({ key: 'gpu', effect: 'NoSchedule' }, { key: 'spot', effect: 'PreferNoSchedule' }),
    isGrave: false,
  },
  {
    what: 'a node is cordoned',
    kind: 'node',
    wanted: { spec: { unschedulable: true } } as KubeObject,
    isGrave: false,
  },
  {
    what: 'a node gets taints of a shape that nobody knows',
    kind: 'node',
    wanted: { spec: { taints: { key: 'a' } } } as KubeObject,
    isGrave: true,
  },
  ...['node', 'namespace', 'project'].flatMap((kind): Case[] => [
    { what: `a ${kind} gets an owner`, kind, wanted: ownedBy(owner), isGrave: true },
    {
      what: `a ${kind} gets a second owner`,
      kind,
      before: ownedBy(owner),
      wanted: ownedBy(owner, { ...owner, uid: '4' }),
      isGrave: true,
    },
    {
      what: `the owner of a ${kind} gets another name under its uid`,
      kind,
      before: ownedBy(owner),
      wanted: ownedBy({ ...owner, name: 'missing' }),
      isGrave: true,
    },
    {
      what: `a ${kind} keeps its owner, which blocks its deletion now`,
      kind,
      before: ownedBy(owner),
      wanted: ownedBy({ ...owner, blockOwnerDeletion: true }),
      isGrave: false,
    },
    { what: `a ${kind} loses its owner`, kind, before: ownedBy(owner), wanted: ownedBy(), isGrave: false },
    { what: `a ${kind} is left as it is`, kind, before: ownedBy(owner), wanted: plain, isGrave: false },
    {
      what: `a ${kind} gets a label`,
      kind,
      wanted: { metadata: { name: 'one', labels: { a: 'b' } } },
      isGrave: false,
    },
    {
      what: `a ${kind} gets owners that are no list`,
      kind,
      wanted: { metadata: { ownerReferences: 'none' } } as unknown as KubeObject,
      isGrave: false,
    },
  ]),
  { what: 'a pod gets an owner', kind: 'pod', wanted: ownedBy(owner), isGrave: false },
  { what: 'a config map gets an owner', kind: 'configmap', wanted: ownedBy(owner), isGrave: false },
];

describe('a change that does what a dangerous act does', () => {
  it.each(cases)('is judged where $what: $isGrave', ({ kind, before = plain, wanted, isGrave: expected }) => {
    const judged = kind === 'project' ? projects('project.openshift.io') : kindOf(kind);
    expect(isChangeGrave(judged, before, wanted)).toBe(expected);
  });

  it('is one of a kind whose deletion is a dangerous act', () => {
    expect(kinds.filter((kind) => kind.isGraveBy !== undefined && kind.isDeletionGrave !== true)).toEqual([]);
  });
});

it('deleting a project of OpenShift, with which its namespace goes, is a dangerous act', () => {
  const action = actionById('object.delete');
  if (action === undefined) throw new Error('There is no such action.');
  expect(isGrave(action, projects('project.openshift.io'))).toBe(true);
  expect(isGrave(action, projects('example.org'))).toBe(false);
});
