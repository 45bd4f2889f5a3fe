import type { Store } from '../store.ts';
import { at, type Obj, recs, str } from '../values.ts';
import type { User } from './users.ts';

/** What somebody wants to do with a resource, or with a path outside the resources. */
export interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set for paths such as /version. */
  readonly path?: string;
}

/** One rule of a role. */
export interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const everyone = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
/** What the real server's own bindings grant to every user. */
const builtIn: readonly { group: string; rules: readonly Rule[] }[] = [
  { group: 'system:unauthenticated', rules: [{ verbs: ['get'], nonResourceURLs: everyone }] },
  {
    group: 'system:authenticated',
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
      { verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] },
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
      },
      { verbs: ['get'], nonResourceURLs: everyone },
    ],
  },
  {
    group: 'system:serviceaccounts',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/.well-known/openid-configuration',
          '/.well-known/openid-configuration/',
          '/openid/v1/jwks',
          '/openid/v1/jwks/',
        ],
      },
    ],
  },
  {
    group: 'system:masters',
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  },
];

const rbac = 'rbac.authorization.k8s.io';

function binds(binding: Obj, user: User): boolean {
  return recs(binding['subjects']).some((subject) => {
    const name = str(subject['name']);
    if (subject['kind'] === 'Group') return user.groups.includes(name);
    if (subject['kind'] === 'ServiceAccount') {
      const namespace = str(subject['namespace'] ?? binding.metadata.namespace);
      return user.name === `system:serviceaccount:${namespace}:${name}`;
    }
    return user.name === name;
  });
}

function rulesOf(store: Store, binding: Obj): Rule[] {
  const name = str(at(binding, 'roleRef', 'name'));
  const role =
    at(binding, 'roleRef', 'kind') === 'Role'
      ? store.get(`${rbac}/roles`, `${binding.metadata.namespace ?? ''}/${name}`)
      : store.get(`${rbac}/clusterroles`, name);
  return recs(role?.['rules']);
}

/** Every rule that reaches a user in a namespace ('' for those that hold everywhere). */
export function rulesFor(store: Store, user: User, namespace: string): Rule[] {
  const rules = builtIn.filter(({ group }) => user.groups.includes(group)).flatMap((item) => item.rules);
  for (const [, binding] of store.entries(`${rbac}/clusterrolebindings`)) {
    if (binds(binding, user)) rules.push(...rulesOf(store, binding));
  }
  if (namespace !== '') {
    for (const [, binding] of store.entries(`${rbac}/rolebindings`, `${namespace}/`)) {
      if (binds(binding, user)) rules.push(...rulesOf(store, binding));
    }
  }
  return rules;
}

const any = (allowed: readonly string[] | undefined, wanted: string) =>
  allowed?.some((item) => item === '*' || item === wanted) ?? false;

function permits(rule: Rule, wish: Wish): boolean {
  if (!any(rule.verbs, wish.verb)) return false;
  const { path } = wish;
  if (path !== undefined) {
    return (
      rule.nonResourceURLs?.some(
        (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
      ) ?? false
    );
  }
  if (!any(rule.apiGroups, wish.group)) return false;
  const full = wish.subresource === '' ? wish.resource : `${wish.resource}/${wish.subresource}`;
  const resource =
    any(rule.resources, full) ||
    (wish.subresource !== '' && (rule.resources?.includes(`*/${wish.subresource}`) ?? false));
  if (!resource) return false;
  return (rule.resourceNames ?? []).length === 0 || (rule.resourceNames?.includes(wish.name) ?? false);
}

/** Whether a user may do something, by the roles and bindings in the store. */
export function allowed(store: Store, user: User, wish: Wish): boolean {
  return rulesFor(store, user, wish.namespace).some((rule) => permits(rule, wish));
}

/** The sentence of a refusal, without its beginning. */
export function refusal(user: User, wish: Wish): string {
  if (wish.path !== undefined) return `User "${user.name}" cannot ${wish.verb} path "${wish.path}"`;
  const resource = wish.subresource === '' ? wish.resource : `${wish.resource}/${wish.subresource}`;
  const scope = wish.namespace === '' ? 'at the cluster scope' : `in the namespace "${wish.namespace}"`;
  return `User "${user.name}" cannot ${wish.verb} resource "${resource}" in API group "${wish.group}" ${scope}`;
}
