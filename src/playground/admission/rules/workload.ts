import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, str } from '../../kit/values.ts';
import {
  all,
  emptyScope,
  atMostAll,
  type Check,
  countOrPercent,
  empty,
  inside,
  notNegative,
  type RuleSet,
} from './rule.ts';
import { workloadSelector } from './selector.ts';

const apps = 'io.k8s.api.apps.v1.';

/** The pod template of a workload that runs forever. */
const runsForever =
  (kind: string): Check =>
  (owner, specPath) => {
    const value = at(owner, 'template');
    const path = `${specPath}.template`;
    const causes: Cause[] = [];
    const policy = at(value, 'spec', 'restartPolicy');
    if (policy !== 'Always')
      causes.push(cause.notSupported(`${path}.spec.restartPolicy`, policy, ['Always']));
    if (at(value, 'spec', 'activeDeadlineSeconds') !== undefined) {
      const why = `activeDeadlineSeconds in ${kind} is not Supported`;
      causes.push(cause.forbidden(`${path}.spec.activeDeadlineSeconds`, why));
    }
    return causes;
  };

const isNone = (value: unknown) => value === undefined || value === 0 || /^0+%$/.test(str(value));

/** An update strategy as Go holds it. */
const goStrategy = (value: Rec) => ({
  Type: str(value['type']),
  RollingUpdate: value['rollingUpdate'] ?? null,
});

/** `maxUnavailable` and `maxSurge` of a rolling update. */
function rolling(value: Rec, path: string): Cause[] {
  const { maxUnavailable, maxSurge } = value;
  const count = (given: unknown, field: string) =>
    countOrPercent(given, `${path}.${field}`, value, emptyScope);
  const causes = [...count(maxUnavailable, 'maxUnavailable'), ...count(maxSurge, 'maxSurge')];
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    causes.push(cause.invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...causes, ...atMostAll(maxUnavailable, `${path}.maxUnavailable`, value, emptyScope)];
}

const deploymentStrategy: Check = (value, path) => {
  if (!isRec(value)) return [];
  const update = value['rollingUpdate'];
  switch (value['type']) {
    case 'Recreate':
      return update === undefined
        ? []
        : [
            cause.forbidden(
              `${path}.rollingUpdate`,
              "may not be specified when strategy `type` is 'Recreate'",
            ),
          ];
    case 'RollingUpdate':
      return isRec(update) ? rolling(update, `${path}.rollingUpdate`) : [];
    default:
      return [cause.notSupported(path, goStrategy(value), ['Recreate', 'RollingUpdate'])];
  }
};

const daemonStrategy: Check = (value, path) => {
  if (!isRec(value) || value['type'] === 'OnDelete') return [];
  if (value['type'] !== 'RollingUpdate') {
    return [cause.notSupported(path, goStrategy(value), ['RollingUpdate', 'OnDelete'])];
  }
  const update = value['rollingUpdate'];
  if (!isRec(update)) return [cause.required(`${path}.rollingUpdate`)];
  const field = `${path}.rollingUpdate`;
  const { maxUnavailable, maxSurge } = update;
  const both = [
    ['maxUnavailable', maxUnavailable],
    ['maxSurge', maxSurge],
  ] as const;
  const causes = [countOrPercent, atMostAll].flatMap((check) =>
    both.flatMap(([name, given]) => [...check(given, `${field}.${name}`, update, emptyScope)]),
  );
  if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    const why = 'may not be set when maxUnavailable is non-zero';
    causes.push(cause.invalid(`${field}.maxSurge`, maxSurge, why));
  } else if (isNone(maxUnavailable) && isNone(maxSurge)) {
    causes.push(cause.required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return causes;
};

const statefulStrategy: Check = (value, path) => {
  if (!isRec(value)) return [];
  const update = value['rollingUpdate'];
  switch (str(value['type'])) {
    case '':
      return [cause.required(path)];
    case 'OnDelete':
      return update === undefined
        ? []
        : [
            cause.invalid(
              `${path}.rollingUpdate`,
              {
                Partition: at(update, 'partition') ?? 0,
                MaxUnavailable: at(update, 'maxUnavailable') ?? null,
              },
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ];
    case 'RollingUpdate': {
      const maxUnavailable = at(update, 'maxUnavailable');
      const field = `${path}.rollingUpdate`;
      return [
        ...notNegative(at(update, 'partition'), `${field}.partition`, {}, emptyScope),
        ...countOrPercent(maxUnavailable, `${field}.maxUnavailable`, {}, emptyScope),
        ...(maxUnavailable !== undefined && isNone(maxUnavailable)
          ? [cause.invalid(`${field}.maxUnavailable`, maxUnavailable, 'cannot be 0')]
          : []),
        ...atMostAll(maxUnavailable, `${field}.maxUnavailable`, {}, emptyScope),
      ];
    }
    default:
      return [cause.invalid(path, goStrategy(value), "must be 'RollingUpdate' or 'OnDelete'")];
  }
};

const retention: Check = (value, path) =>
  ['whenDeleted', 'whenScaled'].flatMap((field) => {
    const given = at(value, field);
    return given === undefined || given === 'Retain' || given === 'Delete'
      ? []
      : [cause.notSupported(`${path}.${field}`, given, ['Retain', 'Delete'])];
  });

/**
 * Fields that the generic validation skips: pods of a stateful set mount volumes that its template lacks, so
 * neither the template nor the claims are checked before a pod is created.
 */
export const closedFields: ReadonlySet<string> = new Set([
  `${apps}StatefulSetSpec.template`,
  `${apps}StatefulSetSpec.volumeClaimTemplates`,
  // Selectors have rules of their own.
  ...['DeploymentSpec', 'ReplicaSetSpec', 'StatefulSetSpec', 'DaemonSetSpec'].map(
    (kind) => `${apps}${kind}.selector`,
  ),
]);

/** Rules of the workloads that keep pods running. */
export const workloadRules: RuleSet = {
  [`${apps}DeploymentSpec`]: {
    replicas: notNegative,
    selector: workloadSelector('deployment'),
    template: inside,
    '*template': runsForever('ReplicaSet'),
    strategy: deploymentStrategy,
    minReadySeconds: notNegative,
    revisionHistoryLimit: notNegative,
    progressDeadlineSeconds: (value, path, owner, scope) => {
      const causes = [...notNegative(value, path, owner, scope)];
      if (typeof value === 'number' && value <= Number(owner['minReadySeconds'] ?? 0)) {
        causes.push(cause.invalid(path, value, 'must be greater than minReadySeconds'));
      }
      return causes;
    },
  },
  [`${apps}ReplicaSetSpec`]: {
    replicas: notNegative,
    minReadySeconds: notNegative,
    selector: workloadSelector('deployment'),
    template: inside,
    '*template': runsForever('ReplicaSet'),
  },
  [`${apps}StatefulSetSpec`]: {
    podManagementPolicy: (value, path) => {
      if (empty(value)) return [cause.required(path)];
      return value === 'OrderedReady' || value === 'Parallel'
        ? []
        : [cause.invalid(path, value, "must be 'OrderedReady' or 'Parallel'")];
    },
    updateStrategy: statefulStrategy,
    persistentVolumeClaimRetentionPolicy: retention,
    replicas: notNegative,
    minReadySeconds: notNegative,
    ordinals: (value, path) => notNegative(at(value, 'start'), `${path}.start`, {}, emptyScope),
    selector: workloadSelector('statefulset'),
    template: inside,
    '*template': runsForever('StatefulSet'),
    revisionHistoryLimit: notNegative,
  },
  [`${apps}DaemonSetSpec`]: {
    selector: workloadSelector('daemonset'),
    template: inside,
    '*template': runsForever('DaemonSet'),
    minReadySeconds: notNegative,
    updateStrategy: daemonStrategy,
    revisionHistoryLimit: notNegative,
  },
  'io.k8s.api.core.v1.ReplicationControllerSpec': {
    minReadySeconds: notNegative,
    selector: (value, path) => (empty(value) ? [cause.required(path)] : []),
    replicas: notNegative,
    template: all(
      (value, path) => (value === undefined ? [cause.required(path)] : []),
      (value, path, owner) => {
        const labels = at(value, 'metadata', 'labels');
        const wanted = Object.entries(isRec(owner['selector']) ? owner['selector'] : {});
        const fits = wanted.every(([key, one]) => at(labels, key) === one);
        return fits
          ? []
          : [
              cause.invalid(
                `${path}.metadata.labels`,
                labels ?? null,
                '`selector` does not match template `labels`',
              ),
            ];
      },
    ),
    '*template': (value, path, owner, scope) =>
      at(value, 'template') === undefined
        ? []
        : runsForever('ReplicationController')(value, path, owner, scope),
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': { replicas: notNegative },
  [`${apps}ControllerRevision`]: { revision: notNegative },
  [`${apps}DeploymentStrategy`]: { type: inside },
  [`${apps}DaemonSetUpdateStrategy`]: { type: inside },
  [`${apps}StatefulSetUpdateStrategy`]: { type: inside },
  [`${apps}StatefulSetPersistentVolumeClaimRetentionPolicy`]: { whenDeleted: inside, whenScaled: inside },
};
