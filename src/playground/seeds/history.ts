import type { ContainerStatus } from '../../kube/core.ts';
import { type Clock, type ManualClock, timestamp } from '../kit/clock.ts';
import { behaviourOf, steady } from '../kit/behaviour.ts';
import { Life, type SavedLife } from '../life/engine.ts';
import { startLife } from '../life/life.ts';
import { create, put } from '../life/write.ts';
import type { SavedStore } from '../store/store.ts';
import type { World } from '../store/world.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { plantAccess, plantAccounts, plantPriorities } from './access.ts';
import { activity } from './activity.ts';
import { eras, machines, stuckRollout } from './company.ts';
import { plantEstate } from './estate.ts';
import { incidents } from './incident.ts';
import { issuing } from './issuing.ts';
import { keda } from './keda.ts';
import { plantOperations } from './operations.ts';
import { leaders } from './leaders.ts';
import { createNode } from './nodes.ts';
import { dueOfJobs } from './past-jobs.ts';
import { setImage } from './release.ts';
import { plantSystemMaps } from './system-maps.ts';
import { createWorkload, type Workload } from './workload.ts';

const day = 24 * 3600_000;
const hour = 3600_000;
const minute = 60_000;

/** Age of the company's history, ms. */
export function pastOf(): number {
  return (eras[0]?.days ?? 0) * day;
}

/** Plain data of a company whose past has been played, from which others continue. */
export interface History {
  /** End of the past, ms. */
  readonly now: number;
  readonly store: SavedStore;
  readonly lives: readonly [SavedLife, SavedLife];
}

/** How a company's past becomes its present; the rest as in `Planting`. */
interface Company {
  readonly controllers: boolean;
  readonly activity: boolean;
  readonly history?: History;
  readonly onPlayed?: (history: History) => void;
}

/**
 * Plays the company's past on a clock of its own with the controllers, or what has passed since a saved one, and hands
 * over to the present. `settle` serves pending definitions at once. Returns a function that stops the controllers.
 */
export function plantCompany(
  world: World,
  past: ManualClock,
  present: Clock,
  settle: () => void,
  { controllers, activity: isActive, history, onPlayed }: Company,
): () => void {
  const now = present.now();
  if (history === undefined) plantFoundation(world);
  const life = startLife(world, history?.lives[0]);
  const simulations = new Life(world, [keda, issuing, leaders], history?.lives[1]);
  if (history === undefined) {
    playPast(world, past, now, settle);
    onPlayed?.({ now, store: world.store.save(), lives: [life.save(), simulations.save()] });
  } else {
    Life.resume([
      [life, history.lives[0]],
      [simulations, history.lives[1]],
    ]);
    past.advance(now - past.now());
    world.store.compact();
  }
  past.handOver(present);
  if (!controllers) {
    life.stop();
    simulations.stop();
    return () => undefined;
  }
  const stopActivity = isActive ? activity(world) : () => undefined;
  const stopIncidents = isActive ? incidents(world) : () => undefined;
  return () => {
    stopActivity();
    stopIncidents();
    life.stop();
    simulations.stop();
  };
}

/** Creates what is there before any controller runs. */
function plantFoundation(world: World): void {
  machines.forEach((machine, index) => createNode(world, machine, index));
  create(world, 'storage.k8s.io/storageclasses', '', {
    metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  });
  plantPriorities(world);
  plantSystemMaps(world);
}

/** Plays the whole past, with the controllers running. */
function playPast(world: World, past: ManualClock, now: number, settle: () => void): void {
  for (const name of ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
    staticPod(world, name);
  // Runs twice for later namespaces; objects that exist are refused.
  const estate = [32, 8.9].map(
    (days): Moment => ({
      at: now - days * day,
      run: () => {
        plantEstate(world, now, settle);
        plantAccess(world);
        past.advance(minute);
      },
    }),
  );
  const operations = {
    at: now - 26 * hour,
    run: () => {
      settleServices(world);
      plantOperations(world);
      setImage(world, stuckRollout.namespace, stuckRollout.name, stuckRollout.image);
      past.advance(11 * minute);
    },
  };
  const moments = [...timeline(world, past, now), ...estate, operations].sort((a, b) => a.at - b.at);
  for (const { at: moment, run } of moments) {
    runUntil(world, past, now, moment);
    past.jump(moment);
    run();
    world.store.compact();
    // Frees the memory of each era where the process exposes it.
    (globalThis as { gc?: () => void }).gc?.();
  }
  runUntil(world, past, now, now - 16 * minute);
  for (const { workloads } of eras)
    for (const workload of workloads)
      if (workload.restarts !== undefined) addRestarts(world, workload, workload.restarts, past.now());
  world.store.compact();
  past.jump(now - 16 * minute);
  past.advance(now - past.now());
  world.store.compact();
}

/**
 * Times in the last hour, in minutes ago, at which the clock runs briefly, so that containers that exit
 * periodically do not all exit at one time.
 */
const shortRuns = [58, 47, 36, 26];

/** Runs the clock at the due times of cron jobs whose jobs are kept, and at the glances. */
function runUntil(world: World, past: ManualClock, now: number, until: number): void {
  const times = new Map(shortRuns.map((ago) => [now - ago * minute, 2_000]));
  for (const time of dueOfJobs(world, now)) times.set(time, minute / 2);
  for (const [time, duration] of Array.from(times).sort(([a], [b]) => a - b)) {
    if (time <= past.now() || time >= until) continue;
    past.jump(time);
    past.advance(duration);
  }
}

interface Moment {
  readonly at: number;
  readonly run: () => void;
}

/** The moments of the history in order: arrival of each era, then its later versions. */
function timeline(world: World, past: ManualClock, now: number): Moment[] {
  const moments = eras.flatMap(({ days, namespaces, workloads }): Moment[] => {
    const arrival = () => {
      for (const [name, labels] of Object.entries(namespaces)) {
        create(world, '/namespaces', '', { metadata: { name, labels } });
      }
      past.advance(minute / 6);
      plantAccounts(world, [...Object.keys(namespaces), ...workloads.map(({ namespace }) => namespace)]);
      for (const workload of workloads) {
        createWorkload(world, firstVersion(workload));
        past.advance(7_000);
      }
      past.advance(minute);
    };
    const steps = Math.max(0, ...workloads.map((workload) => workload.earlier?.length ?? 0));
    const laterVersions = Array.from({ length: steps }, (_, index) => ({
      at: now - days * day * (1 - (index + 1) / (steps + 0.4)),
      run: () => {
        for (const workload of workloads) upgrade(world, workload, index + 1);
        past.advance(minute * 2);
      },
    }));
    return [{ at: now - days * day, run: arrival }, ...laterVersions];
  });
  return moments;
}

const imageWith = (workload: Workload, tag: string) => workload.image.replace(/:[^:/]*$/, `:${tag}`);

function firstVersion(workload: Workload): Workload {
  const tag = workload.earlier?.[0];
  return tag === undefined ? workload : { ...workload, image: imageWith(workload, tag) };
}

function upgrade(world: World, workload: Workload, step: number): void {
  const { earlier } = workload;
  if (earlier === undefined || step > earlier.length) return;
  const tag = earlier[step];
  setImage(
    world,
    workload.namespace,
    workload.name,
    tag === undefined ? workload.image : imageWith(workload, tag),
  );
}

/** Creates a static pod of the control plane. */
function staticPod(world: World, name: string): void {
  const node = world.store.get('/nodes', 'control-plane-1');
  if (node === undefined) return;
  const { apiVersion, kind } = node;
  const version = world.registry.version['gitVersion'] ?? '';
  const image = name === 'etcd' ? 'registry.k8s.io/etcd:3.6.6-0' : `registry.k8s.io/${name}:${version}`;
  create(world, '/pods', 'kube-system', {
    metadata: {
      name: `${name}-control-plane-1`,
      labels: { component: name, tier: 'control-plane' },
      annotations: { 'kubernetes.io/config.source': 'file' },
      ownerReferences: [
        { apiVersion, kind, name: node.metadata.name, uid: node.metadata.uid, controller: true },
      ],
    },
    spec: {
      nodeName: 'control-plane-1',
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      automountServiceAccountToken: false,
      tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      containers: [{ name, image, resources: { requests: { cpu: '150m', memory: '256Mi' } } }],
    },
  });
}

/** Gives load balancers an external address. */
function settleServices(world: World): void {
  for (const service of world.store.list('/services')) {
    if (at(service, 'spec', 'type') !== 'LoadBalancer') continue;
    put(world, '/services', {
      ...service,
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.24', ipMode: 'VIP' }] } },
    });
  }
}

/** Raises the restart counts and events of crashing pods, as if they had crashed for long. */
function addRestarts(world: World, workload: Workload, restarts: number, now: number): void {
  for (const pod of podsOf(world, workload)) {
    const image = str(recs(at(pod, 'spec', 'containers'))[0]?.['image']);
    const behaviour = behaviourOf(pod, workload.name, image);
    // Varies the number of restarts between pods.
    const times = restarts - Math.floor(steady(pod.metadata.uid ?? '', 'past') * restarts * 0.01);
    const statuses = (recs(at(pod, 'status', 'containerStatuses')) as ContainerStatus[]).map((status) =>
      status.name === workload.name ? withRestarts(status, times, behaviour === 'oom', now) : status,
    );
    const status: Rec = { ...rec(pod['status']), containerStatuses: statuses };
    put(world, '/pods', { ...pod, status });
    countEvents(world, pod, times);
  }
}

/** The share of a pod's restarts that its events count, by reason: most are dropped by the rate limit. */
const countedShareByReason: Readonly<Record<string, number>> = {
  Pulled: 0.2,
  Created: 0.2,
  Started: 0.2,
  BackOff: 0.4,
};

/** Sets the counts of a crashing pod's events. */
function countEvents(world: World, pod: Obj, restarts: number): void {
  for (const event of world.store.list('/events', `${pod.metadata.namespace ?? ''}/`)) {
    const share = countedShareByReason[str(event['reason'])];
    if (share === undefined || at(event, 'involvedObject', 'uid') !== pod.metadata.uid) continue;
    const count = Math.max(Number(event['count'] ?? 1), Math.round(restarts * share));
    put(world, '/events', { ...event, count, firstTimestamp: pod.metadata.creationTimestamp });
  }
}

function withRestarts(
  status: ContainerStatus,
  restarts: number,
  isOutOfMemory: boolean,
  now: number,
): ContainerStatus {
  const terminated = {
    exitCode: isOutOfMemory ? 137 : 1,
    reason: isOutOfMemory ? 'OOMKilled' : 'Error',
    startedAt: timestamp(now - 320_000),
    finishedAt: timestamp(now - 312_000),
  };
  return { ...status, restartCount: restarts, lastState: { terminated } };
}

function podsOf(world: World, { namespace, name }: Workload): Obj[] {
  return world.store
    .list('/pods', `${namespace}/`)
    .filter((pod) => pod.metadata.labels?.['app.kubernetes.io/name'] === name);
}
