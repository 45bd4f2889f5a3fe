import { compareQuantities, ratioOf } from '../../quantity.ts';
import { type Cause, cause } from '../../status.ts';
import { at, isRec, type Rec, rec, recs, str, strings } from '../../values.ts';
import { goStruct } from '../go-pod.ts';
import { keyProblem, labelProblem, subdomainProblem } from '../names.ts';
import {
  all,
  amount,
  apart,
  type Check,
  empty,
  inside,
  isNative,
  label,
  notNegative,
  oneOf,
  port,
  portName,
  portNameProblems,
  portNumber,
  positive,
  protocol,
  qualified,
  required,
  resourceNameCauses,
  requiredText,
  type RuleSet,
  type Rules,
  text,
  userId,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const keyProblems = (key: string): string | undefined => {
  if (key.length > 253) return 'must be no more than 253 bytes';
  if (key === '.' || key === '..') return `must not be '${key}'`;
  if (key.startsWith('..')) return "must not start with '..'";
  return /^[-._a-zA-Z0-9]+$/.test(key)
    ? undefined
    : "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
};

/** Why a text is no key of a config map or secret. */
export const configKeyProblem = keyProblems;

const relaxedName = (name: string): string | undefined =>
  /^[ -<>-~]+$/.test(name)
    ? undefined
    : "a valid environment variable name must consist only of printable ASCII characters other than '='";

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const convertible = new Set([
  ...envFields,
  ...volumeFields,
  'metadata.annotations',
  'metadata.labels',
  'status.phase',
  'spec.restartPolicy',
  'spec.schedulerName',
]);

/** A field of the pod that a container or volume shows. */
export function fieldReference(reference: Rec, path: string, allowed: readonly string[]): Cause[] {
  const field = str(reference['fieldPath']);
  if (field === '') return [cause.required(`${path}.fieldPath`)];
  const [, name = '', subscript = ''] = /^(.*)\['([^']*)'\]$/.exec(field) ?? [];
  if (name !== '') {
    if (name !== 'metadata.annotations' && name !== 'metadata.labels') {
      return convertible.has(name)
        ? [cause.invalid(path, name, 'does not support subscript')]
        : [
            cause.invalid(
              `${path}.fieldPath`,
              field,
              `error converting fieldPath: field label does not support subscript`,
            ),
          ];
    }
    const problem = keyProblem(subscript.toLowerCase());
    return problem === undefined ? [] : [cause.invalid(path, subscript, problem)];
  }
  if (!convertible.has(field)) {
    return [
      cause.invalid(
        `${path}.fieldPath`,
        field,
        `error converting fieldPath: field label not supported: ${field}`,
      ),
    ];
  }
  return allowed.includes(field) ? [] : [cause.notSupported(`${path}.fieldPath`, field, allowed)];
}
/** What a downward API volume may show. */
export const volumeReference = (reference: Rec, path: string) =>
  fieldReference(reference, path, volumeFields);

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** A request or limit of a container that it, or a volume, shows. */
export function resourceReference(reference: Rec, path: string, volume: boolean): Cause[] {
  if (volume && empty(reference['containerName'])) return [cause.required(`${path}.containerName`)];
  const name = str(reference['resource']);
  if (name === '') return [cause.required(`${path}.resource`)];
  const known = resources.includes(name) || /^(?:requests|limits)\.hugepages-/.test(name);
  return known ? [] : [cause.notSupported(`${path}.resource`, name, resources)];
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

const valueFrom: Check = (value, path, owner) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  if (isRec(value['fieldRef']))
    causes.push(...fieldReference(value['fieldRef'], `${path}.fieldRef`, envFields));
  if (isRec(value['resourceFieldRef'])) {
    causes.push(...resourceReference(value['resourceFieldRef'], `${path}.resourceFieldRef`, false));
  }
  for (const kind of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = value[kind];
    if (!isRec(reference)) continue;
    const name = str(reference['name']);
    const problem = subdomainProblem(name);
    if (problem !== undefined) causes.push(cause.invalid(`${path}.${kind}.name`, name, problem));
    causes.push(...requiredText(keyProblems)(reference['key'], `${path}.${kind}.key`, reference, apart));
  }
  const count = sources.filter((source) => value[source] !== undefined).length;
  if (count === 0) {
    const all4 =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    causes.push(cause.invalid(path, '', all4));
  } else if (!empty(owner['value'])) {
    causes.push(cause.invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1)
    causes.push(cause.invalid(path, '', 'may not have more than one field specified at a time'));
  return causes;
};

const envFrom: Check = (value, path) =>
  recs(value).flatMap((item, index) => {
    const causes: Cause[] = [...text(relaxedName)(item['prefix'], `${path}[${index}].prefix`, item, apart)];
    for (const kind of ['configMapRef', 'secretRef'] as const) {
      const reference = item[kind];
      if (!isRec(reference)) continue;
      causes.push(
        ...requiredText(subdomainProblem)(
          reference['name'],
          `${path}[${index}].${kind}.name`,
          reference,
          apart,
        ),
      );
    }
    const count = ['configMapRef', 'secretRef'].filter((kind) => item[kind] !== undefined).length;
    if (count === 0)
      causes.push(cause.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (count > 1)
      causes.push(cause.invalid(path, '', 'may not have more than one field specified at a time'));
    return causes;
  });

/** Why a path inside a volume leaves it. */
export function descending(value: string): string | undefined {
  if (value.startsWith('/')) return 'must be a relative path';
  return value.split('/').includes('..') ? "must not contain '..'" : undefined;
}

const volumeMounts: Check = (value, path, owner, { pod }) => {
  const volumes = new Set(recs(pod?.['volumes']).map((volume) => str(volume['name'])));
  const places = new Set<string>();
  return recs(value).flatMap((mount, index) => {
    const causes: Cause[] = [];
    const inner = `${path}[${index}]`;
    const name = str(mount['name']);
    const place = str(mount['mountPath']);
    if (name === '') causes.push(cause.required(`${inner}.name`));
    if (!volumes.has(name)) causes.push(cause.notFound(`${inner}.name`, name));
    if (place === '') causes.push(cause.required(`${inner}.mountPath`));
    if (places.has(place)) causes.push(cause.invalid(`${inner}.mountPath`, place, 'must be unique'));
    places.add(place);
    causes.push(...text(descending)(mount['subPath'], `${path}.subPath`, mount, apart));
    if (mount['subPathExpr'] !== undefined && !empty(mount['subPath'])) {
      causes.push(
        cause.invalid(
          `${inner}.subPathExpr`,
          mount['subPathExpr'],
          'subPathExpr and subPath are mutually exclusive',
        ),
      );
    }
    const propagation = mount['mountPropagation'];
    if (propagation === 'Bidirectional' && at(owner, 'securityContext', 'privileged') !== true) {
      causes.push(
        cause.forbidden(
          `${path}.mountPropagation`,
          'Bidirectional mount propagation is available only to privileged containers',
        ),
      );
    } else
      causes.push(
        ...oneOf(['Bidirectional', 'HostToContainer', 'None'])(
          propagation,
          `${path}.mountPropagation`,
          mount,
          apart,
        ),
      );
    return causes;
  });
};

const pages = 'hugepages-';
const native = new Set(['cpu', 'memory', 'ephemeral-storage']);

function resourceName(name: string, path: string): Cause[] {
  const causes = resourceNameCauses(name, path);
  if (keyProblem(name) !== undefined) return causes;
  if (name.includes('/')) {
    return name.startsWith('requests.') ||
      (name.includes('kubernetes.io/') && !name.startsWith('attachable-volumes'))
      ? [cause.invalid(path, name, "doesn't follow extended resource name standard")]
      : [];
  }
  if (native.has(name) || name.startsWith(pages)) return causes;
  return [...causes, cause.invalid(path, name, 'must be a standard resource for containers')];
}

/** Pages that are no whole number of their size. */
function pageCauses(name: string, quantity: string, path: string): Cause[] {
  if (!name.startsWith(pages)) return [];
  const count = ratioOf(quantity, name.slice(pages.length));
  const why = `${quantity} is not positive integer multiple of ${name}`;
  return count > 0 && Number.isInteger(count) ? [] : [cause.invalid(path, quantity, why)];
}

const overcommits = (name: string) => isNative(name) && !name.startsWith('hugepages-');

/** Requests and limits: known resources, sound amounts, no request above its limit. */
const requirements: Check = (value, path) => {
  const limits = strings(at(value, 'limits'));
  const causes = Object.entries(limits).flatMap(([name, quantity]) => [
    ...resourceName(name, `${path}.limits[${name}]`),
    ...amount(name, quantity, `${path}.limits[${name}]`),
    ...pageCauses(name, quantity, `${path}.limits[${name}]`),
  ]);
  for (const [name, quantity] of Object.entries(strings(at(value, 'requests')))) {
    const inner = `${path}.requests[${name}]`;
    causes.push(
      ...resourceName(name, inner),
      ...amount(name, quantity, inner),
      ...pageCauses(name, quantity, inner),
    );
    const limit = limits[name];
    if (limit === undefined) {
      if (!overcommits(name))
        causes.push(cause.required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
      continue;
    }
    const more = compareQuantities(quantity, limit);
    if (more !== 0 && !overcommits(name)) {
      causes.push(cause.invalid(`${path}.requests`, quantity, `must be equal to ${name} limit of ${limit}`));
    } else if (more > 0) {
      causes.push(
        cause.invalid(
          `${path}.requests`,
          quantity,
          `must be less than or equal to ${name} limit of ${limit}`,
        ),
      );
    }
  }
  const named = [...Object.keys(limits), ...Object.keys(strings(at(value, 'requests')))];
  const hasPages = named.some((name) => name.startsWith(pages));
  if (hasPages && !named.includes('cpu') && !named.includes('memory')) {
    causes.push(cause.forbidden(path, 'HugePages require cpu or memory'));
  }
  return causes;
};

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const handler: Check = (value, path) => {
  const given = handlers.filter((kind) => rec(value)[kind] !== undefined);
  if (given.length === 0) return [cause.required(path, 'must specify a handler type')];
  return given
    .slice(1)
    .map((kind) => cause.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type'));
};

/** What a probe may not be because of what it is for: told after all else that is wrong with it. */
const purpose: Check = (value, path) => {
  const [count, grace] = [at(value, 'successThreshold'), at(value, 'terminationGracePeriodSeconds')];
  if (path.endsWith('.readinessProbe')) {
    const field = `${path}.terminationGracePeriodSeconds`;
    return grace === undefined ? [] : [cause.invalid(field, grace, 'must not be set for readinessProbes')];
  }
  return Number(count ?? 1) === 1 ? [] : [cause.invalid(`${path}.successThreshold`, count, 'must be 1')];
};

/** Profiles of system calls: one of the node needs its name, others have none. */
const seccomp: Check = (value, path) => {
  if (!isRec(value)) return [];
  const field = `${path}.localhostProfile`;
  const name = value['localhostProfile'];
  if (value['type'] === 'Localhost') {
    if (name === undefined) return [cause.required(field, 'must be set when seccomp type is Localhost')];
    return text(descending)(name, field, value, apart);
  }
  const why = 'can only be set when seccomp type is Localhost';
  return name === undefined ? [] : [cause.invalid(field, name, why)];
};

const lifecycle: Check = (value, path) =>
  ['postStart', 'preStop'].flatMap((hook) => {
    const given = at(value, hook);
    return isRec(given) ? handler(given, `${path}.${hook}`, {}, apart) : [];
  });

const container: Rules = {
  name: requiredText(labelProblem),
  image: (value, path, owner, scope) =>
    // Templates may have images whose name a controller completes.
    scope.root.kind === 'Pod' && str(value) !== str(value).trim()
      ? [cause.invalid(path, value, 'must not have leading or trailing whitespace')]
      : required()(value, path, owner, scope),
  terminationMessagePolicy: oneOf(['File', 'FallbackToLogsOnError'], true),
  ports: (value, path) => {
    const seen = new Set<string>();
    return recs(value).flatMap((one, index) => {
      const name = str(one['name']);
      const twice = name !== '' && seen.has(name);
      if (portNameProblems(name).length === 0) seen.add(name);
      return twice ? [cause.duplicate(`${path}[${index}].name`, name)] : [];
    });
  },
  env: inside,
  envFrom,
  volumeMounts,
  imagePullPolicy: oneOf(['Always', 'IfNotPresent', 'Never'], true),
  resources: requirements,
  securityContext: inside,
  lifecycle,
  livenessProbe: inside,
  readinessProbe: inside,
  startupProbe: inside,
};

/** Rules of containers and of all that is in them. */
export const containerRules: RuleSet = {
  [`${core}Container`]: container,
  [`${core}EphemeralContainer`]: container,
  [`${core}ContainerPort`]: {
    name: portName,
    containerPort: (value, path, owner, scope) =>
      empty(value) ? [cause.required(path)] : portNumber(value, path, owner, scope),
    hostPort: portNumber,
    protocol,
  },
  [`${core}EnvVar`]: { name: requiredText(relaxedName), valueFrom },
  [`${core}Probe`]: {
    '*': handler,
    initialDelaySeconds: notNegative,
    timeoutSeconds: notNegative,
    periodSeconds: notNegative,
    successThreshold: notNegative,
    failureThreshold: notNegative,
    terminationGracePeriodSeconds: positive,
    '*purpose': purpose,
  },
  [`${core}SeccompProfile`]: {
    type: oneOf(['Localhost', 'RuntimeDefault', 'Unconfined'], true),
    '*': seccomp,
  },
  [`${core}ExecAction`]: { command: required() },
  [`${core}HTTPGetAction`]: { path: required(), port, scheme: oneOf(['HTTP', 'HTTPS'], true) },
  [`${core}TCPSocketAction`]: { port },
  [`${core}GRPCAction`]: { port },
  [`${core}SecurityContext`]: {
    runAsUser: userId,
    runAsGroup: userId,
    procMount: oneOf(['Default', 'Unmasked']),
    seccompProfile: inside,
    allowPrivilegeEscalation: (value, path, owner) => {
      if (value !== false) return [];
      const whole = path.slice(0, path.lastIndexOf('.'));
      const refuse = (what: string) =>
        cause.invalid(
          whole,
          goStruct('SecurityContext', owner),
          `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
        );
      const added = at(owner, 'capabilities', 'add');
      return [
        ...(owner['privileged'] === true ? [refuse('`privileged` to true')] : []),
        ...(Array.isArray(added) && added.includes('CAP_SYS_ADMIN')
          ? [refuse('`capabilities.Add` CAP_SYS_ADMIN')]
          : []),
      ];
    },
  },
  [`${core}ContainerResizePolicy`]: {
    resourceName: oneOf(['cpu', 'memory'], true),
    restartPolicy: oneOf(['NotRequired', 'RestartContainer'], true),
  },
  [`${core}PodReadinessGate`]: { conditionType: qualified },
  [`${core}PodResourceClaim`]: { name: all(required(), label) },
};
