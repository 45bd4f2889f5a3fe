import { orgRoles, teamRoles } from './permissions.ts';

/** The facts of the audit that are roles, by the name of the fact. */
const rolesOfFacts = new Map<string, Readonly<Record<string, number>>>([
  ['role', teamRoles],
  ['orgRole', orgRoles],
]);

/** The name of a role that the audit keeps as a number; undefined for any other fact. */
export const roleNameOf = (fact: string, value: unknown): string | undefined =>
  Object.entries(rolesOfFacts.get(fact) ?? {}).find(([, role]) => role === value)?.[0];
