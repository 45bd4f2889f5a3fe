import type { LabelSelector } from './selector.ts';
import type { KubeObject } from './object.ts';

/** The parts of rbac.authorization.k8s.io/v1 and of core/v1 ServiceAccount that the console reads. */
export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** A Role or a ClusterRole. */
export interface RoleObject extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

export interface Subject {
  /** `User`, `Group` or `ServiceAccount`. */
  kind?: string;
  name?: string;
  namespace?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface BindingObject extends KubeObject {
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
  subjects?: Subject[];
}

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

/** The API group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io';

/** The prefix of the user name that a service account has. */
const accountPrefix = 'system:serviceaccount:';
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
/** Verbs by which one gets rights that one was not given. */
const grantVerbs: ReadonlySet<string> = new Set(['escalate', 'bind', 'impersonate']);

const has = (values: readonly string[] | undefined, value: string) => values?.includes(value) === true;

/** What a rule is about: `pods, apps/deployments`, `every resource`, `/metrics`; with the names that it is limited to. */
export function ruleObjects({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): string[] {
  const groups = apiGroups.length === 0 ? [''] : apiGroups;
  const objects = groups.flatMap((group) =>
    resources.map((resource) => {
      if (resource === '*') {
        return group === '*' ? 'every resource' : `every resource of ${group === '' ? 'core' : group}`;
      }
      return group === '' ? resource : `${resource}.${group}`;
    }),
  );
  const names = resourceNames.length === 0 ? '' : ` ${resourceNames.join(', ')}`;
  return [...objects.map((object) => `${object}${names}`), ...nonResourceURLs];
}

/** What a rule allows in one line without commas: `get list: pods services`, `everything: every resource`. */
export function ruleText(rule: PolicyRule): string {
  const verbs = has(rule.verbs, '*') ? 'everything' : (rule.verbs ?? []).join(' ');
  return `${verbs}: ${ruleObjects(rule).join(' ')}`;
}

/** How far a role reaches; the first that applies. */
export type RoleReach = 'Everything' | 'Grants rights' | 'Reads secrets' | 'Writes' | 'Reads' | 'Nothing';

/** Whether a rule is about a resource of a group, whatever the names that it is limited to. */
const concerns = ({ apiGroups, resources }: PolicyRule, group: string, resource: string) =>
  (has(apiGroups, '*') || has(apiGroups, group)) && (has(resources, '*') || has(resources, resource));

/** How far the rules of a role reach together. */
export function roleReach(rules: readonly PolicyRule[]): RoleReach {
  const allows = rules.filter(({ verbs = [] }) => verbs.length > 0);
  if (allows.some((rule) => has(rule.verbs, '*') && has(rule.apiGroups, '*') && has(rule.resources, '*')))
    return 'Everything';
  const writesAccess = (rule: PolicyRule) =>
    ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].some((one) =>
      concerns(rule, rbacGroup, one),
    ) && !(rule.verbs ?? []).every((verb) => readVerbs.has(verb));
  if (allows.some((rule) => writesAccess(rule) || rule.verbs?.some((verb) => grantVerbs.has(verb)) === true))
    return 'Grants rights';
  const readsSecrets = (rule: PolicyRule) =>
    concerns(rule, '', 'secrets') && rule.verbs?.some((verb) => verb === '*' || readVerbs.has(verb)) === true;
  if (allows.some(readsSecrets)) return 'Reads secrets';
  if (allows.length === 0) return 'Nothing';
  return allows.every(({ verbs = [] }) => verbs.every((verb) => readVerbs.has(verb))) ? 'Reads' : 'Writes';
}

/** The service account that a subject is, also where it is written as a user. */
export function accountOf({
  kind,
  name = '',
  namespace,
}: Subject): { readonly namespace: string; readonly name: string } | undefined {
  if (kind === 'ServiceAccount') return namespace === undefined ? undefined : { namespace, name };
  if (kind !== 'User' || !name.startsWith(accountPrefix)) return undefined;
  const [place = '', account = '', ...rest] = name.slice(accountPrefix.length).split(':');
  return place === '' || account === '' || rest.length > 0 ? undefined : { namespace: place, name: account };
}

/** A subject in one line: `Group developers`, `ServiceAccount shop/checkout`. */
export function subjectText(subject: Subject): string {
  const { kind = '', name = '', namespace } = subject;
  return `${kind} ${kind === 'ServiceAccount' && namespace !== undefined ? `${namespace}/` : ''}${name}`;
}
