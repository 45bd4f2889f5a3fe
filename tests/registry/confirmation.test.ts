import { describe, expect, it } from 'vitest';
import { actionById, kindById, kinds } from '../../commands/kinds/index.ts';
import { isGrave, typedNameOf } from '../../src/registry/kinds/confirmation.ts';
import type { Facts } from '../../src/registry/kinds/kind-action.ts';

const open = { name: 'europe', isProtected: false };
const guarded = { name: 'production', isProtected: true };

interface Case {
  readonly what: string;
  readonly kind: string;
  readonly action: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly facts?: Facts;
  /** Number of selected objects; one by default. */
  readonly count?: number;
  /** Typed on an open cluster. */
  readonly open?: string;
  /** Typed on a protected cluster. */
  readonly guarded?: string;
}

const cluster = 'production';
const cases: readonly Case[] = [
  { what: 'deleting a pod', kind: 'pod', action: 'object.delete', guarded: cluster },
  { what: 'deleting a config map', kind: 'configmap', action: 'object.delete', guarded: cluster },
  { what: 'deleting a node', kind: 'node', action: 'object.delete', open: 'web-0', guarded: cluster },
  {
    what: 'deleting three nodes',
    kind: 'node',
    action: 'object.delete',
    count: 3,
    open: '3',
    guarded: cluster,
  },
  {
    what: 'deleting a namespace',
    kind: 'namespace',
    action: 'object.delete',
    open: 'web-0',
    guarded: cluster,
  },
  {
    what: 'deleting a stateful set',
    kind: 'statefulset',
    action: 'object.delete',
    open: 'web-0',
    guarded: cluster,
  },
  {
    what: 'deleting a claim',
    kind: 'persistentvolumeclaim',
    action: 'object.delete',
    open: 'web-0',
    guarded: cluster,
  },
  {
    what: 'deleting a volume',
    kind: 'persistentvolume',
    action: 'object.delete',
    open: 'web-0',
    guarded: cluster,
  },
  {
    what: 'deleting a definition',
    kind: 'customresourcedefinition',
    action: 'object.delete',
    open: 'web-0',
    guarded: cluster,
  },
  { what: 'labelling a node', kind: 'node', action: 'object.labels', args: { labels: { a: 'b' } } },
  { what: 'cordoning a node', kind: 'node', action: 'node.cordon' },
  { what: 'draining a node', kind: 'node', action: 'node.drain', guarded: cluster },
  { what: 'evicting a pod', kind: 'pod', action: 'pod.evict', guarded: cluster },
  { what: 'restarting', kind: 'deployment', action: 'deployment.restart', guarded: cluster },
  {
    what: 'rolling back',
    kind: 'deployment',
    action: 'deployment.rollback',
    args: { revision: 1 },
    guarded: cluster,
  },
  {
    what: 'scaling up',
    kind: 'deployment',
    action: 'deployment.scale',
    args: { replicas: 5 },
    facts: { replicas: 3 },
  },
  {
    what: 'scaling to the same',
    kind: 'deployment',
    action: 'deployment.scale',
    args: { replicas: 3 },
    facts: { replicas: 3 },
  },
  {
    what: 'scaling down',
    kind: 'deployment',
    action: 'deployment.scale',
    args: { replicas: 2 },
    facts: { replicas: 3 },
    guarded: cluster,
  },
  {
    what: 'scaling to none',
    kind: 'statefulset',
    action: 'statefulset.scale',
    args: { replicas: 0 },
    facts: { replicas: 3 },
    guarded: cluster,
  },
  {
    what: 'scaling several, whose counts are not known',
    kind: 'deployment',
    action: 'deployment.scale',
    args: { replicas: 5 },
    count: 2,
    guarded: cluster,
  },
  { what: 'pausing a rollout', kind: 'deployment', action: 'deployment.pause' },
  { what: 'suspending a job', kind: 'job', action: 'job.suspend', guarded: cluster },
  { what: 'suspending a cron job', kind: 'cronjob', action: 'cronjob.suspend' },
  {
    what: 'raising the bounds of an autoscaler',
    kind: 'hpa',
    action: 'hpa.bounds',
    args: { min: 2, max: 9 },
    facts: { min: 2, max: 5 },
  },
  {
    what: 'lowering the bounds of an autoscaler',
    kind: 'hpa',
    action: 'hpa.bounds',
    args: { min: 2, max: 4 },
    facts: { min: 2, max: 5 },
    guarded: cluster,
  },
  {
    what: 'annotating',
    kind: 'scaledobject',
    action: 'object.annotations',
    args: { annotations: { note: 'x' } },
  },
  {
    what: 'pausing an autoscaler by its annotation',
    kind: 'scaledobject',
    action: 'object.annotations',
    args: { annotations: { 'autoscaling.keda.sh/paused-replicas': '0' } },
    guarded: cluster,
  },
  {
    what: 'keeping a volume',
    kind: 'persistentvolume',
    action: 'persistentvolume.reclaim',
    args: { policy: 'Retain' },
  },
  {
    what: 'giving a volume up',
    kind: 'persistentvolume',
    action: 'persistentvolume.reclaim',
    args: { policy: 'Delete' },
    guarded: cluster,
  },
  { what: 'uninstalling a release', kind: 'release', action: 'release.uninstall', guarded: cluster },
  {
    what: 'rolling a release back',
    kind: 'release',
    action: 'release.rollback',
    args: { revision: 1 },
    guarded: cluster,
  },
];

describe('the text to type before an action', () => {
  it.each(cases)('$what', ({ kind: kindId, action: actionId, args = {}, facts, count = 1, ...expected }) => {
    const kind = kindById(kindId);
    const action = actionById(actionId);
    if (kind === undefined || action === undefined)
      throw new Error(`${kindId} or ${actionId} is not declared`);
    const others = Array.from({ length: count - 1 }, (_, at) => ({ name: `web-${at + 1}` }));
    const asked = { action, args, kind, refs: [{ name: 'web-0' }, ...others] as const };
    const withFacts = facts === undefined ? {} : { facts };
    expect(typedNameOf({ ...asked, cluster: open, ...withFacts })?.text).toBe(expected.open);
    expect(typedNameOf({ ...asked, cluster: guarded, ...withFacts })?.text).toBe(expected.guarded);
  });

  it('is that of the cluster, a count or a name', () => {
    const kind = kindById('node');
    const action = actionById('object.delete');
    if (kind === undefined || action === undefined) throw new Error('Nodes cannot be deleted');
    const one = { action, args: {}, kind, refs: [{ name: 'a' }] as const };
    expect(typedNameOf({ ...one, cluster: guarded })).toEqual({ of: 'cluster', text: 'production' });
    expect(typedNameOf({ ...one, cluster: undefined })).toEqual({ of: 'object', text: 'a' });
    expect(typedNameOf({ ...one, refs: [{ name: 'a' }, { name: 'b' }], cluster: open })).toEqual({
      of: 'count',
      text: '2',
    });
  });
});

describe('the actions of every kind', () => {
  const all = kinds.flatMap((kind) =>
    kind.actions.map((action) => [`${kind.id} ${action.id}`, action] as const),
  );

  /** Those that a protected cluster lets pass; all others ask for its name, some by their arguments. */
  const calm = `
    object.labels cronjob.run cronjob.suspend cronjob.resume job.rerun job.resume deployment.pause node.cordon
    node.uncordon persistentvolumeclaim.expand scaledobject.pause scaledobject.resume ingressclass.setDefault
    storageclass.setDefault
  `.split(/\s+/);
  const depends = `
    object.annotations deployment.scale statefulset.scale hpa.bounds scaledobject.bounds persistentvolume.reclaim
  `.split(/\s+/);
  const expected = (id: string) =>
    calm.includes(id) ? 'never' : depends.includes(id) ? 'depends' : 'always';

  it.each(all)('%s says whether it ends pods', (_name, action) => {
    const asks =
      action.dangerous === true || action.endsPods === true
        ? 'always'
        : action.endsPods === false && action.dangerousWith === undefined
          ? 'never'
          : 'depends';
    expect(asks).toBe(expected(action.id));
  });

  it.each(all)('%s ends pods if it deletes the object', (_name, action) => {
    if (action.deletes === true) expect(action).toMatchObject({ endsPods: true, dangerous: true });
  });
});

describe('a dangerous act', () => {
  it('is the deletion of a node or a namespace, the drain of a node, and what may delete a namespace of a release', () => {
    const acts = kinds.flatMap((kind) =>
      kind.actions.filter((action) => isGrave(action, kind)).map((action) => `${kind.id} ${action.id}`),
    );
    expect(acts.sort()).toEqual([
      'namespace object.delete',
      'node node.drain',
      'node object.delete',
      'release release.rollback',
      'release release.uninstall',
    ]);
  });
});
