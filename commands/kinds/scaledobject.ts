import { epochSeconds } from '../../src/kube/age.ts';
import {
  pausedAnnotation,
  pausedReplicasAnnotation,
  pauseOf,
  type ScaledObject,
  scaledTarget,
} from '../../src/kube/autoscaling.ts';
import { objectPath, patchTypes } from '../../src/kube/change.ts';
import { kubectlObject } from '../../src/kube/kubectl.ts';
import { lastEdit } from '../../src/kube/last-change.ts';
import { condition } from '../../src/kube/workload-status.ts';
import { isSetAnew } from '../../src/registry/kinds/destructive-change.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { type KindAction, kindAction } from '../../src/registry/kinds/kind-action.ts';
import { objectCell } from '../../src/registry/kinds/object-cell.ts';
import { areLowered, boundsAction } from './parts/bounds-action.ts';
import { warningOf } from './parts/warnings.ts';

const boundsOf = ({ spec }: ScaledObject) => ({
  min: spec?.minReplicaCount ?? 0,
  max: spec?.maxReplicaCount ?? 100,
});
const triggersOf = ({ spec }: ScaledObject) => (spec?.triggers ?? []).map(({ type = '?' }) => type);
const detailOf = (detail: string | undefined) => (detail === undefined ? {} : { detail });
const conditionText = (object: ScaledObject, type: string) =>
  condition(object.status?.conditions, type)?.status ?? null;

const annotate = (address: Parameters<typeof objectPath>[0], annotations: Record<string, string | null>) => [
  {
    method: 'PATCH' as const,
    path: objectPath(address),
    contentType: patchTypes.merge,
    body: { metadata: { annotations } },
  },
];

const pause = kindAction<ScaledObject>({
  id: 'scaledobject.pause',
  title: 'Pause',
  description: 'Stops scaling: the number of pods stays as it is.',
  done: 'paused',
  icon: 'pause',
  applies: ({ facts }) => facts['isPaused'] !== true,
  endsPods: false,
  requests: (_object, _args, { address }) => annotate(address, { [pausedAnnotation]: 'true' }),
  kubectl: (address) => `kubectl annotate --overwrite ${kubectlObject(address)} ${pausedAnnotation}=true`,
});

const pauseAt = kindAction<
  ScaledObject,
  { replicas: { type: 'number'; label: string; min: number; max: number } }
>({
  id: 'scaledobject.pauseAt',
  title: 'Pause at…',
  heading: (subject) => `Pause ${subject} at a number of pods`,
  description: 'Scales to a number of pods and stops there.',
  done: 'paused',
  icon: 'pause',
  // Scaling to 0 removes all pods.
  dangerousWith: { replicas: 0 },
  // The number of pods that run is that of its target, which is another object.
  endsPods: true,
  args: { replicas: { type: 'number', label: 'Replicas', min: 0, max: 1000 } },
  requests: (_object, { replicas }, { address }) =>
    annotate(address, { [pausedReplicasAnnotation]: String(replicas) }),
  kubectl: (address, { replicas }) =>
    `kubectl annotate --overwrite ${kubectlObject(address)} ${pausedReplicasAnnotation}=${replicas}`,
});

const resume: KindAction = kindAction<ScaledObject>({
  id: 'scaledobject.resume',
  title: 'Resume',
  description: 'Scales by its triggers again.',
  done: 'resumed',
  icon: 'resume',
  prominent: true,
  // Its triggers decide whether pods end, now as ever.
  endsPods: false,
  applies: ({ facts }) => facts['isPaused'] === true,
  requests: (_object, _args, { address }) =>
    annotate(address, { [pausedAnnotation]: null, [pausedReplicasAnnotation]: null }),
  kubectl: (address) =>
    `kubectl annotate ${kubectlObject(address)} ${pausedAnnotation}- ${pausedReplicasAnnotation}-`,
});

export const scaledobject = defineKind<ScaledObject>({
  id: 'scaledobject',
  kind: 'ScaledObject',
  group: 'keda.sh',
  version: 'v1alpha1',
  plural: 'scaledobjects',
  scope: 'Namespaced',
  aliases: ['so', 'scaledobjects'],
  title: 'ScaledObjects',
  icon: 'scaledobject',
  permissions: { view: 'namespaces.view', manage: 'scaledobjects.manage' },
  paths: {
    list: '/clusters/:clusterId/scaledobjects',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/scaledobjects/:scaledObjectName'],
  },
  sidebar: { section: 'Scalers', order: 20, keys: 'g k' },
  addOn: 'KEDA',
  status: (object) => {
    const paused = pauseOf(object);
    if (paused !== undefined)
      return { tone: 'idle', label: paused.at === undefined ? 'Paused' : `Paused at ${paused.at}` };
    const { conditions } = object.status ?? {};
    const ready = condition(conditions, 'Ready');
    if (ready?.status === 'False') return { tone: 'bad', label: 'Not ready' };
    if (condition(conditions, 'Fallback')?.status === 'True') return { tone: 'warn', label: 'Fallback' };
    if (ready?.status !== 'True') return { tone: 'info', label: 'Starting' };
    return condition(conditions, 'Active')?.status === 'True'
      ? { tone: 'ok', label: 'Active' }
      : { tone: 'ok', label: 'Ready' };
  },
  attention: (object, around) => {
    if (pauseOf(object) !== undefined) return undefined;
    const { conditions } = object.status ?? {};
    const ready = condition(conditions, 'Ready');
    if (ready?.status === 'False') {
      return {
        rule: 'scaledobject.not-ready',
        tone: 'bad',
        title: 'It does not scale: a trigger or its target does not work.',
        ...detailOf(warningOf(around, 'KEDAScalerFailed', 'ScaledObjectCheckFailed') ?? ready.message),
        action: 'scaledobject.pauseAt',
      };
    }
    const fallback = condition(conditions, 'Fallback');
    if (fallback?.status !== 'True') return undefined;
    return {
      rule: 'scaledobject.fallback',
      tone: 'warn',
      title: `Its triggers fail: it runs ${object.spec?.fallback?.replicas ?? 'the'} fallback pods.`,
      ...(fallback.message === undefined ? {} : { detail: fallback.message }),
    };
  },
  rules: ['scaledobject.not-ready', 'scaledobject.fallback'],
  around: ['warnings'],
  changed: lastEdit,
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'target',
      label: 'Scales',
      format: 'object',
      links: { to: 'object' },
      dropAt: 3,
      value: (object) => {
        const target = scaledTarget(object);
        return target === undefined ? null : objectCell(target.apiVersion, target.kind, target.name);
      },
    },
    { id: 'min', label: 'Min', format: 'number', dropAt: 2, value: (object) => boundsOf(object).min },
    { id: 'max', label: 'Max', format: 'number', dropAt: 2, value: (object) => boundsOf(object).max },
    { id: 'triggers', label: 'Triggers', format: 'list', dropAt: 4, value: triggersOf },
    {
      id: 'active',
      label: 'Active',
      format: 'text',
      dropAt: 5,
      value: (object) => conditionText(object, 'Active'),
    },
    {
      id: 'fallback',
      label: 'Fallback',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: (object) => conditionText(object, 'Fallback'),
    },
    {
      id: 'authentication',
      label: 'Authentication',
      format: 'list',
      wide: true,
      dropAt: 7,
      value: ({ spec }) =>
        (spec?.triggers ?? []).flatMap(({ authenticationRef }) => authenticationRef?.name ?? []),
    },
    'labels',
    'age',
  ],
  facts: (object) => {
    const { apiVersion } = object.spec?.scaleTargetRef ?? {};
    return {
      ...boundsOf(object),
      isPaused: pauseOf(object) !== undefined,
      targetGroup: apiVersion === undefined ? null : (apiVersion.split('/').at(-2) ?? ''),
      targetKind: scaledTarget(object)?.kind ?? null,
      target: scaledTarget(object)?.name ?? null,
    };
  },
  refs: (object) => {
    const target = scaledTarget(object);
    const { namespace } = object.metadata ?? {};
    const placed = namespace === undefined ? {} : { namespace };
    const authentications = (object.spec?.triggers ?? []).flatMap(({ authenticationRef }) => {
      const { name, kind = 'TriggerAuthentication' } = authenticationRef ?? {};
      return name === undefined
        ? []
        : [
            {
              relation: 'uses' as const,
              apiVersion: 'keda.sh/v1alpha1',
              kind,
              ...(kind === 'TriggerAuthentication' ? placed : {}),
              name,
            },
          ];
    });
    return [
      ...(target === undefined ? [] : [{ relation: 'targets' as const, ...target, ...placed }]),
      ...new Map(authentications.map((one) => [`${one.kind}/${one.name}`, one])).values(),
    ];
  },
  owns: ['hpa'],
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Scales',
          format: 'object',
          links: { to: 'object' },
          value: (object) => {
            const target = scaledTarget(object);
            return target === undefined ? null : objectCell(target.apiVersion, target.kind, target.name);
          },
        },
        {
          label: 'Bounds',
          format: 'text',
          value: (object) => {
            const { min, max } = boundsOf(object);
            const { idleReplicaCount: idle } = object.spec ?? {};
            return `${min} to ${max}${idle === undefined ? '' : `, ${idle} while idle`}`;
          },
        },
        {
          label: 'Polling interval',
          format: 'text',
          value: ({ spec }) => `${spec?.pollingInterval ?? 30} s`,
        },
        { label: 'Cooldown', format: 'text', value: ({ spec }) => `${spec?.cooldownPeriod ?? 300} s` },
        {
          label: 'Fallback',
          format: 'text',
          value: ({ spec }) =>
            spec?.fallback === undefined
              ? null
              : `${spec.fallback.replicas ?? '?'} pods after ${spec.fallback.failureThreshold ?? '?'} failures`,
        },
        { label: 'Last active', format: 'age', value: ({ status }) => epochSeconds(status?.lastActiveTime) },
        {
          label: 'Before it',
          format: 'text',
          value: ({ status }) =>
            status?.originalReplicaCount === undefined ? null : `${status.originalReplicaCount} pods`,
        },
      ],
    },
    {
      title: 'Triggers',
      fields: [
        {
          label: 'Triggers',
          format: 'mono',
          value: ({ spec }) =>
            (spec?.triggers ?? []).map(({ type = '?', metadata = {}, authenticationRef }) => {
              const settings = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
              const by = authenticationRef?.name === undefined ? '' : `, by ${authenticationRef.name}`;
              return `${type}: ${settings.join(' ')}${by}`;
            }),
        },
      ],
    },
    'conditions',
    'owned',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  endsBy: (before, after) =>
    areLowered(boundsOf(before), boundsOf(after)) ||
    isSetAnew(before.metadata?.annotations, after.metadata?.annotations, pausedReplicasAnnotation),
  actions: [
    boundsAction({
      kindId: 'scaledobject',
      least: 0,
      fields: { min: 'minReplicaCount', max: 'maxReplicaCount' },
    }),
    pause,
    pauseAt,
    resume,
  ],
});
