import { labelProblem } from '../admission/names.ts';
import { securityWarnings } from '../admission/security-policy.ts';
import type { World } from '../objects.ts';
import { apiVersionOf, type Resource } from '../registry.ts';
import { at, isRec, type Obj, type Rec, recs, str, strings } from '../values.ts';

/** Versions of built-in kinds that are on their way out, and what their users are warned with. */
const deprecated: Readonly<Record<string, string>> = {
  'v1/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  'v1/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** What everybody who uses a resource is warned with. */
export function resourceWarnings(resource: Resource): readonly string[] {
  const warning = resource.custom?.deprecation ?? deprecated[`${apiVersionOf(resource)}/${resource.plural}`];
  return warning === undefined ? [] : [warning];
}

/** Items that stand twice, by what names them: each is told which one it repeats. */
function repeated(
  items: readonly Rec[],
  id: (item: Rec) => string,
  tell: (index: number, first: number) => string,
) {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const name = id(item);
    const first = seen.get(name);
    if (first !== undefined) return [tell(index, first)];
    seen.set(name, index);
    return [];
  });
}

function containerWarnings(container: Rec, path: string): string[] {
  const env = recs(container['env']);
  const ports = recs(container['ports']);
  const shadowed = env.flatMap((item, index) => {
    const name = str(item['name']);
    const hidden = env.slice(0, index).some((earlier) => earlier['name'] === item['name']);
    const keeps = str(item['value']).includes(`$(${name})`);
    return hidden && !keeps
      ? [
          `${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
  const portId = (port: Rec) =>
    [port['containerPort'], port['hostPort'], port['protocol'], port['hostIP']].map(str).join('/');
  const fractions = ['limits', 'requests'].flatMap((part) =>
    Object.entries(strings(at(container, 'resources', part)))
      .filter(([name, amount]) => (name === 'memory' || name === 'ephemeral-storage') && amount.endsWith('m'))
      .map(
        ([name, amount]) =>
          `${path}.resources.${part}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
      ),
  );
  return [
    ...fractions,
    ...shadowed,
    ...repeated(
      ports,
      portId,
      (index, first) => `${path}.ports[${index}]: duplicate port definition with ${path}.ports[${first}]`,
    ),
  ];
}

function podWarnings(spec: unknown, path: string): string[] {
  if (!isRec(spec)) return [];
  const grace = spec['terminationGracePeriodSeconds'];
  return [
    ...(typeof grace === 'number' && grace < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...['initContainers', 'containers'].flatMap((field) =>
      recs(spec[field]).flatMap((container, index) =>
        containerWarnings(container, `${path}.${field}[${index}]`),
      ),
    ),
  ];
}

/** Where kinds keep the specs of pods. */
const podSpecs: Readonly<Record<string, string>> = {
  '/pods': 'spec',
  '/podtemplates': 'template.spec',
  '/replicationcontrollers': 'spec.template.spec',
  'apps/daemonsets': 'spec.template.spec',
  'apps/deployments': 'spec.template.spec',
  'apps/replicasets': 'spec.template.spec',
  'apps/statefulsets': 'spec.template.spec',
  'batch/jobs': 'spec.template.spec',
  'batch/cronjobs': 'spec.jobTemplate.spec.template.spec',
};
const hostnamed = new Set(['/pods', 'batch/jobs']);
const ingressClass = 'kubernetes.io/ingress.class';

/** What the writer of an object is warned with. `before`: its state before the write, undefined when it is new. */
export function objectWarnings(
  world: World,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
): string[] {
  return [
    ...ownWarnings(resource, object, before === undefined),
    ...securityWarnings(world, resource, object, before),
  ];
}

function ownWarnings({ storage }: Resource, object: Obj, creating: boolean): string[] {
  const { name = '', annotations, finalizers = [] } = object.metadata;
  const warnings: string[] = [];
  const problem = creating && hostnamed.has(storage) ? labelProblem(name) : undefined;
  if (problem !== undefined) {
    const why =
      "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    const whose = storage === '/pods' ? why : why.replace("the Pod's hostname", 'Pod names and hostnames');
    warnings.push(`metadata.name: ${whose}: [${problem}]`);
  }
  const path = podSpecs[storage];
  if (path !== undefined) warnings.push(...podWarnings(at(object, ...path.split('.')), path));
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
