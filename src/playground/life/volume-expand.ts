import { parseQuantity } from '../../kube/quantity.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { conditionOf, withoutCondition } from './conditions.ts';
import type { Controller, Life } from './engine.ts';
import { claimsOf } from './volume.ts';
import { put, putStatus, report, withCondition } from './write.ts';

const claims = '/persistentvolumeclaims';
const volumes = '/persistentvolumes';
/** Time that the driver needs for a volume, and the node for its file system, ms. */
const [driverTime, nodeTime] = [3_000, 4_000];

/**
 * Expands volumes to their claims' requests: first the volume by its driver, then the file system where a pod
 * uses it.
 */
export const volumeExpander: Controller = {
  name: 'volume_expand',
  interested: ({ storage, key, before, after }) => {
    if (after === undefined) return [];
    if (storage === claims) return before?.['spec'] !== after['spec'] ? [key] : [];
    const began = at(before, 'status', 'phase') !== at(after, 'status', 'phase');
    return storage === '/pods' && began ? claimsOf(after) : [];
  },
  reconcile: (key, life) => {
    const claim = life.world.store.get(claims, key);
    if (claim === undefined || at(claim, 'status', 'phase') !== 'Bound') return;
    const wanted = str(at(claim, 'spec', 'resources', 'requests', 'storage'));
    if (sizeOf(wanted) <= sizeOf(at(claim, 'status', 'capacity', 'storage'))) return;
    const volume = life.world.store.get(volumes, str(at(claim, 'spec', 'volumeName')));
    if (volume !== undefined) grow({ key, life, claim, volume, wanted });
  },
};

interface Growth {
  readonly key: string;
  readonly life: Life;
  readonly claim: Obj;
  readonly volume: Obj;
  /** The requested size. */
  readonly wanted: string;
}

const sizeOf = (value: unknown) => parseQuantity(str(value)) ?? 0;
const driverOf = ({ volume }: Growth) => str(at(volume, 'spec', 'csi', 'driver'));

function reportEvent(
  { life, claim }: Growth,
  reason: string,
  message: string,
  component: string,
  host?: string,
) {
  const from = { component, ...(host === undefined ? {} : { host }) };
  report(life.world, claim, { type: 'Normal', reason, message, ...from });
}

/** Stores the progress of a claim's expansion: the step and its condition. */
function store(growth: Growth, step: string, type: string, message: string): void {
  const { life, claim, wanted } = growth;
  const status = rec(claim['status']);
  const now = timestamp(life.world.clock.now());
  const others = ['Resizing', 'FileSystemResizePending']
    .filter((other) => other !== type)
    .reduce<readonly Rec[]>((list, other) => withoutCondition(list, other), recs(status['conditions']));
  const condition: Rec = {
    type,
    status: 'True',
    lastProbeTime: null,
    ...(message === '' ? {} : { message }),
  };
  putStatus(life.world, claims, claim, {
    ...status,
    allocatedResources: { ...rec(status['allocatedResources']), storage: wanted },
    allocatedResourceStatuses: { ...rec(status['allocatedResourceStatuses']), storage: step },
    conditions: withCondition(others, condition, now),
  });
}

function grow(growth: Growth): void {
  const { key, life, claim, wanted } = growth;
  const { name: volume = '' } = growth.volume.metadata;
  const step = at(claim, 'status', 'allocatedResourceStatuses', 'storage');
  const conditions = recs(at(claim, 'status', 'conditions'));
  const since = (type: string) =>
    life.world.clock.now() - (Date.parse(str(conditionOf(conditions, type)?.['lastTransitionTime'])) || 0);
  if (step === undefined || at(claim, 'status', 'allocatedResources', 'storage') !== wanted) {
    const waits = 'waiting for an external controller to expand this PVC';
    reportEvent(growth, 'ExternalExpanding', waits, volumeExpander.name);
    if (driverOf(growth) === '') return;
    const message = `External resizer is resizing volume ${volume}`;
    reportEvent(growth, 'Resizing', message, `external-resizer ${driverOf(growth)}`);
    store(growth, 'ControllerResizeInProgress', 'Resizing', '');
    life.look(volumeExpander, key, driverTime);
  } else if (step === 'ControllerResizeInProgress') {
    if (since('Resizing') < driverTime) {
      life.look(volumeExpander, key, driverTime - since('Resizing'));
      return;
    }
    const spec = rec(growth.volume['spec']);
    const capacity = { ...rec(spec['capacity']), storage: wanted };
    put(life.world, volumes, { ...growth.volume, spec: { ...spec, capacity } });
    const message = 'Require file system resize of volume on node';
    reportEvent(growth, 'FileSystemResizeRequired', message, `external-resizer ${driverOf(growth)}`);
    const waits = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';
    store(growth, 'NodeResizePending', 'FileSystemResizePending', waits);
    life.look(volumeExpander, key, nodeTime);
  } else finish(growth, since('FileSystemResizePending'));
}

/** Expands the file system where a pod uses the volume; waits for a pod when none does. */
function finish(growth: Growth, waited: number): void {
  const { key, life, claim, wanted } = growth;
  const user = life.world.store
    .list('/pods', `${claim.metadata.namespace ?? ''}/`)
    .find((pod) => at(pod, 'status', 'phase') === 'Running' && claimsOf(pod).includes(key));
  if (user === undefined) return;
  if (waited < nodeTime) {
    life.look(volumeExpander, key, nodeTime - waited);
    return;
  }
  const { allocatedResourceStatuses: _steps, conditions, ...status } = rec(claim['status']);
  const remaining = withoutCondition(recs(conditions), 'FileSystemResizePending');
  putStatus(life.world, claims, claim, {
    ...status,
    capacity: { ...rec(status['capacity']), storage: wanted },
    ...(remaining.length === 0 ? {} : { conditions: remaining }),
  });
  const node = str(at(user, 'spec', 'nodeName'));
  const { name: volume = '' } = growth.volume.metadata;
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${volume}" ${node}`;
  reportEvent(growth, 'FileSystemResizeSuccessful', message, 'kubelet', node);
  const event = {
    type: 'Normal',
    reason: 'FileSystemResizeSuccessful',
    message,
    component: 'kubelet',
  } as const;
  report(life.world, user, { ...event, host: node });
}
