import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';
import { behaviourNote } from '../kit/behaviour.ts';
import type { Life } from './engine.ts';
import { putStatus, report } from './write.ts';

/** Behaviours of a node, requested by the annotation `playground/behaviour`, each with its description. */
export const nodeBehaviours = {
  silent: 'its kubelet is heard of no more: after 50 s its state is Unknown, its pods are moved away later',
  'not-ready': 'its network plugin does not work: NotReady',
  'memory-pressure':
    'runs short of memory: takes no new pods, evicts one after 10 s and another every 5 minutes',
  'disk-pressure': 'runs short of disk: the same for its disk',
} as const;
type NodeBehaviour = keyof typeof nodeBehaviours;

/** The requested behaviour of a node; undefined for none or an unknown one. */
export function nodeBehaviourOf(node: Obj | undefined): NodeBehaviour | undefined {
  const behaviour = node?.metadata.annotations?.[behaviourNote] ?? '';
  return Object.hasOwn(nodeBehaviours, behaviour) ? (behaviour as NodeBehaviour) : undefined;
}

/** Whether a node's kubelet does not answer. */
export const isSilent = (node: Obj | undefined): boolean => nodeBehaviourOf(node) === 'silent';

interface State {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  /** Reason of the event about this state. */
  readonly event: string;
}

const state = (status: 'True' | 'False', reason: string, message: string, event: string): State => ({
  status,
  reason,
  message,
  event,
});

/** Each condition that the kubelet posts: its normal state, and the state under a behaviour. */
const states: Readonly<Record<string, { normal: State; faulty?: readonly [NodeBehaviour, State] }>> = {
  MemoryPressure: {
    normal: state(
      'False',
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
      'NodeHasSufficientMemory',
    ),
    faulty: [
      'memory-pressure',
      state(
        'True',
        'KubeletHasInsufficientMemory',
        'kubelet has insufficient memory available',
        'NodeHasInsufficientMemory',
      ),
    ],
  },
  DiskPressure: {
    normal: state(
      'False',
      'KubeletHasNoDiskPressure',
      'kubelet has no disk pressure',
      'NodeHasNoDiskPressure',
    ),
    faulty: [
      'disk-pressure',
      state('True', 'KubeletHasDiskPressure', 'kubelet has disk pressure', 'NodeHasDiskPressure'),
    ],
  },
  PIDPressure: {
    normal: state(
      'False',
      'KubeletHasSufficientPID',
      'kubelet has sufficient PID available',
      'NodeHasSufficientPID',
    ),
  },
  Ready: {
    normal: state('True', 'KubeletReady', 'kubelet is posting ready status', 'NodeReady'),
    faulty: [
      'not-ready',
      state(
        'False',
        'KubeletNotReady',
        'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
        'NodeNotReady',
      ),
    ],
  },
};

function reportEvent(node: Obj, reason: string, component: string, life: Life): void {
  const { name = '' } = node.metadata;
  report(life.world, node, {
    type: 'Normal',
    reason,
    message: `Node ${name} status is now: ${reason}`,
    component,
    ...(component === 'kubelet' ? { host: name } : {}),
  });
}

/** Reports that a node was cordoned or uncordoned. */
export const reportSchedulable = (node: Obj, life: Life): void =>
  reportEvent(
    node,
    at(node, 'spec', 'unschedulable') === true ? 'NodeNotSchedulable' : 'NodeSchedulable',
    'kubelet',
    life,
  );

/** Updates a node's conditions to its requested behaviour. Returns whether they changed. */
export function postState(node: Obj, life: Life): boolean {
  const now = timestamp(life.world.clock.now());
  const before = recs(at(node, 'status', 'conditions'));
  const behaviour = nodeBehaviourOf(node);
  const moved: string[] = [];
  const conditions = before.map((item): Rec => {
    const known = states[String(item['type'])];
    if (known === undefined) return item;
    const { faulty, normal } = known;
    const wanted = faulty !== undefined && faulty[0] === behaviour ? faulty[1] : normal;
    if (item['status'] === wanted.status && item['reason'] === wanted.reason) return item;
    const { status, reason, message, event } = wanted;
    const statusChanged = item['status'] !== status;
    if (statusChanged) moved.push(event);
    return {
      ...item,
      status,
      reason,
      message,
      lastHeartbeatTime: now,
      lastTransitionTime: statusChanged ? now : item['lastTransitionTime'],
    };
  });
  if (conditions.every((item, index) => item === before[index])) return false;
  putStatus(life.world, '/nodes', node, { ...rec(node['status']), conditions });
  for (const event of moved) reportEvent(node, event, 'kubelet', life);
  return true;
}

/** Sets the conditions of a node to Unknown after its kubelet has been silent for too long. */
export function markUnknown(node: Obj, life: Life): void {
  const now = timestamp(life.world.clock.now());
  const before = recs(at(node, 'status', 'conditions'));
  const conditions = before.map((item): Rec => {
    if (states[String(item['type'])] === undefined || item['status'] === 'Unknown') return item;
    return {
      ...item,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: now,
    };
  });
  if (conditions.every((item, index) => item === before[index])) return;
  putStatus(life.world, '/nodes', node, { ...rec(node['status']), conditions });
  reportEvent(node, 'NodeNotReady', 'node-controller', life);
}
