import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { servedKind } from '../../commands/kinds/custom.ts';
import { kindById, kindOfObject, kinds } from '../../commands/kinds/index.ts';
import { type Pod } from '../../src/kube/core.ts';
import { eventTime, type KubeEvent } from '../../src/kube/infrastructure.ts';
import { revisionOfRecord } from '../../src/kube/helm.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { matchesSelector } from '../../src/kube/selector.ts';
import type { AnyKind } from '../../src/registry/kinds/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../src/registry/kinds/refs.ts';
import { parseResourceKey } from '../../src/registry/kinds/resource-key.ts';
import { type Cause, diagnose, sentenceLimit } from '../../src/server/diagnosis/diagnose.ts';
import { factsOf, type ObjectFacts } from '../../src/server/diagnosis/object-facts.ts';
import { shownObject } from '../../src/server/diagnosis/shown-object.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { type LogPlace, nameOf, type World } from '../../src/server/diagnosis/world.ts';
import { redactText } from '../../src/server/kit/redact-text.ts';
import { decodeRelease } from '../../src/server/objects/release/decode.ts';

/** An object that somebody asks about first, its kind by our name or by `group~version~plural`. */
interface RecordedQuestion {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A situation as a cluster has it, with the words that an answer must have and must not have. */
export interface RecordedSituation {
  readonly id: string;
  readonly title: string;
  readonly area: string;
  readonly source: string;
  readonly ask: readonly RecordedQuestion[];
  /** Patterns that the first finding fits, each of them; none of a healthy situation. */
  readonly expect: readonly string[];
  /** Patterns that the first finding fits with its evidence. */
  readonly named?: readonly string[];
  /** Patterns of what would be untrue. */
  readonly wrong: readonly string[];
  /** When it was taken; where it does not say, some minutes after everything had been applied. */
  readonly clock?: string;
  readonly objects: readonly KubeObject[];
  /** Lines of containers by `namespace/pod/container`: of the last run where one waits to be started again. */
  readonly logs?: Readonly<Record<string, readonly string[]>>;
  /** Nodes, volumes and classes of the cluster on which it happened, besides its own objects. */
  readonly cluster: readonly KubeObject[];
}

const clusterFile = 'cluster.json';

/** @param clusterFolder the folder with the objects of the cluster on which they happened */
function situationsIn(folder: string, clusterFolder = folder): readonly RecordedSituation[] {
  const path = join(import.meta.dirname, folder);
  const readJson = (name: string): unknown => JSON.parse(readFileSync(join(path, name), 'utf8'));
  const cluster = readJson(join('..', clusterFolder, clusterFile)) as readonly KubeObject[];
  return readdirSync(path)
    .filter((name) => name !== clusterFile)
    .sort()
    .map(
      (name) =>
        ({ id: basename(name, '.json'), cluster, ...(readJson(name) as object) }) as RecordedSituation,
    );
}

/** Situations as a real Kubernetes 1.36 wrote them. */
export const recordedSituations = situationsIn('recorded');

/** Situations by a hand that had not read the rules, each after the sources that it names. */
export const secondHandSituations = situationsIn('second-hand');

/** Situations of experts' depth by hands that had not read the rules. No rule was written for them yet: they are a measure. */
export const readExpertSituations = (): readonly RecordedSituation[] => situationsIn('expert', 'second-hand');

/** Annotation by which the stand-in kubelet of the recordings was told what happens, the log among it. */
const hintAnnotation = 'lab/do';

/** Log of a container of a pod, from the lines of the recording or the hints for the kubelet. */
function writtenBy(
  pod: Pod | undefined,
  { previous, container, pod: { namespace = '', name } }: LogPlace,
  logs: RecordedSituation['logs'] = {},
): readonly string[] {
  const lines = logs[`${namespace}/${name}/${container}`];
  if (lines !== undefined) {
    const all = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
    const { state, lastState } = all.find((one) => one.name === container) ?? {};
    const isWaiting = state?.running === undefined && state?.terminated === undefined;
    return previous === (isWaiting && lastState?.terminated !== undefined) ? lines : [];
  }
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
  const isPluralOf = (plural: string, kind: string) =>
    plural.startsWith(kind.toLowerCase().slice(0, -1)) && plural.length <= kind.length + 2;
  return objects.flatMap(({ apiVersion = '', kind = '', metadata }) => {
    if (kindOfObject(apiVersion, kind) !== undefined || !apiVersion.includes('.')) return [];
    const group = groupOf(apiVersion);
    const plural =
      asked.find((one) => one.group === group && isPluralOf(one.plural, kind))?.plural ??
      `${kind.toLowerCase()}s`;
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

/** A recording as the rules see it, and the objects that somebody asks about, the first one first. */
export async function recordedWorld(situation: RecordedSituation): Promise<{
  readonly world: World;
  readonly roots: readonly KubeObject[];
}> {
  const { objects: recorded, ask, cluster, clock, logs } = situation;
  // An object of the recording stands for the one of the cluster.
  const all = [...cluster, ...recorded, ...(await releasesIn(recorded))];
  const custom = customKinds(all, ask);
  const kindOf = ({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): AnyKind | undefined =>
    kindOfObject(apiVersion, kind) ??
    custom.find((one) => one.kind === kind && one.group === groupOf(apiVersion));
  const shown = new Map<string, KubeObject>();
  const facts = new Map<string, ObjectFacts>();
  for (const object of all) {
    const key = refKey(nameOf(object));
    const kind = kindOf({ apiVersion: object.apiVersion ?? 'v1', kind: object.kind ?? '' });
    shown.set(key, kind === undefined ? object : shownObject(kind, object));
    facts.set(key, factsOf(object));
  }
  const world: World = {
    now: clock === undefined ? takenAt(recorded) : Date.parse(clock) / 1000,
    one: (named) => shown.get(refKey(named)) ?? null,
    all: ({ apiVersion, kind, namespace, selector, about }) =>
      [...shown.values()]
        .filter((one) => one.kind === kind && groupOf(one.apiVersion ?? 'v1') === groupOf(apiVersion))
        .filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace)
        .filter(({ metadata }) => selector === undefined || matchesSelector(selector, metadata?.labels))
        .filter((one) => about === undefined || (one as KubeEvent).involvedObject?.uid === about),
    facts: (named) => facts.get(refKey(named)) ?? null,
    log: (place) =>
      writtenBy(shown.get(refKey(place.pod)), place, logs).map((text) => ({
        at: null,
        text: redactText(text),
      })),
    kindOf,
  };
  const roots = ask.map((asked) => {
    const key = parseResourceKey(asked.kind);
    const kind =
      kindById(asked.kind) ??
      kinds.find((one) => one.kind.toLowerCase() === asked.kind) ??
      [...kinds, ...custom].find(({ group, plural }) => group === key?.group && plural === key.plural);
    const found = [...shown.values()].find(
      ({ metadata, ...object }) =>
        object.kind === kind?.kind && metadata?.name === asked.name && metadata.namespace === asked.namespace,
    );
    if (found === undefined) throw new Error(`${situation.id} has no ${asked.kind} ${asked.name}.`);
    return found;
  });
  return { world, roots };
}

/** Text of a finding that patterns are looked for in: its sentence, what proves it, and the way to it. */
const textOf = ({ sentence, detail = '', evidence, path }: Cause): string =>
  [
    sentence,
    detail,
    ...evidence.flatMap((proof) => Object.values(proof).map(textIn)),
    ...path.map(textIn),
  ].join(' ');

const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/**
 * Grade of the answers about a situation. Of a broken one: `named` if the first finding about what is asked first is short
 * and has all the words, else `missed`. Of a healthy one: `named` if nothing is said. `untrue` wherever a sentence has a
 * word that is not so.
 */
export function judgedRecording(
  { expect, named = [], wrong }: RecordedSituation,
  answers: readonly (readonly Cause[])[],
): 'named' | 'missed' | 'untrue' {
  const fits = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  const sentences = answers.flat().map(({ sentence }) => sentence);
  const first = answers[0]?.[0];
  if (expect.length === 0) return sentences.length === 0 ? 'named' : 'untrue';
  if (sentences.some((text) => wrong.some((pattern) => fits(pattern, text)))) return 'untrue';
  const isNamed =
    first !== undefined &&
    first.sentence.length <= sentenceLimit &&
    expect.every((pattern) => fits(pattern, first.sentence)) &&
    named.every((pattern) => fits(pattern, textOf(first)));
  return isNamed ? 'named' : 'missed';
}

/** The findings about each object that somebody asks about in a recording. */
export async function answersOf(situation: RecordedSituation) {
  const { world, roots } = await recordedWorld(situation);
  return { world, answers: roots.map((root) => diagnose(root, world, ruleBook)) };
}
