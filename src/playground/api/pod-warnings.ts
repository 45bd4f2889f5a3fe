import { at, isRec, type Rec, rec, recs, str, strings } from '../kit/values.ts';

/** Deprecated labels of nodes, each with its warning. */
const nodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

const annotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Deprecated volume types, each with its warning, in the server's order. */
const volumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** Warnings about names that occur more than once in a list. */
function repeated(items: readonly Rec[], field: string, path: string): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const name = str(item[field]);
    const isDuplicate = seen.has(name);
    seen.add(name);
    return isDuplicate ? [`${path}[${index}].${field}: duplicate ${field} ${JSON.stringify(name)}`] : [];
  });
}

/** Warnings about amounts of bytes that are not whole. */
export function fractionWarnings(amounts: unknown, names: readonly string[], path: string): string[] {
  const given = strings(amounts);
  return names.flatMap((name) =>
    (given[name] ?? '').endsWith('m')
      ? [
          `${path}[${name}]: fractional byte value ${JSON.stringify(given[name])} is invalid, must be an integer`,
        ]
      : [],
  );
}

function selectorTerm(term: unknown, path: string): string[] {
  return recs(at(term, 'matchExpressions')).flatMap(({ key }, index) => {
    const message = nodeLabels[str(key)];
    return message === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${str(key)} is ${message}`];
  });
}

const noMatch = 'a null labelSelector results in matching no pod';

function placement(spec: Rec, path: string): string[] {
  const node = at(spec, 'affinity', 'nodeAffinity');
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const affinityPath = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(rec(spec['nodeSelector'])).flatMap((key) =>
      nodeLabels[key] === undefined ? [] : [`${path}.nodeSelector[${key}]: ${nodeLabels[key]}`],
    ),
    ...recs(at(node, required, 'nodeSelectorTerms')).flatMap((term, index) =>
      selectorTerm(term, `${affinityPath}.${required}.nodeSelectorTerms[${index}]`),
    ),
    ...recs(at(node, preferred)).flatMap((term, index) =>
      selectorTerm(term['preference'], `${affinityPath}.${preferred}[${index}].preference`),
    ),
    ...recs(spec['topologySpreadConstraints']).flatMap((constraint, index) => {
      const key = str(constraint['topologyKey']);
      const constraintPath = `${path}.topologySpreadConstraints[${index}]`;
      const message = nodeLabels[key];
      return [
        ...(message === undefined ? [] : [`${constraintPath}.topologyKey: ${key} is ${message}`]),
        ...(constraint['labelSelector'] === undefined ? [`${constraintPath}.labelSelector: ${noMatch}`] : []),
      ];
    }),
  ];
}

/** Warnings about affinity terms without a selector, which match no pods. */
function emptyTerms(spec: Rec, path: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) =>
    [
      { field: 'requiredDuringSchedulingIgnoredDuringExecution', inner: [] },
      { field: 'preferredDuringSchedulingIgnoredDuringExecution', inner: ['podAffinityTerm'] },
    ].flatMap(({ field, inner }) =>
      recs(at(spec, 'affinity', kind, field)).flatMap((term, index) => {
        if (at(term, ...inner, 'labelSelector') !== undefined) return [];
        const selectorPath = [`${path}.affinity.${kind}.${field}[${index}]`, ...inner, 'labelSelector'].join(
          '.',
        );
        return [`${selectorPath}: ${noMatch}`];
      }),
    ),
  );
}

/** All containers of a pod with their paths, in the server's order. */
const containersOf = (spec: Rec, path: string) =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    recs(spec[field]).map((container, index) => ({ container, path: `${path}.${field}[${index}]` })),
  );

function containerWarnings(container: Rec, path: string): string[] {
  const env = recs(container['env']);
  const bytes = ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((part) =>
      fractionWarnings(at(container, 'resources', part), [name], `${path}.resources.${part}`),
    ),
  );
  const shadowed = env.flatMap((item, index) => {
    const name = str(item['name']);
    const hides = env.slice(0, index).some((earlier) => earlier['name'] === item['name']);
    const reference = `$(${name})`;
    const value = str(item['value']);
    const extendsValue = item['valueFrom'] === undefined && value !== reference && value.includes(reference);
    return hides && !extendsValue
      ? [
          `${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
  return [...bytes, ...shadowed];
}

/** Warnings about duplicate and overlapping ports of a pod's containers. */
function portWarnings(spec: Rec, path: string): string[] {
  const ports = containersOf(spec, path).flatMap(({ container, path: containerPath }) =>
    recs(container['ports']).map((port, index) => ({ port, path: `${containerPath}.ports[${index}]` })),
  );
  const [address, host] = [(port: Rec) => str(port['hostIP']), (port: Rec) => Number(port['hostPort'] ?? 0)];
  return ports.flatMap(({ port, path: portPath }, index) =>
    ports
      .slice(0, index)
      .filter(
        (other) =>
          other.port['containerPort'] === port['containerPort'] &&
          other.port['protocol'] === port['protocol'],
      )
      .flatMap((other) => {
        const sameAddress = address(port) === address(other.port);
        if (sameAddress && host(port) === host(other.port)) {
          return [`${portPath}: duplicate port definition with ${other.path}`];
        }
        if (host(port) === 0 || host(other.port) === 0) {
          return [`${portPath}: overlapping port definition with ${other.path}`];
        }
        const oneIsAny = (address(port) === '') !== (address(other.port) === '');
        return host(port) === host(other.port) && oneIsAny
          ? [`${portPath}: dangerously ambiguous port definition with ${other.path}`]
          : [];
      }),
  );
}

/** Warnings to the writer of a pod or a pod template. `path`: of the template, '' for a pod. */
export function podWarnings(holder: unknown, path: string): string[] {
  if (!isRec(holder)) return [];
  const inside = (field: string) => (path === '' ? field : `${path}.${field}`);
  const [spec, specPath] = [rec(holder['spec']), inside('spec')];
  const notes = rec(at(holder, 'metadata', 'annotations'));
  const grace = spec['terminationGracePeriodSeconds'];
  const secrets = recs(spec['imagePullSecrets']);
  return [
    ...placement(spec, specPath),
    ...Object.entries(annotations).flatMap(([key, message]) =>
      notes[key] === undefined ? [] : [`${inside('metadata.annotations')}[${key}]: ${message}`],
    ),
    ...recs(spec['volumes']).flatMap((volume, index) =>
      Object.entries(volumes).flatMap(([kind, message]) =>
        volume[kind] === undefined ? [] : [`${specPath}.volumes[${index}].${kind}: ${message}`],
      ),
    ),
    ...repeated(recs(spec['hostAliases']), 'ip', `${specPath}.hostAliases`),
    ...repeated(secrets, 'name', `${specPath}.imagePullSecrets`),
    ...secrets.flatMap(({ name }, index) =>
      str(name) === '' ? [`${specPath}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractionWarnings(spec['overhead'], ['memory', 'ephemeral-storage'], `${specPath}.overhead`),
    ...containersOf(spec, specPath).flatMap(({ container, path: containerPath }) =>
      containerWarnings(container, containerPath),
    ),
    ...portWarnings(spec, specPath),
    ...(typeof grace === 'number' && grace < 0
      ? [
          `${specPath}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...emptyTerms(spec, specPath),
  ];
}
