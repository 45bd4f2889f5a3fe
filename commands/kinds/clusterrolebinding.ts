import { type BindingObject, rbacGroup } from '../../src/kube/rbac.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { bindingAttention, bindingColumns, bindingRefs, bindingSections } from './parts/bindings.ts';
import { isOwnName } from './parts/system-names.ts';

export const clusterrolebinding = defineKind<BindingObject>({
  id: 'clusterrolebinding',
  kind: 'ClusterRoleBinding',
  group: rbacGroup,
  version: 'v1',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
  aliases: ['crb', 'clusterrolebindings'],
  title: 'ClusterRoleBindings',
  icon: 'binding',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 210 },
  attention: bindingAttention('clusterrolebinding'),
  around: ['targets'],
  rules: ['clusterrolebinding.no-role'],
  columns: ['name', ...bindingColumns, 'labels', 'age'],
  refs: bindingRefs,
  // Who may do what is a matter of its own: a namespace's graph shows its workloads.
  graph: 'shared',
  isSearched: isOwnName,
  sections: bindingSections,
});
