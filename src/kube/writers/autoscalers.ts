import { type HorizontalPodAutoscaler, pauseOf, type ScaledObject, scaledTarget } from '../autoscaling.ts';
import type { ScaleTarget } from '../autoscaling-metrics.ts';
import type { KubeObject } from '../object.ts';
import { controllerOf } from '../owners.ts';
import { fieldEvidence, groupOf, valueAt } from './marks.ts';
import type { Around, NamedOwner, Writer } from './writer.ts';

const replicas = ['spec.replicas'];
const templateRequests = ['spec.template.spec.containers.*.resources'];
const podRequests = ['spec.containers.*.resources'];

/** Kinds whose objects no autoscaler scales. */
const fixedKinds = ['Pod', 'DaemonSet', 'Job', 'CronJob', 'Service', 'Secret', 'ConfigMap'];

const isTarget = (object: KubeObject, target: ScaleTarget | undefined): boolean =>
  target?.name !== undefined &&
  target.name === object.metadata?.name &&
  target.kind === object.kind &&
  (target.apiVersion === undefined || groupOf(target.apiVersion) === groupOf(object.apiVersion));

const nameOf = (apiVersion: string, kind: string, { metadata }: KubeObject): NamedOwner => ({
  apiVersion,
  kind,
  ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
  name: metadata?.name ?? '',
});

/** Autoscalers of an object; each writes its replicas, or the requests of its pods, and nothing else. */
export function autoscalerWriters(object: KubeObject, around: Around): readonly Writer[] {
  const { namespace } = object.metadata ?? {};
  if (namespace === undefined) return [];
  return [
    ...(mayScale(object) ? scalers(object, namespace, around) : []),
    ...verticals(object, namespace, around),
  ];
}

/** Whether an autoscaler can set the replicas of an object: by its kind, and for custom kinds by the field. */
function mayScale(object: KubeObject): boolean {
  if (fixedKinds.includes(object.kind ?? '')) return false;
  const isWorkload = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'];
  return isWorkload.includes(object.kind ?? '') || valueAt(object, 'spec', 'replicas') !== undefined;
}

const hasTemplate = (object: KubeObject): boolean =>
  valueAt(object, 'spec', 'template', 'spec', 'containers') !== undefined;

function scalers(object: KubeObject, namespace: string, around: Around): readonly Writer[] {
  const scaled = around.all({ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', namespace }) ?? [];
  const plain =
    around.all({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', namespace }) ?? [];
  const keda = (scaled as readonly ScaledObject[]).filter((one) => isTarget(object, scaledTarget(one)));
  return [
    ...keda.map((one) => kedaWriter(one)),
    ...(plain as readonly HorizontalPodAutoscaler[])
      // KEDA scales by an autoscaler of its own: the object that people wrote is named.
      .filter((one) => controllerOf(one)?.kind !== 'ScaledObject' || keda.length === 0)
      .filter((one) => isTarget(object, one.spec?.scaleTargetRef))
      .map((one) => hpaWriter(one, object)),
  ];
}

const autoscalerBase = { sight: 'seen', fields: replicas, managers: [] } as const;

function kedaWriter(one: ScaledObject): Writer {
  const by = nameOf('keda.sh/v1alpha1', 'ScaledObject', one);
  const pause = pauseOf(one);
  const { minReplicaCount: min = 0, maxReplicaCount: max = 100 } = one.spec ?? {};
  return {
    ...autoscalerBase,
    tool: 'keda',
    label: `KEDA ScaledObject ${by.name}`,
    by,
    when: pause === undefined ? 'at-once' : 'paused',
    ...(pause === undefined ? {} : { why: pause.at === undefined ? 'paused' : `paused at ${pause.at}` }),
    between: { min, max },
    evidence: [fieldEvidence(by, 'spec.scaleTargetRef', one.spec?.scaleTargetRef)],
  };
}

function hpaWriter(one: HorizontalPodAutoscaler, object: KubeObject): Writer {
  const by = nameOf('autoscaling/v2', 'HorizontalPodAutoscaler', one);
  const { minReplicas: min = 1, maxReplicas: max = min } = one.spec ?? {};
  const isOff = valueAt(object, 'spec', 'replicas') === 0 && min > 0;
  return {
    ...autoscalerBase,
    tool: 'autoscaler',
    label: `HorizontalPodAutoscaler ${by.name}`,
    by,
    when: isOff ? 'paused' : 'at-once',
    ...(isOff ? { why: '0 replicas' } : {}),
    between: { min, max },
    evidence: [fieldEvidence(by, 'spec.scaleTargetRef', one.spec?.scaleTargetRef)],
  };
}

/** The target of an autoscaler of requests that reaches an object: itself, or of a pod the workload above it. */
function workloadOf(object: KubeObject, namespace: string, around: Around): KubeObject | undefined {
  if (object.kind !== 'Pod') return hasTemplate(object) ? object : undefined;
  const owner = controllerOf(object);
  if (owner === undefined) return undefined;
  const asObject = ({ apiVersion, kind, name }: NamedOwner): KubeObject => ({
    apiVersion,
    kind,
    metadata: { namespace, name },
  });
  const set = owner.kind === 'ReplicaSet' ? around.one({ ...owner, namespace }) : undefined;
  return asObject((set ? controllerOf(set) : undefined) ?? owner);
}

function verticals(object: KubeObject, namespace: string, around: Around): readonly Writer[] {
  const workload = workloadOf(object, namespace, around);
  if (workload === undefined) return [];
  const all =
    around.all({ apiVersion: 'autoscaling.k8s.io/v1', kind: 'VerticalPodAutoscaler', namespace }) ?? [];
  return all.flatMap((one): readonly Writer[] => {
    const target = valueAt(one, 'spec', 'targetRef') as ScaleTarget | undefined;
    const given = valueAt(one, 'spec', 'updatePolicy', 'updateMode');
    const mode = typeof given === 'string' ? given : 'Auto';
    if (!isTarget(workload, target) || mode === 'Off') return [];
    // A pod that runs keeps the requests that it was created with.
    if (object.kind === 'Pod' && mode === 'Initial') return [];
    const by = nameOf('autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', one);
    return [
      {
        tool: 'autoscaler',
        label: `VerticalPodAutoscaler ${by.name}`,
        by,
        sight: 'seen',
        when: 'at-once',
        why: `updateMode ${mode}`,
        isOfRequests: true,
        fields: object.kind === 'Pod' ? podRequests : templateRequests,
        managers: [],
        evidence: [fieldEvidence(by, 'spec.targetRef', target)],
      },
    ];
  });
}
