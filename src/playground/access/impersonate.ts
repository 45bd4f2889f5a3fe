import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, type ResourceName, StatusError } from '../kit/status.ts';
import type { Store } from '../store/store.ts';
import { allowed, refusal, type AccessRequest } from './authorize.ts';
import { anonymous, serviceAccountUser, type User } from './users.ts';

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

/**
 * The user that a request acts as: the sender, or the one named by its impersonation headers. Each part of the
 * other identity needs a permission of its own. Throws 403, and 500 for groups, uid or extra fields without a user.
 */
export function impersonate(store: Store, sender: User, headers: IncomingHttpHeaders, path: string): User {
  const name = values(headers['impersonate-user'])[0] ?? '';
  const groups = values(headers['impersonate-group']);
  const uid = values(headers['impersonate-uid'])[0];
  const extras = extrasOf(headers);
  if (name === '') {
    if (groups.length === 0 && uid === undefined && extras.size === 0) return sender;
    const why = `Internal Server Error: ${JSON.stringify(path)}: requested identity without impersonating a user`;
    throw new StatusError(500, 'InternalError', why, {});
  }
  const demand = (resource: ResourceName, of: string, subresource = '', namespace = '') => {
    const request: AccessRequest = {
      verb: 'impersonate',
      group: resource.group,
      resource: resource.plural,
      subresource,
      namespace,
      name: of,
    };
    if (!allowed(store, sender, request)) throw forbidden(resource, of, refusal(sender, request));
  };
  const [, namespace = '', accountName = ''] = account.exec(name) ?? [];
  if (accountName !== '') demand({ group: '', plural: 'serviceaccounts' }, accountName, '', namespace);
  else demand({ group: '', plural: 'users' }, name);
  for (const group of groups) demand({ group: '', plural: 'groups' }, group);
  if (uid !== undefined) demand({ group: authentication, plural: 'uids' }, uid);
  for (const [key, given] of extras) {
    for (const value of given) demand({ group: authentication, plural: 'userextras' }, value, key);
  }
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
