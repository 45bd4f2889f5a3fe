import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, recs, str } from '../../kit/values.ts';
import { labelProblem } from '../../kit/names.ts';
import { containerDemands } from './demand.ts';
import { envFrom, envRules } from './env.ts';
import { volumeDevices, volumeMounts } from './mount.ts';
import { lifecycle } from './probe.ts';
import {
  type Check,
  empty,
  inside,
  oneOf,
  portName,
  portNameProblems,
  portNumber,
  protocol,
  required,
  requiredText,
  type RuleSet,
  type Rules,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';
const names = (value: unknown) => recs(value).map((item) => str(item['name']));

/** The list of a pod that a container is in, and its index there. */
function listAndIndex(path: string): { readonly list: string; readonly index: number } {
  const [, list = '', index = '0'] = /\.?(\w+)\[(\d+)\]$/.exec(path) ?? [];
  return { list, index: Number(index) };
}

/** Lists whose names must not occur in a later list. */
const listsBefore: Readonly<Record<string, readonly string[]>> = {
  initContainers: ['containers'],
  ephemeralContainers: ['containers', 'initContainers'],
};

/** Refuses a name that another container of the pod has. */
const duplicateName: Check = (value, path, _owner, { pod }) => {
  const { list, index } = listAndIndex(path);
  const name = str(at(value, 'name'));
  const earlierNames = names(pod?.[list]).slice(0, index);
  const taken = [
    ...(listsBefore[list] ?? []).flatMap((other) => names(pod?.[other])),
    ...(list === 'initContainers' ? earlierNames.filter((one) => one !== '') : earlierNames),
  ];
  return taken.includes(name) ? [cause.duplicate(`${path}.name`, name)] : [];
};

/** Refuses host ports that several containers claim. `path`: of the list of containers. */
export function hostPortsTwice(containers: readonly Rec[], path: string): Cause[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) =>
    recs(container['ports']).flatMap((port, portIndex) => {
      if (empty(port['hostPort'])) return [];
      const portKey = `${str(port['protocol'])}/${str(port['hostIP'])}/${str(port['hostPort'])}`;
      const isDuplicate = seen.has(portKey);
      seen.add(portKey);
      return isDuplicate ? [cause.duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, portKey)] : [];
    }),
  );
}

const MAIN_CONTAINER_FIELDS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];
/**
 * Refuses what only main containers may have: probes and lifecycle hooks in init containers that are no sidecars.
 */
const initOnly: Check = (value, path) => {
  const { list } = listAndIndex(path);
  if (list !== 'initContainers' || !isRec(value)) return [];
  const ports = hostPortsTwice([value], path.slice(0, path.lastIndexOf('[')));
  const why = 'may not be set for init containers without restartPolicy=Always';
  const refused = MAIN_CONTAINER_FIELDS.filter(
    (field) => value['restartPolicy'] !== 'Always' && value[field] !== undefined,
  );
  return [...ports, ...refused.map((field) => cause.forbidden(`${path}.${field}`, why))];
};

const restarts = ['Always', 'Never', 'OnFailure'];
const actions = ['Restart', 'RestartAllContainers'];
const operators = ['In', 'NotIn'];

/** A container's own restart policy and its rules. */
const restartPolicyCheck: Check = (value, path) => {
  const [policy, rules] = [at(value, 'restartPolicy'), recs(at(value, 'restartPolicyRules'))];
  const field = `${path}.restartPolicy`;
  if (policy === undefined) {
    const why = 'must specify restartPolicy when restart rules are used';
    return rules.length === 0 ? [] : [cause.required(field, why)];
  }
  const causes: Cause[] = [];
  if (!restarts.includes(str(policy))) causes.push(cause.notSupported(field, policy, restarts));
  if (rules.length > 20) causes.push(cause.tooMany(`${path}.restartPolicyRules`, rules.length, 20));
  for (const [index, rule] of rules.entries()) {
    const inner = `${path}.restartPolicyRules[${index}]`;
    const codes = rule['exitCodes'];
    if (!actions.includes(str(rule['action'])))
      causes.push(cause.notSupported(`${inner}.action`, str(rule['action']), actions));
    if (!isRec(codes)) {
      causes.push(cause.required(`${inner}.exitCodes`, 'must be specified'));
      continue;
    }
    if (!operators.includes(str(codes['operator'])))
      causes.push(cause.notSupported(`${inner}.exitCodes.operator`, str(codes['operator']), operators));
    const count = Array.isArray(codes['values']) ? codes['values'].length : 0;
    if (count > 255) causes.push(cause.tooMany(`${inner}.exitCodes.values`, count, 255));
  }
  return causes;
};

const resizableResources = ['cpu', 'memory'];
const resizes = ['NotRequired', 'RestartContainer'];

/** A container's resize policies: each resource at most once. */
const resizePolicyCheck: Check = (value, path, _owner, { pod }) => {
  const seen = new Set<string>();
  return recs(value).flatMap((one, index) => {
    const causes: Cause[] = [];
    const [name, policy] = [str(one['resourceName']), str(one['restartPolicy'])];
    if (seen.has(name)) causes.push(cause.duplicate(`${path}[${index}]`, name));
    seen.add(name);
    if (name === '') causes.push(cause.required(path));
    else if (!resizableResources.includes(name))
      causes.push(cause.notSupported(path, name, resizableResources));
    if (policy === '') causes.push(cause.required(path));
    else if (!resizes.includes(policy)) causes.push(cause.notSupported(path, policy, resizes));
    if (pod?.['restartPolicy'] === 'Never' && policy !== 'NotRequired') {
      causes.push(cause.invalid(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
    return causes;
  });
};

const portsTwice: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((one, index) => {
    const name = str(one['name']);
    const isDuplicate = name !== '' && seen.has(name);
    if (portNameProblems(name).length === 0) seen.add(name);
    return isDuplicate ? [cause.duplicate(`${path}[${index}].name`, name)] : [];
  });
};

/** Rules of all containers, applied before those of one list. */
const commonRules: Rules = {
  name: requiredText(labelProblem),
  image: required(),
  terminationMessagePolicy: oneOf(['File', 'FallbackToLogsOnError'], true),
  ports: portsTwice,
  env: inside,
  envFrom,
  volumeMounts,
  volumeDevices,
  imagePullPolicy: oneOf(['Always', 'IfNotPresent', 'Never'], true),
  resources: containerDemands,
  resizePolicy: resizePolicyCheck,
  securityContext: inside,
};

const debugForbidden = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];
/** Refuses the fields that an ephemeral container must not set. */
const ephemeralOnly: Check = (value, path, _owner, scope) => {
  const { pod } = scope;
  const container = isRec(value) ? value : {};
  const image = str(container['image']);
  const target = str(container['targetContainerName']);
  const targets = [...names(pod?.['containers']), ...names(pod?.['initContainers'])];
  const why = 'cannot be set for an Ephemeral Container';
  return [
    ...(image === image.trim() ? [] : [padded(`${path}.image`, image)]),
    ...duplicateName(value, path, container, scope),
    ...(target !== '' && !targets.includes(target)
      ? [cause.notFound(`${path}.targetContainerName`, target)]
      : []),
    ...debugForbidden
      .filter((field) => !empty(container[field]))
      .map((field) => cause.forbidden(`${path}.${field}`, why)),
    ...recs(container['volumeMounts']).flatMap((mount, index) =>
      ['subPath', 'subPathExpr']
        .filter((field) => !empty(mount[field]))
        .map((field) => cause.forbidden(`${path}.volumeMounts[${index}].${field}`, why)),
    ),
  ];
};

/** The cause of an image with surrounding blanks. Templates may have one, since a controller completes them. */
export const padded = (path: string, image: string): Cause =>
  cause.invalid(path, image, 'must not have leading or trailing whitespace');

/** Rules of containers and everything inside them. */
export const containerRules: RuleSet = {
  ...envRules,
  [`${core}Container`]: {
    ...commonRules,
    '*name': duplicateName,
    '*init': initOnly,
    lifecycle,
    livenessProbe: inside,
    readinessProbe: inside,
    startupProbe: inside,
    '*restart': restartPolicyCheck,
    restartPolicy: inside,
    restartPolicyRules: inside,
  },
  [`${core}EphemeralContainer`]: { ...commonRules, '*debug': ephemeralOnly },
  [`${core}ContainerPort`]: {
    name: portName,
    containerPort: (value, path, owner, scope) =>
      empty(value) ? [cause.required(path)] : portNumber(value, path, owner, scope),
    hostPort: portNumber,
    protocol,
  },
  [`${core}ContainerResizePolicy`]: { resourceName: inside, restartPolicy: inside },
  [`${core}PodReadinessGate`]: { conditionType: inside },
};
