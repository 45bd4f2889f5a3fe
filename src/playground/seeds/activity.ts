import { at, type Obj, rec, recs, str } from '../kit/values.ts';
import { putSpec, putStatus, remove } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { healthyDeployments, setImage } from './release.ts';

/** Simulates activity: occasional releases, scalings and evictions. Returns a function that stops it. */
export function activity(world: World): () => void {
  let stopped = false;
  let cancel = () => {};
  const next = () => {
    cancel = world.clock.after(6_000 + world.chance.next() * 18_000, () => {
      if (stopped) return;
      act(world);
      next();
    });
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
}

/** The workload with the stuck rollout, and that of the recurring incident. */
const excludedWorkloads = new Set(['image-proxy', 'feature-flags']);

function act(world: World): void {
  const { chance, store } = world;
  const workloads = healthyDeployments().filter((workload) => !excludedWorkloads.has(workload.name));
  const workload = workloads[Math.floor(chance.next() * workloads.length)];
  if (workload === undefined) return;
  const deployment = store.get('apps/deployments', keyOf(workload.namespace, workload.name));
  if (deployment === undefined) return;
  const roll = chance.next();
  if (roll < 0.2) release(world, deployment);
  else if (roll < 0.6) {
    const wanted = Number(at(deployment, 'spec', 'replicas') ?? 1);
    const usual = workload.replicas ?? 1;
    const replicas = wanted === usual ? usual + 1 : usual;
    putSpec(world, 'apps/deployments', deployment, { ...rec(deployment['spec']), replicas });
  } else {
    const pods = store
      .list('/pods', `${workload.namespace}/`)
      .filter((pod) => pod.metadata.labels?.['app.kubernetes.io/name'] === workload.name);
    const pod = pods[Math.floor(chance.next() * pods.length)];
    if (pod !== undefined) remove(world, '/pods', pod);
  }
}

/** Releases the next patch version of a Deployment's image. */
function release(world: World, deployment: Obj): void {
  const image = str(recs(at(deployment, 'spec', 'template', 'spec', 'containers'))[0]?.['image']);
  const next = image.replace(/(\d+)$/, (digits) => String(Number(digits) + 1));
  if (next === image) return;
  setImage(world, deployment.metadata.namespace ?? '', deployment.metadata.name ?? '', next);
}

/** Interval between changes of pods for load tests, ms. */
const churnStep = 50;
/** Maximum time to make up for after a delay, ms. */
const maxCatchUp = 1_000;

/** Toggles the readiness of pods at a rate per second, for load tests. Returns a function that stops it. */
export function churn(world: World, rate: number): () => void {
  const keys = Array.from(world.store.entries('/pods'), ([key]) => key);
  let stopped = false;
  let due = 0;
  let last = world.clock.now();
  const tick = () => {
    if (stopped) return;
    // From the elapsed time, since late timers would add up.
    const now = world.clock.now();
    due += (rate * Math.min(now - last, maxCatchUp)) / 1000;
    last = now;
    for (; due >= 1; due -= 1) {
      const key = keys[Math.floor(world.chance.next() * keys.length)];
      const pod = key === undefined ? undefined : world.store.get('/pods', key);
      if (pod !== undefined) flip(world, pod);
    }
    world.clock.after(churnStep, tick);
  };
  world.clock.after(churnStep, tick);
  return () => {
    stopped = true;
  };
}

function flip(world: World, pod: Obj): void {
  const status = rec(pod['status']);
  const conditions = recs(status['conditions']);
  const ready = conditions.some((item) => item['type'] === 'Ready' && item['status'] === 'True');
  const value = ready ? 'False' : 'True';
  putStatus(world, '/pods', pod, {
    ...status,
    conditions: conditions.map((item) =>
      item['type'] === 'Ready' || item['type'] === 'ContainersReady' ? { ...item, status: value } : item,
    ),
    containerStatuses: recs(status['containerStatuses']).map((item) => ({ ...item, ready: !ready })),
  });
}
