import { rbacGroup, type RoleObject } from '../../src/kube/rbac.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { roleColumns, roleSections } from './parts/roles.ts';
import { isOwnName } from './parts/system-names.ts';

export const clusterrole = defineKind<RoleObject>({
  id: 'clusterrole',
  kind: 'ClusterRole',
  group: rbacGroup,
  version: 'v1',
  plural: 'clusterroles',
  scope: 'Cluster',
  aliases: ['cr', 'clusterroles'],
  title: 'ClusterRoles',
  icon: 'role',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 200 },
  columns: ['name', ...roleColumns, 'labels', 'age'],
  usedBy: ['clusterrolebinding', 'rolebinding'],
  // `view` and `edit` are bound in every namespace.
  graph: 'shared',
  isSearched: isOwnName,
  sections: roleSections,
});
