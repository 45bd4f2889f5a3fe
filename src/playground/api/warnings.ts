import { labelProblem } from '../kit/names.ts';
import { securityWarnings } from '../admission/security-policy.ts';
import type { World } from '../store/world.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { compareQuantities } from '../kit/quantity.ts';
import { at, type Obj, strings } from '../kit/values.ts';
import { fractionWarnings, podWarnings } from './pod-warnings.ts';
import { serviceWarnings } from './service-warnings.ts';

/** Deprecated versions of built-in kinds, each with its warning. */
const deprecated: Readonly<Record<string, string>> = {
  'v1/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  'v1/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** Warnings to every client of a resource. */
export function resourceWarnings(resource: Resource): readonly string[] {
  const warning = resource.custom?.deprecation ?? deprecated[`${apiVersionOf(resource)}/${resource.plural}`];
  return warning === undefined ? [] : [warning];
}

/** Path of the pod template, by storage; '' for pods themselves. */
const podTemplates: Readonly<Record<string, string>> = {
  '/pods': '',
  '/podtemplates': 'template',
  '/replicationcontrollers': 'spec.template',
  'apps/daemonsets': 'spec.template',
  'apps/deployments': 'spec.template',
  'apps/replicasets': 'spec.template',
  'apps/statefulsets': 'spec.template',
  'batch/jobs': 'spec.template',
  'batch/cronjobs': 'spec.jobTemplate.spec.template',
};
/** Storages whose object names become hostnames of pods. */
const hostnamed = new Set([
  '/pods',
  '/replicationcontrollers',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
]);
const ingressClass = 'kubernetes.io/ingress.class';

/** Warnings to the writer of an object. `before`: its previous state, undefined when it is new. */
export function objectWarnings(
  world: World,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
): string[] {
  return [...ownWarnings(resource, object, before), ...securityWarnings(world, resource, object, before)];
}

/** Warnings about quotas whose requests exceed their limits. */
function quotaWarnings(quota: Obj): string[] {
  const hard = strings(at(quota, 'spec', 'hard'));
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = name === 'cpu' || name === 'memory' ? name : '';
    const request = hard[`requests.${name}`] === undefined ? bare : `requests.${name}`;
    const [requestQuota, limitQuota] = [hard[request], hard[`limits.${name}`]];
    if (
      requestQuota === undefined ||
      limitQuota === undefined ||
      compareQuantities(requestQuota, limitQuota) <= 0
    )
      return [];
    return [`ResourceQuota ${request} (${requestQuota}) should be less than limits.${name} (${limitQuota})`];
  });
}

function volumeWarnings(volume: Obj): string[] {
  return at(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle'
    ? [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ]
    : [];
}

function ownWarnings({ storage }: Resource, object: Obj, before: Obj | undefined): string[] {
  const creating = before === undefined;
  const { name = '', annotations, finalizers = [] } = object.metadata;
  const warnings: string[] = [];
  const problem = creating && hostnamed.has(storage) ? labelProblem(name) : undefined;
  if (problem !== undefined) {
    const why =
      "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    const whose = storage === '/pods' ? why : why.replace("the Pod's hostname", 'Pod names and hostnames');
    warnings.push(`metadata.name: ${whose}: [${problem}]`);
  }
  const path = podTemplates[storage];
  if (path === '') warnings.push(...podWarnings(object, ''));
  // Warns about a template only when it is new or changed.
  else if (path !== undefined && (creating || object.metadata.generation !== before.metadata.generation)) {
    warnings.push(...podWarnings(at(object, ...path.split('.')), path));
  }
  if (storage === '/services') warnings.push(...serviceWarnings(object));
  if (storage === '/persistentvolumeclaims') {
    const requests = at(object, 'spec', 'resources', 'requests');
    warnings.push(...fractionWarnings(requests, ['storage'], 'spec.resources.requests'));
  }
  if (storage === '/resourcequotas' && creating) warnings.push(...quotaWarnings(object));
  if (storage === '/persistentvolumes') warnings.push(...volumeWarnings(object));
  if (storage === 'networking.k8s.io/ingresses' && creating && annotations?.[ingressClass] !== undefined) {
    warnings.push(`annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`);
  }
  for (const finalizer of finalizers) {
    if (finalizer.includes('/') || ['orphan', 'foregroundDeletion', 'kubernetes'].includes(finalizer))
      continue;
    warnings.push(
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
    );
  }
  return warnings;
}
