import type { Store } from '../store/store.ts';
import { at, type Obj, type Rec, recs, str } from '../kit/values.ts';
import type { User } from './user.ts';

/** A request to be authorised: for a resource, or for a path outside the resources. */
export interface AccessRequest {
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

/** The group that may do anything, regardless of roles. */
const superusers = 'system:masters';
const superuserRules: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const rbac = 'rbac.authorization.k8s.io';

/** The subject of a binding that matches this user; undefined when none does. */
function boundSubject(binding: Obj, user: User): Rec | undefined {
  return recs(binding['subjects']).find((subject) => {
    const name = str(subject['name']);
    if (subject['kind'] === 'Group') return user.groups.includes(name);
    if (subject['kind'] === 'ServiceAccount') {
      const namespace = str(subject['namespace'] ?? binding.metadata.namespace);
      return user.name === `system:serviceaccount:${namespace}:${name}`;
    }
    return user.name === name;
  });
}

/** A rule that applies to a user, and the binding that grants it. */
interface Grant {
  readonly rule: Rule;
  /** `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`; undefined for the server's own superusers. */
  readonly source: string | undefined;
}

function describeBinding(binding: Obj, subject: Rec): string {
  const { name = '', namespace } = binding.metadata;
  const kind = str(subject['kind']);
  const own = str(subject['name']);
  const subjectName = kind === 'ServiceAccount' ? `${own}/${str(subject['namespace'] ?? namespace)}` : own;
  const role = `${str(at(binding, 'roleRef', 'kind'))} ${JSON.stringify(at(binding, 'roleRef', 'name'))}`;
  const of = namespace === undefined ? JSON.stringify(name) : JSON.stringify(`${name}/${namespace}`);
  const bindingKind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  return `${bindingKind} ${of} of ${role} to ${kind} ${JSON.stringify(subjectName)}`;
}

/** The role that a roleRef names; `namespace` is that of its binding. Undefined when the role does not exist. */
export function roleOf(store: Store, reference: unknown, namespace: string): Obj | undefined {
  const name = str(at(reference, 'name'));
  return at(reference, 'kind') === 'Role'
    ? store.get(`${rbac}/roles`, `${namespace}/${name}`)
    : store.get(`${rbac}/clusterroles`, name);
}

function grantsFor(store: Store, user: User, namespace: string, errors: string[]): Grant[] {
  const grants: Grant[] = user.groups.includes(superusers)
    ? superuserRules.map((rule) => ({ rule, source: undefined }))
    : [];
  const follow = (binding: Obj) => {
    const subject = boundSubject(binding, user);
    if (subject === undefined) return;
    const role = roleOf(store, binding['roleRef'], binding.metadata.namespace ?? '');
    if (role === undefined) {
      const kind = str(at(binding, 'roleRef', 'kind')).toLowerCase();
      errors.push(`${kind}.${rbac} ${JSON.stringify(at(binding, 'roleRef', 'name'))} not found`);
      return;
    }
    const source = describeBinding(binding, subject);
    for (const rule of recs(role['rules'])) grants.push({ rule, source });
  };
  for (const [, binding] of store.entries(`${rbac}/clusterrolebindings`)) follow(binding);
  if (namespace !== '') {
    for (const [, binding] of store.entries(`${rbac}/rolebindings`, `${namespace}/`)) follow(binding);
  }
  return grants;
}

/** Every rule that applies to a user in a namespace; '' for the rules that hold in the whole cluster. */
export function rulesFor(store: Store, user: User, namespace: string): Rule[] {
  return grantsFor(store, user, namespace, []).map(({ rule }) => rule);
}

const any = (allowed: readonly string[] | undefined, wanted: string) =>
  allowed?.some((item) => item === '*' || item === wanted) ?? false;

/** Whether a rule allows a request. */
export function permits(rule: Rule, request: AccessRequest): boolean {
  if (!any(rule.verbs, request.verb)) return false;
  const { path } = request;
  if (path !== undefined) {
    return (
      rule.nonResourceURLs?.some(
        (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
      ) ?? false
    );
  }
  if (!any(rule.apiGroups, request.group)) return false;
  const full = request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
  const resource =
    any(rule.resources, full) ||
    (request.subresource !== '' && (rule.resources?.includes(`*/${request.subresource}`) ?? false));
  if (!resource) return false;
  return (rule.resourceNames ?? []).length === 0 || (rule.resourceNames?.includes(request.name) ?? false);
}

/** The authorizer's decision on a request. */
export interface Decision {
  readonly allowed: boolean;
  /** "RBAC: allowed by …", or the errors of the lookup; '' when there are none. */
  readonly reason: string;
}

/** Decides on a request by the roles and bindings in the store. */
export function decide(store: Store, user: User, request: AccessRequest): Decision {
  const errors: string[] = [];
  const grant = grantsFor(store, user, request.namespace, errors).find(({ rule }) => permits(rule, request));
  if (grant !== undefined) {
    return { allowed: true, reason: grant.source === undefined ? '' : `RBAC: allowed by ${grant.source}` };
  }
  const all = errors.length > 1 ? `[${Array.from(new Set(errors)).join(', ')}]` : errors[0];
  return { allowed: false, reason: all === undefined ? '' : `RBAC: ${all}` };
}

/** Whether a user may do something, by the roles and bindings in the store. */
export function allowed(store: Store, user: User, request: AccessRequest): boolean {
  return decide(store, user, request).allowed;
}

/** The message of a refusal, without its prefix. */
export function refusal(user: User, request: AccessRequest): string {
  if (request.path !== undefined) return `User "${user.name}" cannot ${request.verb} path "${request.path}"`;
  const resource =
    request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
  const scope = request.namespace === '' ? 'at the cluster scope' : `in the namespace "${request.namespace}"`;
  return `User "${user.name}" cannot ${request.verb} resource "${resource}" in API group "${request.group}" ${scope}`;
}
