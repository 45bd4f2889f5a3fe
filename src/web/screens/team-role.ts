import { type TeamRole, teamRoles } from '../../contract/permissions.ts';
import type { SelectOption } from '../kit/Select.tsx';

/** The names of the team roles, with what each may do, the most powerful first. */
export const roleOptions: readonly (SelectOption & { readonly role: TeamRole })[] = [
  { role: teamRoles.TeamAdmin, label: 'TeamAdmin', about: 'change everything, manage members' },
  { role: teamRoles.SecretViewer, label: 'SecretViewer', about: 'view with secrets' },
  { role: teamRoles.Viewer, label: 'Viewer', about: 'view only' },
].map((option) => ({ ...option, value: String(option.role) }));

/** The name of a team role. */
export const roleName = (role: TeamRole): string =>
  roleOptions.find((one) => one.role === role)?.label ?? String(role);

/** The team role of a select's value. */
export const roleOf = (value: string): TeamRole =>
  roleOptions.find((one) => one.value === value)?.role ?? teamRoles.Viewer;

/** How many of something there are, in words: `1 member`, `2 members`. */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
