import { timestamp } from '../kit/clock.ts';
import type { Controller, Life } from '../life/engine.ts';
import { create, ownedBy, putSpec, putStatus, remove, report, withCondition } from '../life/write.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

const storage = 'keda.sh/scaledobjects';
const autoscalers = 'autoscaling/horizontalpodautoscalers';
const pausedReplicasAnnotation = 'autoscaling.keda.sh/paused-replicas';
/** Annotation that pauses scaling at the current replica count. */
const pausedAtCurrent = 'autoscaling.keda.sh/paused';

/** Triggers that an autoscaler measures itself; the playground has no source for others. */
const measured = new Set(['cpu', 'memory']);

const targets: Readonly<Record<string, string>> = {
  Deployment: 'apps/deployments',
  StatefulSet: 'apps/statefulsets',
};

/** Simulates KEDA: an autoscaler for every ScaledObject, pausing, errors and status. */
export const keda: Controller = {
  name: 'keda-operator',
  interested: ({ storage: changedStorage, key, before, after }) =>
    changedStorage === storage &&
    after !== undefined &&
    (before?.['spec'] !== after['spec'] || before?.metadata.annotations !== after.metadata.annotations)
      ? [key]
      : [],
  reconcile: (key, life) => {
    const object = life.world.store.get(storage, key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    reconcile(object, life);
    life.look(keda, key, Number(at(object, 'spec', 'pollingInterval') ?? 30) * 1000);
  },
};

function reconcile(object: Obj, life: Life): void {
  const { world } = life;
  const now = timestamp(world.clock.now());
  const { namespace = '', name = '' } = object.metadata;
  const spec = rec(object['spec']);
  const status = rec(object['status']);
  const triggers = recs(spec['triggers']);
  const kind = str(at(spec, 'scaleTargetRef', 'kind')) || 'Deployment';
  const target = world.store.get(
    targets[kind] ?? '',
    keyOf(namespace, str(at(spec, 'scaleTargetRef', 'name'))),
  );
  let conditions = recs(status['conditions']);
  const set = (type: string, value: 'True' | 'False' | 'Unknown', reason: string, message: string) => {
    const { lastTransitionTime: _, ...next } = rec(
      withCondition(conditions, { type, status: value, reason, message }, now).find(
        (item) => item['type'] === type,
      ),
    );
    conditions = [...conditions.filter((item) => item['type'] !== type), next];
  };
  const { annotations = {} } = object.metadata;
  const pause =
    annotations[pausedReplicasAnnotation] ??
    (annotations[pausedAtCurrent] === 'true'
      ? String(Number(at(target, 'spec', 'replicas') ?? 1))
      : undefined);
  const unknown = triggers.find((trigger) => !measured.has(str(trigger['type'])));
  const hpa = `keda-hpa-${name}`;
  const existing = world.store.get(autoscalers, keyOf(namespace, hpa));
  const reportEvent = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    report(world, object, { type, reason, message, component: 'keda-operator' });
  let fields: Rec = {};
  if (target === undefined) {
    const message = `ScaledObject doesn't have correct scaleTargetRef specification`;
    set('Ready', 'False', 'ScaledObjectCheckFailed', message);
    set('Active', 'Unknown', 'UnknownState', message);
    if (status['hpaName'] === undefined) reportEvent('Warning', 'ScaledObjectCheckFailed', message);
  } else if (pause !== undefined) {
    if (existing !== undefined) remove(world, autoscalers, existing);
    putSpec(world, targets[kind] ?? '', target, { ...rec(target['spec']), replicas: Number(pause) });
    set('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling');
    set('Active', 'False', 'ScalerNotActive', 'Scaling is not performed because triggers are not active');
    set('Paused', 'True', 'ScaledObjectPaused', 'ScaledObject is paused');
    fields = { pausedReplicaCount: Number(pause) };
  } else if (unknown !== undefined) {
    const host =
      str(at(unknown, 'metadata', 'host')) ||
      str(at(unknown, 'metadata', 'bootstrapServers')) ||
      'its source';
    const message = `error inspecting ${str(unknown['type'])} trigger: dial tcp: lookup ${host}: no such host`;
    set('Ready', 'False', 'TriggerError', 'Triggers defined in ScaledObject are not working correctly');
    set('Active', 'Unknown', 'UnknownState', 'ScaledObject check failed');
    reportEvent('Warning', 'KEDAScalerFailed', message);
    const [metric] = [`s0-${str(unknown['type'])}-${str(at(unknown, 'metadata', 'queueName')) || 'queue'}`];
    const failures = Number(at(status, 'health', metric, 'numberOfFailures') ?? 0) + 1;
    fields = { health: { [metric]: { numberOfFailures: failures, status: 'Failing' } } };
  } else {
    if (existing === undefined) reportEvent('Normal', 'KEDAScalersStarted', 'Started scalers watch');
    set('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling');
    set('Active', 'True', 'ScalerActive', 'Scaling is performed because triggers are active');
    set('Paused', 'False', 'ScaledObjectUnpaused', 'pause annotation removed for ScaledObject');
    fields = { lastActiveTime: now };
  }
  set('Fallback', 'False', 'NoFallbackFound', 'No fallbacks are active on this scaled object');
  const scales = target !== undefined && pause === undefined && unknown === undefined;
  if (scales) scaler(object, existing, hpa, kind, life);
  const names = triggers.map((trigger) => str(trigger['type']));
  putStatus(world, storage, object, {
    ...status,
    scaleTargetKind: `apps/v1.${kind}`,
    scaleTargetGVKR: { group: 'apps', kind, resource: `${kind.toLowerCase()}s`, version: 'v1' },
    originalReplicaCount: status['originalReplicaCount'] ?? Number(at(target, 'spec', 'replicas') ?? 1),
    triggersTypes: names.join(','),
    ...(scales ? { hpaName: hpa, resourceMetricNames: names } : {}),
    ...fields,
    conditions,
  });
}

/** Creates or updates the autoscaler of a ScaledObject. */
function scaler(object: Obj, existing: Obj | undefined, name: string, kind: string, life: Life): void {
  const spec = rec(object['spec']);
  const wanted: Rec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind, name: str(at(spec, 'scaleTargetRef', 'name')) },
    minReplicas: Number(spec['minReplicaCount'] ?? 1),
    maxReplicas: Number(spec['maxReplicaCount'] ?? 100),
    metrics: recs(spec['triggers']).map((trigger) => ({
      type: 'Resource',
      resource: {
        name: str(trigger['type']),
        target: { type: 'Utilization', averageUtilization: Number(at(trigger, 'metadata', 'value') ?? 80) },
      },
    })),
  };
  if (existing !== undefined) {
    putSpec(life.world, autoscalers, existing, { ...rec(existing['spec']), ...wanted });
    return;
  }
  const labels = {
    'app.kubernetes.io/managed-by': 'keda-operator',
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/part-of': object.metadata.name ?? '',
    'scaledobject.keda.sh/name': object.metadata.name ?? '',
  };
  create(life.world, autoscalers, object.metadata.namespace ?? '', {
    metadata: { name, labels, ownerReferences: [ownedBy(object)] },
    spec: wanted,
  });
}
