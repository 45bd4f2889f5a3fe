import { timestamp } from '../clock.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, recs, same, str, strings } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import {
  create,
  ownedBy,
  put,
  putSpec,
  putStatus,
  remove,
  report,
  templateHash,
  withCondition,
} from './write.ts';

const storage = 'apps/deployments';
const sets = 'apps/replicasets';
const hashLabel = 'pod-template-hash';
const revisionNote = 'deployment.kubernetes.io/revision';
const historyNote = 'deployment.kubernetes.io/revision-history';
const notCopied = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionNote,
  historyNote,
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
]);

/** Rolls ReplicaSets so that pods follow a Deployment's template. */
export const deploymentController: Controller = {
  name: 'deployment-controller',
  interested: ({ storage: place, key, before, after }) => {
    if (place === storage) return [key];
    if (place !== sets) return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'Deployment' ? [keyOf((after ?? before)?.metadata.namespace, owner.name)] : [];
  },
  reconcile: (key, life) => {
    const deployment = life.world.store.get(storage, key);
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
    roll(deployment, key, life);
  },
};

const replicasOf = (object: Obj) => Number(at(object, 'spec', 'replicas') ?? 0);
const count = (object: Obj, field: string) => Number(at(object, 'status', field) ?? 0);
const total = (objects: readonly Obj[], value: (object: Obj) => number) =>
  objects.reduce((sum, object) => sum + value(object), 0);
const revisionOf = (set: Obj) => Number(set.metadata.annotations?.[revisionNote] ?? 0);

/** A count or a percentage of a number. */
export function fraction(value: unknown, of: number, up: boolean): number {
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) return Number(value ?? 0);
  const exact = (Number(percent) * of) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

function limits(deployment: Obj): { surge: number; unavailable: number } {
  const wanted = replicasOf(deployment);
  if (at(deployment, 'spec', 'strategy', 'type') === 'Recreate') return { surge: 0, unavailable: wanted };
  const rolling = rec(at(deployment, 'spec', 'strategy', 'rollingUpdate'));
  const surge = fraction(rolling['maxSurge'], wanted, true);
  const unavailable = fraction(rolling['maxUnavailable'], wanted, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** A template without the label that ReplicaSets add. */
function plainTemplate(template: unknown): Rec {
  const { metadata, ...rest } = rec(template);
  const { labels, ...others } = rec(metadata);
  const { [hashLabel]: _hash, ...plain } = strings(labels);
  return { ...rest, metadata: { ...others, labels: plain } };
}

function roll(deployment: Obj, key: string, life: Life): void {
  const owned = life.children.of(deployment.metadata.uid, sets).sort((a, b) => revisionOf(a) - revisionOf(b));
  const template = plainTemplate(at(deployment, 'spec', 'template'));
  const paused = at(deployment, 'spec', 'paused') === true;
  let current = owned.find((set) => same(plainTemplate(at(set, 'spec', 'template')), template));
  if (current === undefined && !paused) current = makeSet(deployment, owned, template, life);
  else if (current !== undefined) current = noteRevision(deployment, owned, current, life);
  if (current === undefined) {
    summarise(deployment, owned, undefined, key, life);
    return;
  }
  const uid = current.metadata.uid;
  const old = owned.filter((set) => set.metadata.uid !== uid);
  if (paused) summarise(deployment, [...old, current], current, key, life);
  else {
    const after =
      at(deployment, 'spec', 'strategy', 'type') === 'Recreate'
        ? recreate(deployment, old, current, life)
        : rollingUpdate(deployment, old, current, life);
    summarise(
      deployment,
      after,
      after.find((set) => set.metadata.uid === uid),
      key,
      life,
    );
    if (
      after.every(
        (set) => set.metadata.uid === uid || (replicasOf(set) === 0 && count(set, 'replicas') === 0),
      )
    ) {
      forgetOld(deployment, old, life);
    }
  }
}

function notes(deployment: Obj, revision: string, wanted: number): Record<string, string> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name]) => !notCopied.has(name),
  );
  const { surge } = limits(deployment);
  return {
    ...Object.fromEntries(copied),
    'deployment.kubernetes.io/desired-replicas': String(wanted),
    'deployment.kubernetes.io/max-replicas': String(wanted + surge),
    [revisionNote]: revision,
  };
}

function setRevision(deployment: Obj, revision: string, life: Life): void {
  const { store } = life.world;
  const current = store.get(storage, keyOf(deployment.metadata.namespace, deployment.metadata.name ?? ''));
  if (current === undefined || current.metadata.annotations?.[revisionNote] === revision) return;
  const annotations = { ...current.metadata.annotations, [revisionNote]: revision };
  put(life.world, storage, { ...current, metadata: { ...current.metadata, annotations } });
}

function makeSet(deployment: Obj, owned: readonly Obj[], template: Rec, life: Life): Obj | undefined {
  const { name = '', namespace = '' } = deployment.metadata;
  const hash = templateHash(template);
  const labels = { ...strings(at(template, 'metadata', 'labels')), [hashLabel]: hash };
  const selector = rec(at(deployment, 'spec', 'selector'));
  const revision = String(Math.max(0, ...owned.map(revisionOf)) + 1);
  const wanted = replicasOf(deployment);
  const { surge } = limits(deployment);
  const running = total(owned, replicasOf);
  const recreating = at(deployment, 'spec', 'strategy', 'type') === 'Recreate';
  const first =
    owned.length === 0
      ? wanted
      : recreating
        ? running > 0
          ? 0
          : wanted
        : Math.max(0, Math.min(wanted, wanted + surge - running));
  const minReadySeconds = at(deployment, 'spec', 'minReadySeconds');
  const set = create(life.world, sets, namespace, {
    metadata: {
      name: `${name}-${hash}`,
      labels,
      annotations: notes(deployment, revision, wanted),
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas: first,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...strings(selector['matchLabels']), [hashLabel]: hash } },
      template: { ...structuredClone(template), metadata: { ...rec(template['metadata']), labels } },
    },
  });
  if (set === undefined) return undefined;
  setRevision(deployment, revision, life);
  if (first > 0) tellScale(deployment, set, 0, first, life);
  return set;
}

/** Going back to an earlier template makes its set the newest revision. */
function noteRevision(deployment: Obj, owned: readonly Obj[], current: Obj, life: Life): Obj {
  const others = owned.filter((set) => set !== current).map(revisionOf);
  const newest = Math.max(0, ...others);
  const mine = revisionOf(current);
  const revision = String(mine > newest ? mine : newest + 1);
  setRevision(deployment, revision, life);
  if (revision === String(mine)) return current;
  const past = [current.metadata.annotations?.[historyNote], String(mine)].filter(Boolean).join(',');
  const annotations = { ...notes(deployment, revision, replicasOf(deployment)), [historyNote]: past };
  return put(life.world, sets, { ...current, metadata: { ...current.metadata, annotations } });
}

function tellScale(deployment: Obj, set: Obj, from: number, to: number, life: Life): void {
  report(life.world, deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${to > from ? 'up' : 'down'} replica set ${set.metadata.name} from ${from} to ${to}`,
    component: deploymentController.name,
  });
}

function scale(deployment: Obj, set: Obj, to: number, life: Life): Obj {
  const from = replicasOf(set);
  const { surge } = limits(deployment);
  const annotations = {
    ...set.metadata.annotations,
    'deployment.kubernetes.io/desired-replicas': String(replicasOf(deployment)),
    'deployment.kubernetes.io/max-replicas': String(replicasOf(deployment) + surge),
  };
  const scaled = putSpec(life.world, sets, set, { ...rec(set['spec']), replicas: to }, annotations);
  if (from !== to) tellScale(deployment, set, from, to, life);
  return scaled;
}

function recreate(deployment: Obj, old: readonly Obj[], current: Obj, life: Life): Obj[] {
  const stopped = old.map((set) => (replicasOf(set) > 0 ? scale(deployment, set, 0, life) : set));
  const gone = old.every((set) => life.children.of(set.metadata.uid, '/pods').length === 0);
  return [...stopped, gone ? scale(deployment, current, replicasOf(deployment), life) : current];
}

function rollingUpdate(deployment: Obj, old: readonly Obj[], current: Obj, life: Life): Obj[] {
  const wanted = replicasOf(deployment);
  const { surge, unavailable } = limits(deployment);
  const mine = replicasOf(current);
  const everything = mine + total(old, replicasOf);
  // Up first, as far as the surge allows.
  if (mine > wanted) return [...old, scale(deployment, current, wanted, life)];
  if (mine < wanted) {
    const more = Math.min(wanted + surge - everything, wanted - mine);
    if (more > 0) return [...old, scale(deployment, current, mine + more, life)];
  }
  // Then down, as far as availability allows: pods that are not healthy go first.
  let spare = everything - (wanted - unavailable) - (mine - count(current, 'availableReplicas'));
  const after: Obj[] = [];
  for (const set of old) {
    const have = replicasOf(set);
    const sick = Math.min(have, Math.max(0, have - count(set, 'availableReplicas')), Math.max(0, spare));
    spare -= sick;
    after.push(sick > 0 ? scale(deployment, set, have - sick, life) : set);
  }
  const available = total(after, (set) => Math.min(count(set, 'availableReplicas'), replicasOf(set)));
  let healthy = available + count(current, 'availableReplicas') - (wanted - unavailable);
  const result = after.map((set) => {
    const step = Math.min(replicasOf(set), Math.max(0, healthy));
    if (step === 0) return set;
    healthy -= step;
    return scale(deployment, set, replicasOf(set) - step, life);
  });
  return [...result, mine === wanted ? scale(deployment, current, wanted, life) : current];
}

function forgetOld(deployment: Obj, old: readonly Obj[], life: Life): void {
  const keep = Number(at(deployment, 'spec', 'revisionHistoryLimit') ?? 10);
  const idle = old.filter((set) => replicasOf(set) === 0 && count(set, 'replicas') === 0);
  for (const set of idle.slice(0, Math.max(0, idle.length - keep))) remove(life.world, sets, set);
}

function summarise(
  deployment: Obj,
  owned: readonly Obj[],
  current: Obj | undefined,
  key: string,
  life: Life,
): void {
  const { world } = life;
  const before = world.store.get(storage, key);
  if (before === undefined) return;
  const wanted = replicasOf(deployment);
  const replicas = total(owned, (set) => count(set, 'replicas'));
  const ready = total(owned, (set) => count(set, 'readyReplicas'));
  const available = total(owned, (set) => count(set, 'availableReplicas'));
  const updated = current === undefined ? 0 : count(current, 'replicas');
  const missing = Math.max(0, total(owned, replicasOf) - available);
  const status = rec(before['status']);
  const enough = available >= wanted - limits(deployment).unavailable;
  const now = timestamp(world.clock.now());
  let conditions = recs(status['conditions']);
  const set = (next: Rec) => {
    const old = conditions.find((item) => item['type'] === next['type']);
    const equal =
      old?.['status'] === next['status'] &&
      old?.['reason'] === next['reason'] &&
      old?.['message'] === next['message'];
    if (!equal) conditions = withCondition(conditions, { ...next, lastUpdateTime: now }, now);
  };
  set({
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough
      ? 'Deployment has minimum availability.'
      : 'Deployment does not have minimum availability.',
  });
  const next: Rec = {
    observedGeneration: before.metadata.generation ?? 1,
    ...(replicas === 0 ? {} : { replicas }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    ...(missing === 0 ? {} : { unavailableReplicas: missing }),
    terminatingReplicas: total(owned, (item) => count(item, 'terminatingReplicas')),
  };
  if (current !== undefined) {
    const progress = progressOf(deployment, current, status, next, conditions, world.clock.now());
    if (progress.condition !== undefined) set(progress.condition);
    if (progress.moved) {
      conditions = conditions.map((item) =>
        item['type'] === 'Progressing' ? { ...item, lastUpdateTime: now } : item,
      );
    }
    if (progress.again !== undefined) life.look(deploymentController, key, progress.again);
  }
  putStatus(world, storage, before, { ...next, conditions });
}

function progressOf(
  deployment: Obj,
  current: Obj,
  before: Rec,
  next: Rec,
  conditions: readonly Rec[],
  now: number,
): { condition?: Rec; moved: boolean; again?: number } {
  const wanted = replicasOf(deployment);
  const name = str(current.metadata.name);
  const old = conditions.find((item) => item['type'] === 'Progressing');
  const complete =
    Number(next['updatedReplicas'] ?? 0) === wanted &&
    Number(next['replicas'] ?? 0) === wanted &&
    Number(next['availableReplicas'] ?? 0) === wanted;
  const say = (status: string, reason: string, message: string): Rec => ({
    type: 'Progressing',
    status,
    reason,
    message,
  });
  if (complete) {
    return {
      condition: say('True', 'NewReplicaSetAvailable', `ReplicaSet "${name}" has successfully progressed.`),
      moved: false,
    };
  }
  const number = (status: Rec, field: string) => Number(status[field] ?? 0);
  const gone = (status: Rec) => number(status, 'replicas') - number(status, 'updatedReplicas');
  const moved =
    number(next, 'updatedReplicas') > number(before, 'updatedReplicas') ||
    number(next, 'readyReplicas') > number(before, 'readyReplicas') ||
    number(next, 'availableReplicas') > number(before, 'availableReplicas') ||
    gone(next) < gone(before);
  if (old === undefined) {
    return {
      condition: say('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`),
      moved: false,
      again: 5_000,
    };
  }
  const finished = old['reason'] === 'NewReplicaSetAvailable' && str(old['message']).includes(`"${name}"`);
  if (finished && !moved) return { moved: false };
  const deadline = Number(at(deployment, 'spec', 'progressDeadlineSeconds') ?? 600) * 1000;
  const since = Date.parse(str(old['lastUpdateTime']));
  const fresh = !str(old['message']).includes(`"${name}"`);
  if (moved || fresh) {
    return {
      condition: say('True', 'ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`),
      moved: true,
      again: deadline,
    };
  }
  if (now - since >= deadline) {
    return {
      condition: say('False', 'ProgressDeadlineExceeded', `ReplicaSet "${name}" has timed out progressing.`),
      moved: false,
    };
  }
  return { moved: false, again: deadline - (now - since) + 50 };
}
