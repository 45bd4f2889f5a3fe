import type { Store } from '../store/store.ts';
import { at, type Obj, type Rec, recs, str } from '../kit/values.ts';
import type { AccessRequest } from './authorize.ts';
import type { User } from './user.ts';

const schemas = 'flowcontrol.apiserver.k8s.io/flowschemas';
const levels = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations';

const listed = (value: unknown, wanted: string): boolean =>
  Array.isArray(value) && (value.includes('*') || value.includes(wanted));

function isSubject(subject: Rec, user: User): boolean {
  switch (subject['kind']) {
    case 'Group': {
      const name = str(at(subject, 'group', 'name'));
      return name === '*' || user.groups.includes(name);
    }
    case 'User': {
      const name = str(at(subject, 'user', 'name'));
      return name === '*' || name === user.name;
    }
    case 'ServiceAccount': {
      const [namespace, name] = ['namespace', 'name'].map((field) =>
        str(at(subject, 'serviceAccount', field)),
      );
      const prefix = `system:serviceaccount:${namespace ?? ''}:`;
      return name === '*' ? user.name.startsWith(prefix) : user.name === `${prefix}${name ?? ''}`;
    }
    default:
      return false;
  }
}

function covers(rule: Rec, request: AccessRequest): boolean {
  const { path } = request;
  if (path !== undefined) {
    return recs(rule['nonResourceRules']).some(({ verbs, nonResourceURLs }) => {
      const urls = Array.isArray(nonResourceURLs) ? nonResourceURLs.map(str) : [];
      const fits = (url: string) =>
        url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1)));
      return listed(verbs, request.verb) && urls.some(fits);
    });
  }
  const resource =
    request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
  return recs(rule['resourceRules']).some(
    ({ verbs, apiGroups, resources, namespaces, clusterScope }) =>
      listed(verbs, request.verb) &&
      listed(apiGroups, request.group) &&
      listed(resources, resource) &&
      (request.namespace === '' ? clusterScope === true : listed(namespaces, request.namespace)),
  );
}

const precedence = (schema: Obj) => Number(at(schema, 'spec', 'matchingPrecedence') ?? 0);

/** The headers of every answer that name the flow schema and priority level of its request. */
export function flowHeaders(store: Store, user: User, request: AccessRequest): Record<string, string> {
  let found: Obj | undefined;
  for (const [, schema] of store.entries(schemas)) {
    if (found !== undefined && precedence(found) <= precedence(schema)) continue;
    const rules = recs(at(schema, 'spec', 'rules'));
    const matches = rules.some(
      (rule) => recs(rule['subjects']).some((subject) => isSubject(subject, user)) && covers(rule, request),
    );
    if (matches) found = schema;
  }
  const level = store.get(levels, str(at(found, 'spec', 'priorityLevelConfiguration', 'name')));
  if (found === undefined || level === undefined) return {};
  return {
    'x-kubernetes-pf-flowschema-uid': found.metadata.uid ?? '',
    'x-kubernetes-pf-prioritylevel-uid': level.metadata.uid ?? '',
  };
}
