import type { Namespace } from '../../src/kube/core.ts';
import { creation } from '../../src/kube/last-change.ts';
import type { Condition } from '../../src/kube/object.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

/** Time after its deletion until an existing namespace counts as stuck, seconds; and if no condition says why. */
const patience = 60;
const silentPatience = 300;

/** How much a condition explains: a failure more than what it leaves, of which finalizers are the cause. */
const weightOf = ({ type }: Condition) =>
  type.endsWith('Failure') ? 0 : /Finalizers/.test(type) ? 1 : type === 'NamespaceContentRemaining' ? 3 : 2;

/**
 * The most specific condition that explains why a namespace still exists after its deletion. Each condition of a
 * namespace reports a problem when it is true.
 */
const holding = (object: Namespace) =>
  object.status?.conditions
    ?.filter(({ status }) => status === 'True')
    .toSorted((a, b) => weightOf(a) - weightOf(b))[0];

/** Finalizers that a namespace has besides those of its metadata. */
const finalizersOf = ({ spec }: Namespace) => spec?.finalizers ?? [];

export const namespace = defineKind<Namespace>({
  id: 'namespace',
  kind: 'Namespace',
  group: '',
  version: 'v1',
  plural: 'namespaces',
  scope: 'Cluster',
  aliases: ['ns', 'namespaces'],
  title: 'Namespaces',
  icon: 'namespace',
  asksForName: true,
  isDeletionGrave: true,
  deletionReaches: 'inside',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/namespaces',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName'],
  },
  sidebar: { section: 'Cluster', order: 20, keys: 'g a' },
  status: (object) => {
    const phase = object.status?.phase ?? 'Unknown';
    return { label: phase, tone: phase === 'Active' ? 'ok' : phase === 'Terminating' ? 'info' : 'warn' };
  },
  attention: (object) => {
    const deleted = Date.parse(object.metadata?.deletionTimestamp ?? '');
    const cause = holding(object);
    const [finalizer] = finalizersOf(object);
    if (Number.isNaN(deleted) || (cause === undefined && finalizer === undefined)) return undefined;
    const since = Math.floor(deleted / 1000);
    if (cause === undefined)
      return {
        rule: 'namespace.stuck',
        tone: 'warn',
        isOfEnding: true,
        title: `The namespace is being deleted, but its finalizer ${finalizer} is still there.`,
        detail: 'No condition says why: check that the controller manager is running.',
        since,
        notBefore: since + silentPatience,
      };
    return {
      rule: 'namespace.stuck',
      tone: 'warn',
      isOfEnding: true,
      title: 'The namespace is being deleted, but something in it cannot be deleted.',
      ...(cause.message === undefined ? {} : { detail: cause.message }),
      since,
      notBefore: since + patience,
    };
  },
  rules: ['namespace.stuck'],
  changed: creation,
  columns: ['name', 'status', 'labels', 'age'],
  listExtra: 'create-namespace',
  graph: 'place',
  facts: (object) => ({ isTerminating: object.metadata?.deletionTimestamp !== undefined }),
  sections: ['metadata', 'conditions', 'events', 'yaml'],
});
