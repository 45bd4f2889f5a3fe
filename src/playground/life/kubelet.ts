import type { ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../clock.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, recs, same, str } from '../values.ts';
import { behaviourOf, steady } from './behaviour.ts';
import { type ContainerPlan, nextState } from './container.ts';
import { identity } from './identity.ts';
import type { Controller, Life } from './engine.ts';
import { putStatus, remove, report } from './write.ts';

/** Stands in for the kubelets: takes pods on nodes through their lives without running anything. */
export const kubelet: Controller = {
  name: 'kubelet',
  interested: ({ storage, key, before, after }) => {
    if (storage !== '/pods' || after === undefined || str(at(after, 'spec', 'nodeName')) === '') return [];
    // Its own status writes need no second look: what follows is planned.
    const moved =
      before === undefined ||
      before['spec'] !== after['spec'] ||
      before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
      before.metadata.deletionGracePeriodSeconds !== after.metadata.deletionGracePeriodSeconds;
    return moved && !settled(after) ? [key] : [];
  },
  reconcile: (key, life) => {
    const pod = life.world.store.get('/pods', key);
    if (pod === undefined || str(at(pod, 'spec', 'nodeName')) === '') return;
    if (pod.metadata.deletionTimestamp !== undefined) stop(pod, key, life);
    else live(pod, key, life);
  },
};

/** A pod that runs as it should and for which nothing is planned: thousands of them cost no timer. */
function settled(pod: Obj): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || at(pod, 'status', 'phase') !== 'Running') return false;
  const ready = recs(at(pod, 'status', 'conditions')).some(
    (item) => item['type'] === 'Ready' && item['status'] === 'True',
  );
  const behaves = recs(at(pod, 'spec', 'containers')).every((container) =>
    ['ok', 'slow-start'].includes(behaviourOf(pod, str(container['name']), str(container['image']))),
  );
  const images = statusesOf(pod).every(
    (status) =>
      recs(at(pod, 'spec', 'containers')).find((container) => container['name'] === status.name)?.[
        'image'
      ] === status.image,
  );
  return ready && behaves && images;
}

const statusesOf = (pod: Obj) => recs(at(pod, 'status', 'containerStatuses')) as ContainerStatus[];

function stop(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const asked =
    Date.parse(pod.metadata.deletionTimestamp ?? '') - (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const takes = Math.min(grace, 1_000 + steady(pod.metadata.uid ?? '') * 3_000);
  const left = asked + takes - world.clock.now();
  if (left <= 0) {
    remove(world, '/pods', pod, 0);
    return;
  }
  for (const container of statusesOf(pod)) {
    if (container.state?.running === undefined) continue;
    tell(pod, life, 'Normal', 'Killing', `Stopping container ${container.name}`, container.name);
  }
  life.look(kubelet, key, left + 20);
}

/** Reports an event of a pod's node. */
function tell(
  pod: Obj,
  life: Life,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  container?: string,
): void {
  report(life.world, pod, {
    type,
    reason,
    message,
    component: 'kubelet',
    host: str(at(pod, 'spec', 'nodeName')),
    ...(container === undefined ? {} : { fieldPath: `spec.containers{${container}}` }),
  });
}

function addressOf(pod: Obj, life: Life): string {
  const known = str(at(pod, 'status', 'podIP'));
  if (known !== '') return known;
  const node = life.world.store.get('/nodes', str(at(pod, 'spec', 'nodeName')));
  if (at(pod, 'spec', 'hostNetwork') === true) return hostAddress(node);
  const range = /^(\d+\.\d+\.\d+)\./.exec(str(at(node, 'spec', 'podCIDR')))?.[1] ?? '10.244.0';
  return `${range}.${2 + Math.floor(steady(pod.metadata.uid ?? '', 'address') * 250)}`;
}

const hostAddress = (node: Obj | undefined) =>
  str(recs(at(node, 'status', 'addresses')).find((item) => item['type'] === 'InternalIP')?.['address']);

/** Init containers run one after the other, a few seconds each. */
function initStatuses(
  pod: Obj,
  started: number,
  now: number,
): { statuses: ContainerStatus[]; done: boolean; again: number } {
  const statuses: ContainerStatus[] = [];
  let begin = started + 1_500;
  let done = true;
  let again = Number.POSITIVE_INFINITY;
  for (const container of recs(at(pod, 'spec', 'initContainers'))) {
    const name = str(container['name']);
    const image = str(container['image']);
    const sidecar = container['restartPolicy'] === 'Always';
    const end = begin + 2_000 + steady(pod.metadata.uid ?? '', name) * 2_000;
    const base = { name, image, imageID: '', restartCount: 0, lastState: {} };
    if (now < begin) {
      statuses.push({
        ...base,
        ready: false,
        started: false,
        state: { waiting: { reason: 'PodInitializing' } },
      });
      done = false;
      again = Math.min(again, begin - now);
    } else if (sidecar || now < end) {
      const running = { startedAt: timestamp(begin) };
      statuses.push({
        ...base,
        ...identity(pod, name, image, 0),
        ready: sidecar,
        started: sidecar,
        state: { running },
      });
      if (!sidecar) {
        done = false;
        again = Math.min(again, end - now);
      }
    } else {
      const terminated = {
        exitCode: 0,
        reason: 'Completed',
        startedAt: timestamp(begin),
        finishedAt: timestamp(end),
      };
      statuses.push({
        ...base,
        ...identity(pod, name, image, 0),
        ready: true,
        started: false,
        state: { terminated },
      });
    }
    begin = sidecar ? begin + 500 : end;
  }
  return { statuses, done, again };
}

function live(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const now = world.clock.now();
  const phase = at(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return;
  const before = rec(pod['status']);
  const startTime = str(before['startTime']) || timestamp(now);
  const init = initStatuses(pod, Date.parse(startTime), now);
  let again = init.again;
  const old = new Map(statusesOf(pod).map((status) => [status.name, status]));
  const policy = str(at(pod, 'spec', 'restartPolicy'));
  const statuses = recs(at(pod, 'spec', 'containers')).map((container): ContainerStatus => {
    const plan: ContainerPlan = {
      pod,
      container,
      status: old.get(str(container['name'])),
      now,
      started: Date.parse(startTime),
      initialised: init.done,
      hasInit: init.statuses.length > 0,
      policy,
    };
    const next = nextState(plan, (type, reason, message) =>
      tell(pod, life, type, reason, message, str(container['name'])),
    );
    if (next.again !== undefined) again = Math.min(again, next.again);
    return next.status;
  });
  const status = statusOf(pod, life, before, startTime, init, statuses, policy);
  const stored = same(before, status) ? pod : putStatus(world, '/pods', pod, status);
  if (Number.isFinite(again) && world.store.get('/pods', key) !== undefined) {
    life.look(kubelet, keyOf(stored.metadata.namespace, stored.metadata.name ?? ''), Math.max(20, again));
  }
}

function statusOf(
  pod: Obj,
  life: Life,
  before: Rec,
  startTime: string,
  init: ReturnType<typeof initStatuses>,
  statuses: readonly ContainerStatus[],
  policy: string,
): Rec {
  const now = timestamp(life.world.clock.now());
  const ended = statuses.every((status) => status.state?.terminated !== undefined) && policy !== 'Always';
  const failed = ended && statuses.some((status) => status.state?.terminated?.exitCode !== 0);
  const stays = !ended || (failed && policy === 'OnFailure');
  const began = statuses.some(
    (status) =>
      status.state?.running !== undefined ||
      (status.restartCount ?? 0) > 0 ||
      status.state?.terminated !== undefined,
  );
  const phase = stays ? (began ? 'Running' : 'Pending') : failed ? 'Failed' : 'Succeeded';
  const unready = statuses.filter((status) => status.ready !== true).map((status) => status.name);
  const unreadyText = `containers with unready status: [${unready.join(' ')}]`;
  const finished = phase === 'Succeeded' || phase === 'Failed';
  const readyReason =
    phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : 'ContainersNotReady';
  const ready = unready.length === 0 && !finished;
  const sandbox =
    began ||
    str(before['podIP']) !== '' ||
    init.statuses.some((status) => status.state?.running !== undefined);
  const unfinished = init.statuses.filter((status) => status.ready !== true).map((status) => status.name);
  const condition = (type: string, good: boolean, reason: string, message: string): Rec => {
    const old = recs(before['conditions']).find((item) => item['type'] === type);
    const value = good ? 'True' : 'False';
    return {
      type,
      observedGeneration: pod.metadata.generation ?? 1,
      status: value,
      lastProbeTime: null,
      lastTransitionTime: old?.['status'] === value ? old['lastTransitionTime'] : now,
      ...(good || reason === '' ? {} : { reason }),
      ...(good || message === '' ? {} : { message }),
    };
  };
  const scheduled = recs(before['conditions']).find((item) => item['type'] === 'PodScheduled');
  const address = sandbox ? addressOf(pod, life) : '';
  const node = hostAddress(life.world.store.get('/nodes', str(at(pod, 'spec', 'nodeName'))));
  return {
    observedGeneration: pod.metadata.generation ?? 1,
    phase,
    conditions: [
      condition('PodReadyToStartContainers', sandbox && !finished, '', ''),
      condition(
        'Initialized',
        init.done,
        'ContainersNotInitialized',
        `containers with incomplete status: [${unfinished.join(' ')}]`,
      ),
      condition('Ready', ready, readyReason, finished ? '' : unreadyText),
      condition('ContainersReady', ready, readyReason, finished ? '' : unreadyText),
      scheduled ?? condition('PodScheduled', true, '', ''),
    ],
    ...(node === '' ? {} : { hostIP: node, hostIPs: [{ ip: node }] }),
    ...(address === '' ? {} : { podIP: address, podIPs: [{ ip: address }] }),
    startTime,
    ...(init.statuses.length === 0 ? {} : { initContainerStatuses: init.statuses }),
    containerStatuses: statuses,
    qosClass: before['qosClass'] ?? 'BestEffort',
  };
}
