import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, str } from '../../kit/values.ts';
import { goStruct } from '../go-pod.ts';
import { subdomainProblem } from '../../kit/names.ts';
import { descending } from './mount.ts';
import { emptyScope, type Check, inside, oneOf, recsOfPod, type RuleSet, text, userId } from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const kinds = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Seccomp profiles: `localhostProfile` is required for type Localhost and forbidden for others. */
const seccomp: Check = (value, path) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  const type = str(value['type']);
  const name = value['localhostProfile'];
  const field = `${path}.localhostProfile`;
  if (type === '') causes.push(cause.required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!kinds.includes(type)) causes.push(cause.notSupported(`${path}.type`, type, kinds));
  if (type !== 'Localhost') {
    const why = 'can only be set when seccomp type is Localhost';
    return name === undefined ? causes : [...causes, cause.invalid(field, goStruct('Profile', value), why)];
  }
  return name === undefined
    ? [...causes, cause.required(field, 'must be set when seccomp type is Localhost')]
    : [...causes, ...text(descending)(name, field, value, emptyScope)];
};

/** AppArmor profiles: `localhostProfile` is required for type Localhost and forbidden for others. */
const appArmor: Check = (value, path) => {
  if (!isRec(value)) return [];
  const type = str(value['type']);
  const name = value['localhostProfile'];
  const field = `${path}.localhostProfile`;
  if (type === '') return [cause.required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!kinds.includes(type)) return [cause.notSupported(`${path}.type`, type, kinds)];
  if (type !== 'Localhost') {
    const why = 'can only be set when AppArmor type is Localhost';
    return name === undefined ? [] : [cause.invalid(field, name, why)];
  }
  const given = str(name);
  if (given !== given.trim()) return [cause.invalid(field, given, 'must not be padded with whitespace')];
  return given === '' ? [cause.required(field, 'must be set when AppArmor type is Localhost')] : [];
};

const domain =
  /^(?:[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}|[a-zA-Z0-9][a-zA-Z0-9-]{0,62}(?:\.[a-zA-Z0-9][a-zA-Z0-9-]{0,62})*)$/;

/** A Windows user: "DOMAIN\user" or "user". */
const windowsUser: Check = (value, path) => {
  if (typeof value !== 'string') return [];
  const refuse = (why: string) => cause.invalid(path, value, why);
  if (value === '') return [refuse('runAsUserName cannot be an empty string')];
  if (/\p{Cc}/u.test(value)) return [refuse('runAsUserName cannot contain control characters')];
  const parts = value.split('\\');
  if (parts.length > 2) return [refuse('runAsUserName cannot contain more than one backslash')];
  const user = parts.at(-1) ?? '';
  const of = parts.length === 2 ? parts[0] : undefined;
  const causes: Cause[] = [];
  if ((of ?? '').length >= 256)
    causes.push(refuse("runAsUserName's Domain length must be under 256 characters"));
  if (of !== undefined && !domain.test(of))
    causes.push(refuse("runAsUserName's Domain doesn't match the NetBios nor the DNS format"));
  if (user === '') causes.push(refuse("runAsUserName's User cannot be empty"));
  else if (user.length > 104)
    causes.push(refuse("runAsUserName's User length must not be longer than 104 characters"));
  if (/^[. ]+$/.test(user)) causes.push(refuse("runAsUserName's User cannot contain only periods or spaces"));
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    causes.push(refuse(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`));
  return causes;
};

const escalation: Check = (value, path, owner) => {
  if (value !== false) return [];
  const containerPath = path.slice(0, path.lastIndexOf('.'));
  const refuse = (requirement: string) =>
    cause.invalid(
      containerPath,
      goStruct('SecurityContext', owner),
      `cannot set \`allowPrivilegeEscalation\` to false and ${requirement}`,
    );
  const added = at(owner, 'capabilities', 'add');
  return [
    ...(owner['privileged'] === true ? [refuse('`privileged` to true')] : []),
    ...(Array.isArray(added) && added.includes('CAP_SYS_ADMIN')
      ? [refuse('`capabilities.Add` CAP_SYS_ADMIN')]
      : []),
  ];
};

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlWhy =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctls: Check = (value, path, _owner, { pod }) => {
  const seen = new Set<string>();
  return (Array.isArray(value) ? value : []).filter(isRec).flatMap((one: Rec, index) => {
    const name = str(one['name']);
    const inner = `${path}[${index}].name`;
    const causes: Cause[] = [];
    if (name === '') causes.push(cause.required(inner));
    else if (name.length > 253 || !sysctl.test(name)) causes.push(cause.invalid(inner, name, sysctlWhy));
    else if (seen.has(name)) causes.push(cause.duplicate(inner, name));
    seen.add(name);
    const dotted = name.replaceAll('/', '.');
    for (const [shared, own] of [
      ['hostNetwork', /^net\./],
      ['hostIPC', /^(?:kernel\.(?:shm|msg|sem)|fs\.mqueue\.)/],
    ] as const) {
      if (pod?.[shared] !== true || !own.test(dotted)) continue;
      causes.push(cause.invalid(inner, name, `may not be specified when '${shared}' is true`));
    }
    return causes;
  });
};

const groups: Check = (value, path) =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => [
    ...userId(one, `${path}[${index}]`, {}, emptyScope),
  ]);

/** A pod shares either the host's process namespace or one of its own, not both. */
export const processNamespaceCheck: Check = (value, path, owner) =>
  isRec(value) && owner['hostPID'] === true && owner['shareProcessNamespace'] === true
    ? [
        cause.invalid(
          `${path}.shareProcessNamespace`,
          true,
          'ShareProcessNamespace and HostPID cannot both be enabled',
        ),
      ]
    : [];

/** A pod with its own user namespace shares no namespace of the host. */
export const ownUsers: Check = (value, path, owner) => {
  if (value !== false) return [];
  const spec = path.slice(0, path.lastIndexOf('.'));
  const shared = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const;
  return shared
    .filter(([field]) => owner[field] === true)
    .map(([, goName]) => cause.forbidden(`${spec}.${goName}`, 'when `pod.Spec.HostUsers` is false'));
};

/** Windows host processes: all containers of a pod or none, and on the host network. */
export const hostProcesses: Check = (value, path) => {
  const spec = isRec(value) ? value : {};
  const ofPod = at(spec, 'securityContext', 'windowsOptions', 'hostProcess');
  const containers = recsOfPod(spec, path);
  const causes: Cause[] = [];
  let count = 0;
  for (const [container, containerPath] of containers) {
    const containerValue = at(container, 'securityContext', 'windowsOptions', 'hostProcess');
    if (ofPod !== undefined && containerValue !== undefined && containerValue !== ofPod) {
      const why = `pod hostProcess value must be identical if both are specified, was ${str(ofPod)}`;
      causes.push(
        cause.invalid(`${containerPath}.securityContext.windowsOptions.hostProcess`, containerValue, why),
      );
    }
    if ((containerValue ?? ofPod) === true) count += 1;
  }
  if (count === 0) return causes;
  if (count !== containers.length) {
    const why =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    causes.push(cause.invalid(path, '', why));
  }
  if (spec['hostNetwork'] !== true) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    causes.push(cause.invalid(`${path}.hostNetwork`, false, why));
  }
  return causes;
};

/**
 * Linux fields that a Windows pod must not set, in the server's order, including those that the API keeps outside
 * the security context.
 */
const linuxOfPod = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];
const linuxOfContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
].map((field) => `securityContext.${field}`);

const systems = ['linux', 'windows'];

/** `os`: a known name, and no field that it does not support. */
export const system: Check = (value, path, owner) => {
  if (!isRec(value)) return [];
  const name = str(value['name']);
  if (name === '') return [cause.required(`${path}.name`, 'cannot be empty')];
  if (!systems.includes(name)) return [cause.notSupported(path, name, systems)];
  const windows = name === 'windows';
  const why = windows ? 'cannot be set for a windows pod' : 'windows options cannot be set for a linux pod';
  const refuse = (from: Rec, refusedPath: string, fields: readonly string[]) =>
    fields.flatMap((field) => {
      const given = at(from, ...field.split('.'));
      const unset =
        given === undefined || given === null || (/^host(?:PID|IPC)$/.test(field) && given === false);
      return unset ? [] : [cause.forbidden(`${refusedPath}.${field}`, why)];
    });
  const options = ['securityContext.windowsOptions'];
  const spec = path.slice(0, path.lastIndexOf('.'));
  return [
    ...refuse(owner, spec, windows ? linuxOfPod : options),
    ...recsOfPod(owner, spec).flatMap(([container, containerPath]) =>
      refuse(container, containerPath, windows ? linuxOfContainer : options),
    ),
  ];
};

/** Rules of the security contexts of pods and containers. */
export const securityRules: RuleSet = {
  [`${core}PodSecurityContext`]: {
    fsGroup: userId,
    runAsUser: userId,
    runAsGroup: userId,
    supplementalGroups: groups,
    sysctls,
    fsGroupChangePolicy: oneOf(['Always', 'OnRootMismatch']),
    seccompProfile: inside,
    windowsOptions: inside,
    appArmorProfile: inside,
    supplementalGroupsPolicy: oneOf(['Merge', 'Strict']),
    seLinuxChangePolicy: oneOf(['MountOption', 'Recursive']),
  },
  [`${core}SecurityContext`]: {
    runAsUser: userId,
    runAsGroup: userId,
    procMount: (value, path, owner, scope) => [
      ...oneOf(['Default', 'Unmasked'])(value, path, owner, scope),
      ...(value === 'Unmasked' && scope.pod?.['hostUsers'] !== false
        ? [cause.invalid(path, value, '`hostUsers` must be false to use `Unmasked`')]
        : []),
    ],
    seccompProfile: inside,
    allowPrivilegeEscalation: escalation,
    windowsOptions: inside,
    appArmorProfile: inside,
  },
  [`${core}SeccompProfile`]: { '*': seccomp, type: inside },
  [`${core}AppArmorProfile`]: { '*': appArmor, type: inside },
  [`${core}WindowsSecurityContextOptions`]: {
    gmsaCredentialSpecName: text(subdomainProblem),
    gmsaCredentialSpec: (value, path) =>
      value === '' ? [cause.invalid(path, value, 'gmsaCredentialSpec cannot be an empty string')] : [],
    runAsUserName: windowsUser,
  },
};
