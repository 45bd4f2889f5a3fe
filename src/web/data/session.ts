import type { User } from '../../contract/account.ts';
import { orgRoles } from '../../contract/permissions.ts';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { isValidUser } from './valid-user.ts';

/** Owners, and only they, are admins. */
export const isAdmin = (user: User): boolean => user.orgRole === orgRoles.Owner;

/** Where a signed-in person must go before anything else, if anywhere. */
export function detourOf(user: User): string | undefined {
  if (user.shouldSetupCompany) return '/setup-company';
  if (user.isInviteNotFound) return '/invite-not-found';
  if (user.isInviteRejected) return '/invite-rejected';
  return isValidUser(user) ? undefined : '/login';
}

/** Whether somebody is signed in and has nothing to do first: only they have the console around what they see. */
export const mayWork = (session: User | null | undefined): session is User =>
  session !== undefined && session !== null && detourOf(session) === undefined;

/** The verdict of a navigation guard. */
export type Verdict = { readonly type: 'show' | 'wait' } | { readonly type: 'redirect'; readonly to: string };

/**
 * Whether a route shows. `session` is undefined while it is being asked for, null when nobody is signed in.
 * Public routes always show; the others ask for a valid user. What is for Owners shows as well: to anybody else its screen
 * says so, and who the Owners are.
 */
export function guard(
  command: Pick<RouteCommand, 'access' | 'path'>,
  session: User | null | undefined,
): Verdict {
  if (command.access === 'public') return { type: 'show' };
  if (session === undefined) return { type: 'wait' };
  if (session === null) return { type: 'redirect', to: '/login' };
  const detour = detourOf(session);
  if (detour !== undefined)
    return detour === command.path ? { type: 'show' } : { type: 'redirect', to: detour };
  if (command.path === '/setup-company') return { type: 'redirect', to: '/' };
  return { type: 'show' };
}

/** Initials of a name: first letters of up to two words, at most two characters. */
export function initialsOf(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0))
    .join('')
    .toLocaleUpperCase('en');
}
