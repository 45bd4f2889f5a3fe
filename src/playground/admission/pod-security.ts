import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

/** A level of the Pod Security Standards. */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** One violation of a level: a short reason, and the fields concerned. */
interface Violation {
  readonly reason: string;
  readonly detail: string;
}
type Check = (spec: Rec, containers: readonly Rec[], pod: Obj) => Violation | undefined;

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');
const plural = (word: string, names: readonly unknown[]): string => (names.length === 1 ? word : `${word}s`);
const labelledNames = (word: string, names: readonly string[]): string =>
  `${plural(word, names)} ${quoted(names)}`;
const nameOf = (item: Rec): string => str(item['name']);
const security = (item: Rec, ...path: string[]): unknown => at(item, 'securityContext', ...path);
const listAt = (value: unknown): string[] => (Array.isArray(value) ? value.map(str) : []);

/** Makes a check of each container. `must`: the requirement that failing containers are told. */
const each =
  (reason: string, fails: (container: Rec) => boolean, must: string): Check =>
  (_spec, containers) => {
    const bad = containers.filter(fails).map(nameOf);
    return bad.length === 0 ? undefined : { reason, detail: `${labelledNames('container', bad)} ${must}` };
  };

const baselineCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** The containers that add capabilities beyond the allowed ones, and those capabilities. */
function addedCapabilities(
  containers: readonly Rec[],
  allowed: (name: string) => boolean,
): { bad: string[]; names: string[] } {
  const found = new Set<string>();
  const bad = containers.filter((container) => {
    const forbiddenNames = listAt(security(container, 'capabilities', 'add')).filter(
      (name) => !allowed(name),
    );
    for (const name of forbiddenNames) found.add(name);
    return forbiddenNames.length > 0;
  });
  return { bad: bad.map(nameOf), names: [...found].sort() };
}

const added = ({ bad, names }: { bad: string[]; names: string[] }): string =>
  `${labelledNames('container', bad)} must not include ${quoted(names)} in securityContext.capabilities.add`;

const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);
const safeTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

/** The pod and containers that set a profile to a forbidden type, as their names in the message. */
function settersOf(
  spec: Rec,
  containers: readonly Rec[],
  forbidden: (context: unknown) => boolean,
): string[] {
  const bad = containers.filter((container) => forbidden(container['securityContext'])).map(nameOf);
  return [
    ...(forbidden(spec['securityContext']) ? ['pod'] : []),
    ...(bad.length === 0 ? [] : [labelledNames('container', bad)]),
  ];
}

const unconfined = (context: unknown): boolean => at(context, 'seccompProfile', 'type') === 'Unconfined';
const oddLabel = (context: unknown): boolean =>
  !safeTypes.has(str(at(context, 'seLinuxOptions', 'type'))) ||
  str(at(context, 'seLinuxOptions', 'user')) !== '' ||
  str(at(context, 'seLinuxOptions', 'role')) !== '';

/** Checks of the baseline level, in the order of their messages. */
const baseline: Readonly<Record<string, Check>> = {
  appArmorProfile: (spec, containers) => {
    const setters = settersOf(
      spec,
      containers,
      (context) => at(context, 'appArmorProfile', 'type') === 'Unconfined',
    );
    if (setters.length === 0) return undefined;
    const detail = `${setters.join(' and ')} must not set AppArmor profile type to "Unconfined"`;
    return { reason: 'forbidden AppArmor profile', detail };
  },
  capabilities: (_spec, containers) => {
    const found = addedCapabilities(containers, (name) => baselineCapabilities.has(name));
    return found.bad.length === 0 ? undefined : { reason: 'non-default capabilities', detail: added(found) };
  },
  hostNamespaces: (spec) => {
    const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
    const detail = shared.map((field) => `${field}=true`).join(', ');
    return shared.length === 0 ? undefined : { reason: 'host namespaces', detail };
  },
  hostPathVolumes: (spec) => {
    const bad = recs(spec['volumes'])
      .filter((volume) => volume['hostPath'] !== undefined)
      .map(nameOf);
    return bad.length === 0
      ? undefined
      : { reason: 'hostPath volumes', detail: labelledNames('volume', bad) };
  },
  hostPorts: (_spec, containers) => {
    const ports = (container: Rec) =>
      recs(container['ports'])
        .map((port) => Number(port['hostPort'] ?? 0))
        .filter((port) => port !== 0);
    const bad = containers.filter((container) => ports(container).length > 0);
    if (bad.length === 0) return undefined;
    const all = [...new Set(bad.flatMap(ports))].sort((a, b) => a - b);
    const uses = bad.length === 1 ? 'uses' : 'use';
    const detail = `${labelledNames('container', bad.map(nameOf))} ${uses} ${plural('hostPort', all)} ${all.join(', ')}`;
    return { reason: 'hostPort', detail };
  },
  privileged: each(
    'privileged',
    (container) => security(container, 'privileged') === true,
    'must not set securityContext.privileged=true',
  ),
  procMount: (_spec, containers) => {
    const procMountOf = (container: Rec) => str(security(container, 'procMount'));
    const bad = containers.filter((container) => !['', 'Default'].includes(procMountOf(container)));
    if (bad.length === 0) return undefined;
    const types = [...new Set(bad.map(procMountOf))].sort();
    const detail = `${labelledNames('container', bad.map(nameOf))} must not set securityContext.procMount to ${quoted(types)}`;
    return { reason: 'procMount', detail };
  },
  seLinuxOptions: (spec, containers) => {
    const setters = settersOf(spec, containers, oddLabel);
    if (setters.length === 0) return undefined;
    const all = [spec, ...containers].map((item) => security(item, 'seLinuxOptions'));
    const types = [...new Set(all.map((one) => str(at(one, 'type'))))].filter((type) => !safeTypes.has(type));
    const violated = [
      ...(types.length === 0 ? [] : [`${plural('type', types)} ${quoted(types.sort())}`]),
      ...(all.some((one) => str(at(one, 'user')) !== '') ? ['user may not be set'] : []),
      ...(all.some((one) => str(at(one, 'role')) !== '') ? ['role may not be set'] : []),
    ];
    const detail = `${setters.join(' and ')} set forbidden securityContext.seLinuxOptions: ${violated.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  },
  seccompProfile: (spec, containers) => {
    const setters = settersOf(spec, containers, unconfined);
    if (setters.length === 0) return undefined;
    const detail = `${setters.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined"`;
    return { reason: 'seccompProfile', detail };
  },
  sysctls: (spec) => {
    const bad = recs(security(spec, 'sysctls'))
      .map(nameOf)
      .filter((name) => !safeSysctls.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  },
};

const plainVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Checks that the restricted level adds to the baseline; one of the same name replaces the baseline's. */
const restricted: Readonly<Record<string, Check>> = {
  allowPrivilegeEscalation: each(
    'allowPrivilegeEscalation != false',
    (container) => security(container, 'allowPrivilegeEscalation') !== false,
    'must set securityContext.allowPrivilegeEscalation=false',
  ),
  capabilities: (_spec, containers) => {
    const keeping = containers
      .filter((container) => !listAt(security(container, 'capabilities', 'drop')).includes('ALL'))
      .map(nameOf);
    const found = addedCapabilities(containers, (name) => name === 'NET_BIND_SERVICE');
    const details = [
      ...(keeping.length === 0
        ? []
        : [`${labelledNames('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
      ...(found.bad.length === 0 ? [] : [added(found)]),
    ];
    return details.length === 0
      ? undefined
      : { reason: 'unrestricted capabilities', detail: details.join('; ') };
  },
  restrictedVolumes: (spec) => {
    const typeOf = (volume: Rec) =>
      Object.keys(volume).find((field) => field !== 'name' && !plainVolumes.has(field));
    const bad = recs(spec['volumes']).filter((volume) => typeOf(volume) !== undefined);
    if (bad.length === 0) return undefined;
    const types = [...new Set(bad.map((volume) => typeOf(volume) ?? ''))].sort();
    const uses = bad.length === 1 ? 'uses' : 'use';
    const volumeTypes = `${plural('restricted volume type', types)} ${quoted(types)}`;
    return {
      reason: 'restricted volume types',
      detail: `${labelledNames('volume', bad.map(nameOf))} ${uses} ${volumeTypes}`,
    };
  },
  runAsNonRoot: (spec, containers) => {
    const podValue = security(spec, 'runAsNonRoot');
    const asRoot = containers
      .filter((container) => security(container, 'runAsNonRoot') === false)
      .map(nameOf);
    const unsetContainers = containers
      .filter((container) => security(container, 'runAsNonRoot') === undefined)
      .map(nameOf);
    const setters = [
      ...(podValue === false ? ['pod'] : []),
      ...(asRoot.length === 0 ? [] : [labelledNames('container', asRoot)]),
    ];
    if (setters.length > 0) {
      const detail = `${setters.join(' and ')} must not set securityContext.runAsNonRoot=false`;
      return { reason: 'runAsNonRoot != true', detail };
    }
    if (podValue === true || unsetContainers.length === 0) return undefined;
    const detail = `pod or ${labelledNames('container', unsetContainers)} must set securityContext.runAsNonRoot=true`;
    return { reason: 'runAsNonRoot != true', detail };
  },
  runAsUser: (spec, containers) => {
    const setters = settersOf(spec, containers, (context) => at(context, 'runAsUser') === 0);
    if (setters.length === 0) return undefined;
    return { reason: 'runAsUser=0', detail: `${setters.join(' and ')} must not set runAsUser=0` };
  },
  seccompProfile: (spec, containers) => {
    const isAllowed = (type: unknown) => type === 'RuntimeDefault' || type === 'Localhost';
    const podType = security(spec, 'seccompProfile', 'type');
    const odd = containers.filter((container) => {
      const type = security(container, 'seccompProfile', 'type');
      return type !== undefined && !isAllowed(type);
    });
    const setters = [
      ...(podType !== undefined && !isAllowed(podType) ? ['pod'] : []),
      ...(odd.length === 0 ? [] : [labelledNames('container', odd.map(nameOf))]),
    ];
    if (setters.length > 0) {
      const types = new Set(
        [podType, ...odd.map((item) => security(item, 'seccompProfile', 'type'))].map(str),
      );
      const bad = [...types].filter((type) => type !== '' && !isAllowed(type)).sort();
      const detail = `${setters.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted(bad)}`;
      return { reason: 'seccompProfile', detail };
    }
    const unsetContainers = containers
      .filter((item) => security(item, 'seccompProfile', 'type') === undefined)
      .map(nameOf);
    if (isAllowed(podType) || unsetContainers.length === 0) return undefined;
    const detail = `pod or ${labelledNames('container', unsetContainers)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
    return { reason: 'seccompProfile', detail };
  },
};

function checksOf(level: Level): Check[] {
  if (level === 'privileged') return [];
  if (level === 'baseline') return Object.values(baseline);
  const baselineOnly = Object.entries(baseline).filter(([name]) => restricted[name] === undefined);
  return [...baselineOnly.map(([, check]) => check), ...Object.values(restricted)];
}

/** The violations of a level by a pod's spec, as the server's message; undefined when there are none. */
export function violations(level: Level, pod: Obj): string | undefined {
  const spec = rec(pod['spec']);
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    recs(spec[field]),
  );
  const found = checksOf(level).flatMap((check) => check(spec, containers, pod) ?? []);
  return found.length === 0
    ? undefined
    : found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
