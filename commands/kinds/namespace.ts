import type { Namespace } from '../../src/kube/core.ts';
import { creation } from '../../src/kube/last-change.ts';
import { defineKind } from '../../src/registry/kind.ts';

/** Time after its deletion until an existing namespace counts as stuck, seconds. */
const patience = 60;

/** The most specific condition that explains why a namespace still exists after its deletion. */
const holding = (object: Namespace) =>
  ['NamespaceDeletionContentFailure', 'NamespaceFinalizersRemaining', 'NamespaceContentRemaining']
    .map((type) => object.status?.conditions?.find((one) => one.type === type && one.status === 'True'))
    .find((one) => one !== undefined);

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
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/namespaces',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName'],
  },
  sidebar: { section: 'Cluster', order: 20, keys: 'g a' },
  status: (object) => {
    const phase = object.status?.phase;
    if (phase === undefined) return { label: 'Unknown', tone: 'idle' };
    return { label: phase, tone: phase === 'Active' ? 'ok' : phase === 'Terminating' ? 'info' : 'warn' };
  },
  attention: (object) => {
    const deleted = Date.parse(object.metadata?.deletionTimestamp ?? '');
    const cause = holding(object);
    if (Number.isNaN(deleted) || cause === undefined) return undefined;
    const since = Math.floor(deleted / 1000);
    return {
      rule: 'namespace.stuck',
      tone: 'warn',
      title: 'The namespace was deleted, but something in it cannot be.',
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
