import type { Resource } from '../registry/registry.ts';
import { forbidden } from '../kit/status.ts';
import type { Store } from '../store/store.ts';
import { at, type Obj, recs, same, str } from '../kit/values.ts';
import { allowed, permits, roleOf, type Rule, rulesFor } from './authorize.ts';
import type { User } from './user.ts';

const rbac = 'rbac.authorization.k8s.io';

/** A list as Go prints it. */
const quoted = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;

function printed(rule: Rule): string {
  const parts: string[] = [];
  const add = (name: string, list: readonly string[] | undefined) => {
    if (list !== undefined && list.length > 0) parts.push(`${name}:${quoted(list)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('ResourceNames', rule.resourceNames);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}

const each = (list: readonly string[] | undefined): readonly string[] =>
  list === undefined || list.length === 0 ? [''] : list;

/** Whether a user with the `held` rules may do all that another rule allows. */
function covers(heldRules: readonly Rule[], rule: Rule): boolean {
  for (const verb of each(rule.verbs)) {
    for (const path of rule.nonResourceURLs ?? []) {
      const request = { verb, group: '', resource: '', subresource: '', namespace: '', name: '', path };
      if (!heldRules.some((one) => permits(one, request))) return false;
    }
    if ((rule.nonResourceURLs ?? []).length > 0) continue;
    for (const group of each(rule.apiGroups)) {
      for (const full of each(rule.resources)) {
        const [resource = '', subresource = ''] = full.split('/');
        for (const name of each(rule.resourceNames)) {
          const request = { verb, group, resource, subresource, namespace: '', name };
          if (!heldRules.some((one) => permits(one, request))) return false;
        }
      }
    }
  }
  return true;
}

/** Refuses a role, or a binding to one, that grants more than its writer has. Throws 403. */
function checkEscalation(store: Store, resource: Resource, object: Obj, user: User): void {
  if (resource.group !== rbac || user.groups.includes('system:masters')) return;
  const { name = '', namespace = '' } = object.metadata;
  const binding = resource.plural.endsWith('bindings');
  const reference = object['roleRef'];
  const request = {
    verb: binding ? 'bind' : 'escalate',
    group: rbac,
    resource: binding ? (at(reference, 'kind') === 'Role' ? 'roles' : 'clusterroles') : resource.plural,
    subresource: '',
    namespace,
    name: binding ? str(at(reference, 'name')) : name,
  };
  if (allowed(store, user, request)) return;
  const granted: Rule[] = recs((binding ? roleOf(store, reference, namespace) : object)?.['rules']);
  const heldRules = rulesFor(store, user, namespace);
  const missing = granted.filter((rule) => !covers(heldRules, rule));
  if (missing.length === 0) return;
  const userText = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
  const why = `${userText} is attempting to grant RBAC permissions not currently held:\n${missing.map(printed).join('\n')}`;
  throw forbidden(resource, name, why);
}

/** Refuses a write that would grant more permissions than its writer has. Throws 403. */
export function checkGrant(
  store: Store,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
  user: User,
): void {
  const unchanged =
    before !== undefined &&
    ['rules', 'roleRef', 'subjects'].every((field) => same(object[field], before[field]));
  if (!unchanged) checkEscalation(store, resource, object, user);
}
