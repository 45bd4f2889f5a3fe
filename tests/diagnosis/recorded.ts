import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { servedKind } from '../../commands/kinds/custom.ts';
import { kindById, kindOfObject } from '../../commands/kinds/index.ts';
import { type Pod } from '../../src/kube/core.ts';
import { eventTime, type KubeEvent } from '../../src/kube/infrastructure.ts';
import { revisionOfRecord } from '../../src/kube/helm.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { matchesSelector } from '../../src/kube/selector.ts';
import type { AnyKind } from '../../src/registry/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../src/registry/refs.ts';
import { parseResourceKey } from '../../src/registry/resource-key.ts';
import { sentenceLimit } from '../../src/server/diagnosis/diagnose.ts';
import { factsOf, type ObjectFacts } from '../../src/server/diagnosis/object-facts.ts';
import { type LogPlace, nameOf, type World } from '../../src/server/diagnosis/world.ts';
import { redactText } from '../../src/server/kit/redact-text.ts';
import { presentObject } from '../../src/server/objects/present.ts';
import { decodeRelease } from '../../src/server/objects/release/decode.ts';

/** An object that somebody asks about first, its kind by our name or by `group~version~plural`. */
interface RecordedQuestion {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A situation as a real Kubernetes 1.36 wrote it, with the words that an answer must have and must not have. */
export interface RecordedSituation {
  readonly id: string;
  readonly title: string;
  readonly area: string;
  readonly source: string;
  readonly ask: readonly RecordedQuestion[];
  /** Patterns that the first finding fits, each of them; none of a healthy situation. */
  readonly expect: readonly string[];
  /** Patterns of what would be untrue. */
  readonly wrong: readonly string[];
  readonly objects: readonly KubeObject[];
}

const folder = join(import.meta.dirname, 'recorded');
const clusterFile = 'cluster.json';
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** All recorded situations, the broken ones first. */
export const recordedSituations: readonly RecordedSituation[] = readdirSync(folder)
  .filter((name) => name !== clusterFile)
  .sort()
  .map((name) => ({ id: basename(name, '.json'), ...(readJson(name) as Omit<RecordedSituation, 'id'>) }));

/** Nodes, volumes and classes of the cluster on which all of them happened. */
const clusterObjects = readJson(clusterFile) as readonly KubeObject[];

/** Annotation by which the stand-in kubelet of the recordings was told what happens, the log among it. */
const hintAnnotation = 'lab/do';

/** Log of a container of a pod, from the hints for the kubelet. */
function writtenBy(pod: Pod | undefined, { previous }: LogPlace): readonly string[] {
  const hints = JSON.parse(pod?.metadata?.annotations?.[hintAnnotation] ?? '[]') as object;
  const [status] = pod?.status?.containerStatuses ?? [];
  const run = previous ? status?.lastState : status?.state;
  if (run?.running === undefined && run?.terminated === undefined) return [];
  const isGood = run.terminated?.exitCode === 0;
  const all = [hints].flat() as readonly { readonly log?: readonly string[]; readonly done?: number }[];
  return all.find(({ done }) => (done === 1) === isGood)?.log ?? [];
}

/** When something was last written in a recording, epoch seconds: the moment at which it was taken. */
const takenAt = (objects: readonly KubeObject[]): number =>
  Math.max(
    ...objects.flatMap((object) => [
      Date.parse(object.metadata?.creationTimestamp ?? '') || 0,
      Date.parse(eventTime(object as KubeEvent) ?? '') || 0,
    ]),
  ) /
    1000 +
  // The recordings were asked about seven minutes after everything had been applied.
  7 * 60;

/** The kinds of a recording that have no file. */
function customKinds(objects: readonly KubeObject[], questions: readonly RecordedQuestion[]): AnyKind[] {
  const asked = questions.flatMap(({ kind }) => parseResourceKey(kind) ?? []);
  return objects.flatMap(({ apiVersion = '', kind = '', metadata }) => {
    if (kindOfObject(apiVersion, kind) !== undefined || !apiVersion.includes('.')) return [];
    const group = groupOf(apiVersion);
    const plural = asked.find((one) => one.group === group)?.plural ?? `${kind.toLowerCase()}s`;
    const scope = metadata?.namespace === undefined ? 'Cluster' : 'Namespaced';
    const version = apiVersion.slice(group.length + 1);
    return servedKind({ group, version, plural, kind, scope }, [], true) ?? [];
  });
}

/** The releases whose revisions a recording has. */
async function releasesIn(objects: readonly KubeObject[]): Promise<KubeObject[]> {
  const revisions = objects.filter(
    ({ kind, metadata }) => kind === 'Secret' && revisionOfRecord(metadata?.name ?? '') !== undefined,
  );
  const stored = await Promise.all(revisions.map((one) => decodeRelease(one, 'Secret')));
  return stored
    .filter(({ name, revision }) => !stored.some((one) => one.name === name && one.revision > revision))
    .map(({ name, namespace, revision, status, description, chart, updated }) => ({
      apiVersion: 'helm.sh/v1',
      kind: 'Release',
      metadata: { name, namespace },
      chart,
      revision,
      status,
      description,
      ...(updated === undefined ? {} : { updated }),
    }));
}

/** A recording as the rules see it, and the object that somebody asks about first. */
export async function recordedWorld(situation: RecordedSituation): Promise<{
  readonly world: World;
  readonly root: KubeObject | undefined;
}> {
  const { objects: recorded, ask } = situation;
  const all = [...recorded, ...clusterObjects, ...(await releasesIn(recorded))];
  const custom = customKinds(all, ask);
  const kindOf = ({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): AnyKind | undefined =>
    kindOfObject(apiVersion, kind) ??
    custom.find((one) => one.kind === kind && one.group === groupOf(apiVersion));
  const shown = new Map<string, KubeObject>();
  const facts = new Map<string, ObjectFacts>();
  for (const object of all) {
    const key = refKey(nameOf(object));
    const kind = kindOf({ apiVersion: object.apiVersion ?? 'v1', kind: object.kind ?? '' });
    shown.set(key, kind === undefined ? object : (presentObject(kind, object) as KubeObject));
    facts.set(key, factsOf(object));
  }
  const world: World = {
    now: takenAt(recorded),
    one: (named) => shown.get(refKey(named)) ?? null,
    all: ({ apiVersion, kind, namespace, selector, about }) =>
      [...shown.values()]
        .filter((one) => one.kind === kind && groupOf(one.apiVersion ?? 'v1') === groupOf(apiVersion))
        .filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace)
        .filter(({ metadata }) => selector === undefined || matchesSelector(selector, metadata?.labels))
        .filter((one) => about === undefined || (one as KubeEvent).involvedObject?.uid === about),
    facts: (named) => facts.get(refKey(named)) ?? null,
    log: (place) =>
      writtenBy(shown.get(refKey(place.pod)), place).map((text) => ({ at: null, text: redactText(text) })),
    kindOf,
  };
  const [first] = ask;
  const kind =
    first && (kindById(first.kind) ?? custom.find(({ plural }) => first.kind.endsWith(`~${plural}`)));
  const root = all.find(
    ({ metadata, ...object }) =>
      object.kind === kind?.kind &&
      metadata?.name === first?.name &&
      metadata?.namespace === first?.namespace,
  );
  return { world, root: root && shown.get(refKey(nameOf(root))) };
}

/**
 * Grade of an answer. Of a broken situation: `named` if the first finding is short and has all the words, else
 * `missed`. Of a healthy one: `named` if nothing is said. `untrue` wherever a sentence has a word that is not so.
 */
export function judgedRecording(
  { expect, wrong }: RecordedSituation,
  sentences: readonly string[],
): 'named' | 'missed' | 'untrue' {
  const fits = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  const [first] = sentences;
  if (expect.length === 0) return first === undefined ? 'named' : 'untrue';
  if (sentences.some((text) => wrong.some((pattern) => fits(pattern, text)))) return 'untrue';
  const isNamed =
    first !== undefined && first.length <= sentenceLimit && expect.every((pattern) => fits(pattern, first));
  return isNamed ? 'named' : 'missed';
}
