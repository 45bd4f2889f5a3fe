import { type TeamRole, teamRoles } from '../../contract/permissions.ts';
import type { Role } from '../../contract/roles.ts';
import { counted } from '../../registry/counted.ts';
import type { SelectOption } from '../kit/Select.tsx';

/** The team roles by name, the most powerful first, with what each may do unless an Owner adjusted it. */
const teamRoleFacts: readonly { readonly role: TeamRole; readonly label: string; readonly does: string }[] = [
  { role: teamRoles.TeamAdmin, label: 'TeamAdmin', does: 'change everything' },
  { role: teamRoles.SecretViewer, label: 'SecretViewer', does: 'view with secrets' },
  { role: teamRoles.Viewer, label: 'Viewer', does: 'view only' },
];
/** Permissions that an adjusted role's text names, at most. */
const maxNamed = 2;

/**
 * The options of a select of team roles, with what each may do in the company now.
 * @param roles undefined while they are read: nothing is said of them then
 */
export function roleOptionsOf(roles: readonly Role[] | undefined): readonly SelectOption[] {
  return teamRoleFacts.map(({ role, label, does }) => {
    const found = roles?.find((one) => one.role === role);
    const option = { value: String(role), label };
    if (found === undefined) return option;
    const about = [aboutOf(does, found), ...(role === teamRoles.TeamAdmin ? ['manage members'] : [])];
    return { ...option, about: about.join(', ') };
  });
}

/** What a role may do: its default, and what an Owner took from it or gave to it. */
function aboutOf(does: string, { permissions, defaults }: Pick<Role, 'permissions' | 'defaults'>): string {
  const given = permissions.filter((one) => !defaults.includes(one)).map((one) => `with ${one}`);
  const taken = defaults.filter((one) => !permissions.includes(one)).map((one) => `without ${one}`);
  const changes = [...given, ...taken];
  if (changes.length <= maxNamed) return [does, ...changes].join(', ');
  return `adjusted: ${counted(permissions.length, 'permission')}`;
}

/** The name of a team role. */
export const roleName = (role: TeamRole): string =>
  teamRoleFacts.find((one) => one.role === role)?.label ?? String(role);

/** The team role of a select's value. */
export const roleOf = (value: string): TeamRole =>
  teamRoleFacts.find(({ role }) => String(role) === value)?.role ?? teamRoles.Viewer;
