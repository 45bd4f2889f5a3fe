import { rbacGroup, type RoleObject } from '../../src/kube/rbac.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { roleColumns, roleSections } from './parts/roles.ts';
import { isOwnName } from './parts/system-names.ts';

export const role = defineKind<RoleObject>({
  id: 'role',
  kind: 'Role',
  group: rbacGroup,
  version: 'v1',
  plural: 'roles',
  scope: 'Namespaced',
  aliases: ['ro', 'roles', 'rbac'],
  title: 'Roles',
  icon: 'role',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 180 },
  columns: ['namespace', 'name', ...roleColumns, 'labels', 'age'],
  usedBy: ['rolebinding'],
  // Who may do what is a matter of its own: a namespace's graph shows its workloads.
  graph: 'shared',
  isSearched: isOwnName,
  sections: roleSections,
});
