import { expect, test } from 'vitest';
import { permissionsOfRole, type TeamRole, teamRoles } from '../../src/contract/permissions.ts';
import type { Role } from '../../src/contract/roles.ts';
import { roleOptionsOf } from '../../src/web/screens/team-role.ts';

const defaultOf = (role: TeamRole): Role => {
  const held = [...permissionsOfRole(role)];
  return { role, permissions: held, defaults: held };
};
const roles = [teamRoles.TeamAdmin, teamRoles.SecretViewer, teamRoles.Viewer].map(defaultOf);
const viewer = defaultOf(teamRoles.Viewer);
const aboutViewer = (permissions: Role['permissions']) =>
  roleOptionsOf([{ ...viewer, permissions }]).find(({ label }) => label === 'Viewer')?.about;

test('roles as they come say what each does', () => {
  expect(roleOptionsOf(roles).map(({ label, about }) => [label, about])).toEqual([
    ['TeamAdmin', 'change everything, manage members'],
    ['SecretViewer', 'view with secrets'],
    ['Viewer', 'view only'],
  ]);
});

test('an adjusted role says what it may do now', () => {
  const without = viewer.defaults.filter((one) => one !== 'pods.view');
  expect(aboutViewer(without)).toBe('view only, without pods.view');
  expect(aboutViewer([...without, 'hpas.manage'])).toBe('view only, with hpas.manage, without pods.view');
  expect(aboutViewer(['namespaces.view'])).toBe('adjusted: 1 permission');
});

test('nothing is said of roles that are not read yet', () => {
  expect(roleOptionsOf(undefined).map(({ about }) => about)).toEqual([undefined, undefined, undefined]);
});
