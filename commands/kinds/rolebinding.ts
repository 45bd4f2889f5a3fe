import { type BindingObject, rbacGroup } from '../../src/kube/rbac.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { bindingAttention, bindingColumns, bindingRefs, bindingSections } from './parts/bindings.ts';
import { isOwnName } from './parts/system-names.ts';

export const rolebinding = defineKind<BindingObject>({
  id: 'rolebinding',
  kind: 'RoleBinding',
  group: rbacGroup,
  version: 'v1',
  plural: 'rolebindings',
  scope: 'Namespaced',
  aliases: ['rb', 'rolebindings'],
  title: 'RoleBindings',
  icon: 'binding',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 190 },
  attention: bindingAttention('rolebinding'),
  around: ['targets'],
  rules: ['rolebinding.no-role'],
  columns: ['namespace', 'name', ...bindingColumns, 'labels', 'age'],
  refs: bindingRefs,
  // Who may do what is a matter of its own: a namespace's graph shows its workloads.
  graph: 'shared',
  isSearched: isOwnName,
  sections: bindingSections,
});
