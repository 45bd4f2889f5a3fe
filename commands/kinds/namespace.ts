import type { Namespace } from '../../src/kube/core.ts';
import { defineKind } from '../../src/registry/kind.ts';

export const namespace = defineKind<Namespace>({
  id: 'namespace',
  kind: 'Namespace',
  group: '',
  version: 'v1',
  plural: 'namespaces',
  scope: 'Cluster',
  aliases: ['ns', 'namespaces'],
  title: 'Namespaces',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/namespaces',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName'],
  },
  sidebar: { section: 'Cluster', order: 20, icon: 'namespace' },
  status: (object) => {
    const phase = object.status?.phase ?? 'Unknown';
    return { label: phase, tone: phase === 'Active' ? 'ok' : phase === 'Terminating' ? 'info' : 'warn' };
  },
  columns: ['name', 'status', 'age'],
});
