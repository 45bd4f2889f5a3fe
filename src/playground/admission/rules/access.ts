import { type Cause, cause } from '../../kit/status.ts';
import { isRec, recs, str } from '../../kit/values.ts';
import { pathProblem, subdomainProblem } from '../../kit/names.ts';
import { type Check, empty, oneOf, type RuleSet, type Rules } from './rule.ts';

const rbac = 'io.k8s.api.rbac.v1.';
const group = 'rbac.authorization.k8s.io';

const rules =
  (namespaced: boolean): Check =>
  (value, path) =>
    recs(value).flatMap((rule, index) => {
      const inner = `${path}[${index}]`;
      const causes: Cause[] = [];
      const has = (field: string) => !empty(rule[field]);
      if (!has('verbs'))
        causes.push(cause.required(`${inner}.verbs`, 'verbs must contain at least one value'));
      if (has('nonResourceURLs')) {
        const urls = rule['nonResourceURLs'];
        if (namespaced) {
          const why = 'namespaced rules cannot apply to non-resource URLs';
          causes.push(cause.invalid(`${inner}.nonResourceURLs`, urls, why));
        }
        if (has('apiGroups') || has('resources') || has('resourceNames')) {
          const why = 'rules cannot apply to both regular resources and non-resource URLs';
          causes.push(cause.invalid(`${inner}.nonResourceURLs`, urls, why));
        }
        return causes;
      }
      if (!has('apiGroups')) {
        causes.push(
          cause.required(`${inner}.apiGroups`, 'resource rules must supply at least one api group'),
        );
      }
      if (!has('resources')) {
        causes.push(cause.required(`${inner}.resources`, 'resource rules must supply at least one resource'));
      }
      return causes;
    });

const roleRef =
  (kinds: readonly string[]): Check =>
  (value, path) => {
    if (!isRec(value)) return [cause.required(`${path}.name`)];
    const causes: Cause[] = [];
    const [kind, name, apiGroup] = [str(value['kind']), str(value['name']), str(value['apiGroup'])];
    if (apiGroup !== group) causes.push(cause.notSupported(`${path}.apiGroup`, apiGroup, [group]));
    if (!kinds.includes(kind)) causes.push(cause.notSupported(`${path}.kind`, kind, kinds));
    const problem = pathProblem(name);
    if (name === '') causes.push(cause.required(`${path}.name`));
    else if (problem !== undefined) causes.push(cause.invalid(`${path}.name`, name, problem));
    return causes;
  };

const subjects: Check = (value, path, _owner, { root }) =>
  recs(value).flatMap((subject, index) => {
    const inner = `${path}[${index}]`;
    const causes: Cause[] = [];
    const [kind, name, apiGroup] = [str(subject['kind']), str(subject['name']), str(subject['apiGroup'])];
    if (name === '') causes.push(cause.required(`${inner}.name`));
    switch (kind) {
      case 'ServiceAccount': {
        const problem = name === '' ? undefined : subdomainProblem(name);
        if (problem !== undefined) causes.push(cause.invalid(`${inner}.name`, name, problem));
        if (apiGroup !== '') causes.push(cause.notSupported(`${inner}.apiGroup`, apiGroup, ['']));
        if (root.kind === 'ClusterRoleBinding' && empty(subject['namespace'])) {
          causes.push(cause.required(`${inner}.namespace`));
        }
        return causes;
      }
      case 'User':
      case 'Group':
        if (apiGroup !== group) causes.push(cause.notSupported(`${inner}.apiGroup`, apiGroup, [group]));
        return causes;
      default:
        return [...causes, cause.notSupported(`${inner}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
    }
  });

const binding = (kinds: readonly string[]): Rules => ({ roleRef: roleRef(kinds), subjects });

/** Rules of roles and role bindings. */
export const accessRules: RuleSet = {
  [`${rbac}Role`]: { rules: rules(true) },
  [`${rbac}ClusterRole`]: { rules: rules(false) },
  [`${rbac}RoleBinding`]: binding(['Role', 'ClusterRole']),
  [`${rbac}ClusterRoleBinding`]: binding(['ClusterRole']),
  'io.k8s.api.certificates.v1.CertificateSigningRequestSpec': {
    usages: (value, path) => (empty(value) ? [cause.required(path)] : []),
    signerName: (value, path) => (empty(value) ? [cause.required(path)] : []),
    expirationSeconds: (value, path) =>
      typeof value === 'number' && value < 600
        ? [cause.invalid(path, value, 'may not specify a duration less than 600 seconds (10 minutes)')]
        : [],
  },
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook': {
    sideEffects: oneOf(['None', 'NoneOnDryRun'], true),
  },
  'io.k8s.api.admissionregistration.v1.MutatingWebhook': {
    sideEffects: oneOf(['None', 'NoneOnDryRun'], true),
  },
};
