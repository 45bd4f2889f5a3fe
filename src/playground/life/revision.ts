import { at, type Obj, type Rec, rec, same, strings } from '../kit/values.ts';
import {
  byAge,
  component,
  conditionsOf,
  count,
  deployments,
  hashLabel,
  isRolling,
  limits,
  plainTemplate,
  progressDeadline,
  replicaSets,
  replicasOf,
  type Rollout,
  rolloutCondition,
  setRolloutCondition,
  tellScaled,
  total,
} from './rollout.ts';
import { create, lastRefusal, ownedBy, put, remove, report, templateHash } from './write.ts';
import { conditionOf } from './conditions.ts';

const revisionNote = 'deployment.kubernetes.io/revision';
const historyNote = 'deployment.kubernetes.io/revision-history';
const desiredNote = 'deployment.kubernetes.io/desired-replicas';
const maxReplicasNote = 'deployment.kubernetes.io/max-replicas';
const uncopiedAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionNote,
  historyNote,
  desiredNote,
  maxReplicasNote,
]);
/** Maximum length of a ReplicaSet's revision history annotation, characters. */
const maxHistoryLength = 2_000;

const revisionOf = (set: Obj) => Number(set.metadata.annotations?.[revisionNote] ?? 0) || 0;

/** The Deployment's replicas when a set was last scaled; undefined without the annotation. */
export function desiredOf(set: Obj): number | undefined {
  const noted = set.metadata.annotations?.[desiredNote];
  return noted === undefined || !/^\d+$/.test(noted) ? undefined : Number(noted);
}

/** Maximum number of pods of all sets when a set was last scaled. */
export const maxReplicasOf = (set: Obj): number =>
  Number(set.metadata.annotations?.[maxReplicasNote] ?? 0) || 0;

/** The annotations that a set gets when its Deployment scales it. */
export function scaleNotes(deployment: Obj): Record<string, string> {
  const wanted = replicasOf(deployment);
  return { [desiredNote]: String(wanted), [maxReplicasNote]: String(wanted + limits(deployment).surge) };
}

/** The annotations of the current set: the Deployment's, its revision, and its earlier revisions. */
function revisionNotes(
  deployment: Obj,
  annotations: Record<string, string>,
  revision: number,
): Record<string, string> {
  const notes = { ...annotations };
  for (const [name, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!uncopiedAnnotations.has(name)) notes[name] = value;
  }
  const old = annotations[revisionNote];
  if ((Number(old ?? 0) || 0) >= revision) return notes;
  notes[revisionNote] = String(revision);
  if (old !== undefined) {
    const past = [...(annotations[historyNote] ?? '').split(',').filter(Boolean), old];
    while (past.length > 1 && past.join(',').length > maxHistoryLength) past.shift();
    notes[historyNote] = past.join(',');
  }
  return notes;
}

function noteRevision(rollout: Rollout, revision: string): void {
  const { life, deployment } = rollout;
  if (deployment.metadata.annotations?.[revisionNote] === revision) return;
  const annotations = { ...deployment.metadata.annotations, [revisionNote]: revision };
  const metadata = { ...deployment.metadata, annotations };
  rollout.deployment = put(life.world, deployments, { ...deployment, metadata });
}

/** The ReplicaSets of a Deployment: that of its current template, and all others. */
export interface Sets {
  readonly current: Obj | undefined;
  readonly old: readonly Obj[];
}

export const allOf = ({ current, old }: Sets): Obj[] =>
  current === undefined ? [...old] : [...old, current];

/**
 * Finds the sets of a Deployment and numbers the current one's revision. `make`: creates the current set if it is
 * missing.
 */
export function findSets(rollout: Rollout, owned: readonly Obj[], make: boolean): Sets {
  const { life, deployment } = rollout;
  const template = plainTemplate(at(deployment, 'spec', 'template'));
  const sorted = [...owned].sort(byAge);
  const found = sorted.find((set) => same(plainTemplate(at(set, 'spec', 'template')), template));
  const old = sorted.filter((set) => set !== found);
  const revision = Math.max(0, ...old.map(revisionOf)) + 1;
  if (found === undefined) {
    return { current: make ? makeSet(rollout, old, template, revision) : undefined, old };
  }
  const annotations = revisionNotes(deployment, found.metadata.annotations ?? {}, revision);
  const { minReadySeconds: _old, ...spec } = rec(found['spec']);
  const minReadySeconds = at(deployment, 'spec', 'minReadySeconds');
  const next = { ...spec, ...(minReadySeconds === undefined ? {} : { minReadySeconds }) };
  const changed = !same(found['spec'], next);
  const generation = (found.metadata.generation ?? 0) + (changed ? 1 : 0);
  const current = put(life.world, replicaSets, {
    ...found,
    metadata: { ...found.metadata, generation, annotations },
    spec: next,
  });
  noteRevision(rollout, current.metadata.annotations?.[revisionNote] ?? '');
  if (
    progressDeadline(deployment) !== undefined &&
    conditionOf(conditionsOf(rollout.deployment), 'Progressing') === undefined
  ) {
    const message = `Found new replica set "${current.metadata.name ?? ''}"`;
    setRolloutCondition(
      rollout,
      rolloutCondition(rollout, 'Progressing', 'True', 'FoundNewReplicaSet', message),
    );
  }
  return { current, old };
}

/** The replicas that the current set may have now. */
export function allowedFor(deployment: Obj, sets: readonly Obj[], currentReplicas: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + limits(deployment).surge - total(sets, replicasOf);
  return room <= 0 ? currentReplicas : currentReplicas + Math.min(room, wanted - currentReplicas);
}

function makeSet(rollout: Rollout, old: readonly Obj[], template: Rec, revision: number): Obj | undefined {
  const { life, deployment } = rollout;
  const { name = '', namespace = '' } = deployment.metadata;
  const hash = templateHash(template);
  const labels = { ...strings(at(template, 'metadata', 'labels')), [hashLabel]: hash };
  const selector = rec(at(deployment, 'spec', 'selector'));
  const first = allowedFor(deployment, old, 0);
  const minReadySeconds = at(deployment, 'spec', 'minReadySeconds');
  const setName = `${name}-${hash}`;
  const set = create(life.world, replicaSets, namespace, {
    metadata: {
      name: setName,
      labels,
      annotations: { ...revisionNotes(deployment, {}, revision), ...scaleNotes(deployment) },
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas: first,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...strings(selector['matchLabels']), [hashLabel]: hash } },
      template: { ...structuredClone(template), metadata: { ...rec(template['metadata']), labels } },
    },
  });
  const watched = progressDeadline(deployment) !== undefined;
  if (set === undefined) {
    const message = `Failed to create new replica set "${setName}": ${lastRefusal(life.world)}`;
    if (watched) {
      setRolloutCondition(
        rollout,
        rolloutCondition(rollout, 'Progressing', 'False', 'ReplicaSetCreateError', message),
      );
    }
    report(life.world, deployment, { type: 'Warning', reason: 'ReplicaSetCreateError', message, component });
    return undefined;
  }
  if (first > 0) tellScaled(rollout, setName, 0, first);
  noteRevision(rollout, String(revision));
  if (watched) {
    const message = `Created new replica set "${setName}"`;
    setRolloutCondition(
      rollout,
      rolloutCondition(rollout, 'Progressing', 'True', 'NewReplicaSetCreated', message),
    );
  }
  return set;
}

/** Deletes the oldest empty sets beyond the history limit. */
export function forgetSets({ life, deployment }: Rollout, old: readonly Obj[]): void {
  const historyLimit = Number(at(deployment, 'spec', 'revisionHistoryLimit') ?? 10);
  const candidates = old
    .filter((set) => set.metadata.deletionTimestamp === undefined)
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of candidates.slice(0, Math.max(0, candidates.length - historyLimit))) {
    const isObserved = count(set, 'observedGeneration') >= (set.metadata.generation ?? 0);
    if (replicasOf(set) === 0 && count(set, 'replicas') === 0 && isObserved)
      remove(life.world, replicaSets, set);
  }
}
