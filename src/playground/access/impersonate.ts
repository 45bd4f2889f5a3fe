import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, StatusError } from '../kit/status.ts';
import type { Store } from '../store/store.ts';
import { allowed, refusal, type AccessRequest } from './authorize.ts';
import { anonymous } from './users.ts';
import { serviceAccountUser, type User } from './user.ts';

const authentication = 'authentication.k8s.io';
const account = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** The values of a header that may occur several times. */
const values = (header: string | string[] | undefined): string[] =>
  (typeof header === 'string' ? header.split(',') : (header ?? [])).map((item) => item.trim());

const extraPrefix = 'impersonate-extra-';

function extrasOf(headers: IncomingHttpHeaders): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, header] of Object.entries(headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = name.slice(extraPrefix.length);
    try {
      found.set(decodeURIComponent(key), values(header));
    } catch {
      found.set(key, values(header));
    }
  }
  return found;
}

/** The parts of the identity that a request acts as. */
interface Identity {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid: string | undefined;
  readonly extras: ReadonlyMap<string, readonly string[]>;
}

/** A request for the right to one part of an identity. */
const partRequest = (
  verb: string,
  group: string,
  resource: string,
  name: string,
  { subresource = '', namespace = '' } = {},
): AccessRequest => ({ verb, group, resource, subresource, namespace, name });

const extraRequests = (verb: string, extras: Identity['extras']): AccessRequest[] =>
  [...extras].flatMap(([subresource, given]) =>
    given.map((value) => partRequest(verb, authentication, 'userextras', value, { subresource })),
  );

/** The rights to act as somebody whatever is done so. */
function wideRequests({ name, groups, uid, extras }: Identity): AccessRequest[] {
  const verb = 'impersonate';
  const [, namespace = '', accountName = ''] = account.exec(name) ?? [];
  return [
    accountName === ''
      ? partRequest(verb, '', 'users', name)
      : partRequest(verb, '', 'serviceaccounts', accountName, { namespace }),
    ...groups.map((group) => partRequest(verb, '', 'groups', group)),
    ...(uid === undefined ? [] : [partRequest(verb, authentication, 'uids', uid)]),
    ...extraRequests(verb, extras),
  ];
}

/**
 * The rights to do one thing as somebody (KEP-5284): to that thing first, then to the identity. Undefined for nodes, and
 * for service accounts with more than their name, which take the wide rights here.
 */
function narrowRequests(
  { name, groups, uid, extras }: Identity,
  action: AccessRequest,
): AccessRequest[] | undefined {
  const on = (mode: string): AccessRequest => ({ ...action, verb: `impersonate-on:${mode}:${action.verb}` });
  const [, namespace = '', accountName = ''] = account.exec(name) ?? [];
  if (accountName !== '') {
    const verb = 'impersonate:serviceaccount';
    return groups.length > 0 || uid !== undefined || extras.size > 0
      ? undefined
      : [
          on('serviceaccount'),
          partRequest(verb, authentication, 'serviceaccounts', accountName, { namespace }),
        ];
  }
  if (name.startsWith('system:node:')) return undefined;
  const verb = 'impersonate:user-info';
  return [
    on('user-info'),
    partRequest(verb, authentication, 'users', name),
    ...groups.map((group) => partRequest(verb, authentication, 'groups', group)),
    ...(uid === undefined ? [] : [partRequest(verb, authentication, 'uids', uid)]),
    ...extraRequests(verb, extras),
  ];
}

/** The refusal of the first of some requests that the sender may not make; undefined where they may make all. */
function firstRefusal(
  store: Store,
  sender: User,
  requests: readonly AccessRequest[],
): StatusError | undefined {
  const refused = requests.find((request) => !allowed(store, sender, request));
  if (refused === undefined) return undefined;
  const why = refusal(sender, refused);
  return refused.path === undefined
    ? forbidden({ group: refused.group, plural: refused.resource }, refused.name, why)
    : new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
}

/**
 * The user that a request acts as: the sender, or the one named by its impersonation headers. Each part of the
 * other identity needs a permission of its own: that to do this alone as somebody, or that to do anything. Throws 403,
 * and 500 for groups, uid or extra fields without a user.
 * @param action what the request does
 */
export function impersonate(
  store: Store,
  sender: User,
  headers: IncomingHttpHeaders,
  path: string,
  action: () => AccessRequest,
): User {
  const name = values(headers['impersonate-user'])[0] ?? '';
  const groups = values(headers['impersonate-group']);
  const uid = values(headers['impersonate-uid'])[0];
  const extras = extrasOf(headers);
  if (name === '') {
    if (groups.length === 0 && uid === undefined && extras.size === 0) return sender;
    const why = `Internal Server Error: ${JSON.stringify(path)}: requested identity without impersonating a user`;
    throw new StatusError(500, 'InternalError', why, {});
  }
  const identity = { name, groups, uid, extras };
  const narrow = narrowRequests(identity, action());
  const refused = narrow === undefined ? undefined : firstRefusal(store, sender, narrow);
  if (narrow === undefined || refused !== undefined) {
    const refusedAll = firstRefusal(store, sender, wideRequests(identity));
    // The server tells what the narrow rights lack.
    if (refusedAll !== undefined) throw refused ?? refusedAll;
  }
  const [, namespace = '', accountName = ''] = account.exec(name) ?? [];
  const base =
    accountName === '' || groups.length > 0 ? groups : serviceAccountUser(namespace, accountName, '').groups;
  const authenticationGroup = name === anonymous.name ? 'system:unauthenticated' : 'system:authenticated';
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: base.includes(authenticationGroup) ? base : [...base, authenticationGroup],
    ...(extras.size === 0 ? {} : { extra: Object.fromEntries(extras) }),
  };
}
