import type { Member } from '../../contract/members.ts';
import { type OrgRole, orgRoles } from '../../contract/permissions.ts';

/** The name of an organisation role. */
export const orgRoleName = (role: OrgRole): string => (role === orgRoles.Owner ? 'Owner' : 'Member');

/** The organisation roles to choose from. */
export const orgRoleOptions = [
  { value: String(orgRoles.Owner), label: 'Owner', about: 'everything, on every cluster' },
  { value: String(orgRoles.Member), label: 'Member', about: 'what the teams allow' },
];

const signInNames: Readonly<Record<Member['signInWays'][number], string>> = {
  password: 'Password',
  passkey: 'Passkey',
  provider: 'Single sign-on',
};

/** How somebody can sign in, in words. */
export const signInText = (signInWays: Member['signInWays']): string =>
  signInWays.length === 0 ? 'None' : signInWays.map((way) => signInNames[way]).join(', ');
