import { timestamp } from '../kit/clock.ts';
import { createObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';
import { controllerRoles, controllerSubject, namespacedRoles } from './bootstrap-controllers.ts';
import { bootstrapFlows, bootstrapLevels } from './bootstrap-flow.ts';
import { bootstrapBindings, bootstrapRoles } from './bootstrap-roles.ts';

const rbac = 'rbac.authorization.k8s.io';
const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';
const flow = 'flowcontrol.apiserver.k8s.io';

/** A subject from "kind name" or "ServiceAccount namespace/name". */
function subjectOf(text: string): Rec {
  const [kind = '', name = ''] = text.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: rbac, name };
  const [namespace = '', accountName = ''] = name.split('/');
  return { kind, name: accountName, namespace };
}

/** The same for flow schemas, whose subjects are nested under the kind. */
function flowSubject(text: string): Rec {
  const { kind, name, namespace } = subjectOf(text);
  if (kind === 'ServiceAccount') return { kind, serviceAccount: { namespace, name } };
  return kind === 'User' ? { kind, user: { name } } : { kind, group: { name } };
}

/** Creates the roles, bindings, flow schemas and priority levels of an API server. */
export function plantBootstrap(world: World): void {
  const make = (apiVersion: string, kind: string, body: Rec, namespace = '') => {
    const resource = world.registry.ofKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`the facts have no ${kind}`);
    createObject(world, resource, namespace, body);
  };
  const bind = (name: string, subjects: readonly string[]) =>
    make(`${rbac}/v1`, 'ClusterRoleBinding', {
      metadata: metadata(name),
      subjects: subjects.map(subjectOf),
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    });
  const metadata = (name: string, labels: Rec = {}) => ({
    name,
    annotations: { [autoupdate]: 'true' },
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  });
  for (const [name, { rules, labels, aggregates }] of Object.entries(bootstrapRoles)) {
    const marked = { matchLabels: { [`${rbac}/aggregate-to-${aggregates ?? ''}`]: 'true' } };
    make(`${rbac}/v1`, 'ClusterRole', {
      metadata: metadata(name, labels),
      rules: structuredClone(rules ?? null),
      ...(aggregates === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [marked] } }),
    });
  }
  for (const [name, rules] of Object.entries(controllerRoles())) {
    make(`${rbac}/v1`, 'ClusterRole', { metadata: metadata(name), rules });
    bind(name, [controllerSubject(name)]);
  }
  for (const [name, subjects] of Object.entries(bootstrapBindings)) bind(name, subjects);
  for (const { namespace, name, rules, binding, subjects } of namespacedRoles) {
    make(`${rbac}/v1`, 'Role', { metadata: metadata(name), rules }, namespace);
    const body = {
      metadata: metadata(binding ?? name),
      subjects: subjects.map(subjectOf),
      roleRef: { apiGroup: rbac, kind: 'Role', name },
    };
    make(`${rbac}/v1`, 'RoleBinding', body, namespace);
  }
  const noted = (name: string) => ({
    name,
    annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' },
  });
  for (const [name, spec] of Object.entries(bootstrapLevels)) {
    make(`${flow}/v1`, 'PriorityLevelConfiguration', { metadata: noted(name), spec: structuredClone(spec) });
  }
  const lastTransitionTime = timestamp(world.clock.now());
  for (const [name, { precedence, level, by, subjects, paths, only }] of Object.entries(bootstrapFlows)) {
    const everything = {
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
      clusterScope: true,
      namespaces: ['*'],
    };
    const resourceRules = only?.map(({ verbs, group, resources, namespaces }) => ({
      verbs,
      apiGroups: [group],
      resources,
      ...(namespaces === undefined ? { clusterScope: true } : { namespaces }),
    })) ?? [everything];
    const everywhere = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
    const rule = {
      subjects: subjects.map(flowSubject),
      ...(paths === undefined ? { resourceRules } : {}),
      ...(paths !== undefined
        ? { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [...paths] }] }
        : only === undefined
          ? { nonResourceRules: everywhere }
          : {}),
    };
    make(`${flow}/v1`, 'FlowSchema', {
      metadata: noted(name),
      spec: {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence: precedence,
        ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
        rules: [rule],
      },
    });
    const stored = world.store.get(`${flow}/flowschemas`, name);
    if (stored === undefined) continue;
    const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} and it exists`;
    const condition = { type: 'Dangling', status: 'False', lastTransitionTime, reason: 'Found', message };
    world.store.commit(`${flow}/flowschemas`, name, { ...stored, status: { conditions: [condition] } });
  }
}
