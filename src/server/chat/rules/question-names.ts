import { kindById } from '../../../../commands/kinds/index.ts';
import type { Ref } from '../../../contract/objects.ts';
import { distanceOf } from '../../../registry/edit-distance.ts';
import { isNamespaceKind } from '../../access/place.ts';
import { systemClock } from '../../kit/clock.ts';
import { pause } from '../../kit/pause.ts';
import type { Question } from '../reasoner.ts';
import type { ToldObject } from '../sight.ts';
import { type NameWord, plainText } from './question-parser.ts';

/** A word that nothing is named by, and objects with similar names. */
export interface UnknownName {
  readonly word: string;
  readonly similar: readonly Ref[];
}

/** The objects that a question names. */
export interface QuestionNames {
  /** One for each word, without namespaces. */
  readonly objects: readonly Ref[];
  readonly namespaces: readonly string[];
  readonly unknown: readonly UnknownName[];
  /** The reading of words that may mean something else, whole sentences. */
  readonly notes: readonly string[];
}

/** Number of lookups of a name while the console still reads the names of the cluster, and the pause between them, ms. */
const lookups = 10;
const lookupPause = 300;
/** Similar names that are named, at most. */
const similarLimit = 3;

/** The name of an object in a sentence: `shop/api`. */
export const calledOf = ({ namespace, name }: Pick<Ref, 'namespace' | 'name'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** An object with the name of its kind: `Deployment shop/api`. */
export const titleOf = (ref: Ref): string =>
  `${kindById(ref.kind)?.kind ?? ref.kind.replace(/^crd:/, '')} ${calledOf(ref)}`;

/** Whether an object is a namespace. */
export function isNamespace({ kind }: Pick<Ref, 'kind'>): boolean {
  const declared = kindById(kind);
  return declared !== undefined && isNamespaceKind(declared);
}

/** Rank of an object that a question is hardly about, as a Secret: it is named by it all the same. */
const unusual = 3;

/** Order of objects with the same name: what runs pods, then pods, then what may fail, then the rest. */
function rankOf({ kind }: Pick<Ref, 'kind'>): number {
  if (isNamespace({ kind })) return unusual - 0.5;
  const { logs, attention } = kindById(kind) ?? {};
  if (logs === 'pods' || logs === 'jobs') return 0;
  if (logs === 'own') return 1;
  return attention === undefined ? unusual : 2;
}

/** Objects that a text finds, as soon as the console knows the names of the cluster. */
async function search({ clusterId, calls, signal }: Question, text: string): Promise<readonly Ref[]> {
  for (let lookup = 1; ; lookup += 1) {
    const { hits, isReading } = await calls.read('search', {
      query: { q: text.slice(0, 200), cluster: clusterId, limit: 50, excluded: 'shown' },
    });
    if (!isReading || lookup === lookups)
      return hits.map(({ kind, namespace, name }) => ({
        kind,
        name,
        ...(namespace === undefined ? {} : { namespace }),
      }));
    await pause(systemClock, lookupPause, signal);
  }
}

/** Length of words whose letters are exchanged, two at a time, to find what was meant. */
const shortWord = 7;

/** Objects that may be meant by a misspelt word. */
async function nearNames(question: Question, word: string): Promise<readonly Ref[]> {
  const swaps =
    word.length > shortWord
      ? []
      : Array.from({ length: Math.max(0, word.length - 1) }, (_, at) =>
          [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join(''),
        );
  const found: Ref[] = [];
  for (const probe of new Set([word.slice(0, 4), word.slice(0, 2), word.slice(-4), ...swaps]))
    if (probe.length > 1) found.push(...(await search(question, probe)));
  return [...new Map(found.map((ref) => [JSON.stringify(ref), ref])).values()];
}

const digitsIn = (text: string): string => text.replaceAll(/\D/g, '');

/** Objects whose names differ from a word by typing mistakes, or contain it; the nearest first. */
export function similarTo(word: string, found: readonly Ref[]) {
  const limit = word.length > 5 ? 2 : 1;
  const near = found
    .map((ref) => ({ ref, distance: distanceOf(word, ref.name, limit) }))
    .filter(({ ref, distance }) => distance <= limit || ref.name.includes(word))
    .toSorted((a, b) => a.distance - b.distance || rankOf(a.ref) - rankOf(b.ref));
  const [best] = near;
  const names = new Set(
    near.filter(({ distance }) => distance === best?.distance).map(({ ref }) => ref.name),
  );
  // Numbers tell one object from the next: `worker-2` is no typing mistake for `worker-1`.
  const isTypo =
    best !== undefined &&
    best.distance <= limit &&
    names.size === 1 &&
    word.length >= 3 &&
    digitsIn(word) === digitsIn(best.ref.name);
  return { similar: near.map(({ ref }) => ref), typo: isTypo ? best.ref.name : undefined };
}

/** The objects that the name of each word finds, by the name. */
export type FoundNames = ReadonlyMap<string, readonly Ref[]>;

/** Looks up the names of words. */
export async function lookUpNames(question: Question, words: readonly NameWord[]): Promise<FoundNames> {
  const found = new Map<string, readonly Ref[]>();
  for (const { name } of words) if (!found.has(name)) found.set(name, await search(question, name));
  return found;
}

/**
 * Whether a word may mean an object of its name. One that is a word of sentences as well, as `view` in “view Secrets”, is
 * the name of an object of the kind beside it, or of a place: every cluster has roles of such names.
 */
const isMeant = ({ isDoubtful, isPlace, kinds }: NameWord, ref: Ref): boolean =>
  !isDoubtful || kinds.length === 0 || kinds.includes(ref.kind) || (isPlace && isNamespace(ref));

/** Finds what a question calls by its name, one object for each word: what people mean by it first. */
export async function findNames(
  question: Question,
  words: readonly NameWord[],
  found: FoundNames,
): Promise<QuestionNames> {
  const { about } = question;
  const readings: { readonly word: NameWord; readonly refs: readonly Ref[] }[] = [];
  const unknown: UnknownName[] = [];
  const notes: string[] = [];
  for (const word of words) {
    if (about !== null && (word.name === about.name || word.name === about.namespace)) continue;
    const hits = found.get(word.name) ?? [];
    const exact = hits.filter((ref) => ref.name === word.name && isMeant(word, ref));
    if (exact.length > 0) {
      readings.push({ word, refs: exact });
      continue;
    }
    if (word.isDoubtful) continue;
    const { similar, typo } = similarTo(word.name, [...hits, ...(await nearNames(question, word.name))]);
    if (typo === undefined) {
      unknown.push({ word: word.name, similar: similar.slice(0, similarLimit) });
      continue;
    }
    notes.push(`“${word.name}” was read as ${typo}.`);
    readings.push({ word, refs: similar.filter(({ name }) => name === typo) });
  }
  const namespaces = new Set<string>();
  const rest: typeof readings = [];
  for (const reading of readings) {
    const { word, refs } = reading;
    const isPlace =
      refs.some(isNamespace) &&
      (word.isPlace || word.kinds.includes('namespace') || refs.every((ref) => rankOf(ref) >= unusual - 0.5));
    // A misspelt word is read as the name that it was meant to be.
    if (isPlace) namespaces.add(refs.find(isNamespace)?.name ?? word.name);
    else rest.push(reading);
  }
  const objects: Ref[] = [];
  for (const { word, refs } of rest) {
    const ofKind = refs.filter(({ kind }) => word.kinds.includes(kind));
    const fitting = (ofKind.length > 0 ? ofKind : refs).toSorted((a, b) => rankOf(a) - rankOf(b));
    const within = fitting.filter(({ namespace }) =>
      word.namespace !== undefined
        ? namespace === word.namespace
        : namespaces.size === 0 || namespace === undefined || namespaces.has(namespace),
    );
    const [best] = within;
    if (best === undefined) {
      unknown.push({
        word: word.namespace === undefined ? word.name : `${word.namespace}/${word.name}`,
        similar: fitting.slice(0, similarLimit),
      });
      continue;
    }
    objects.push(best);
    if (word.namespace !== undefined) namespaces.add(word.namespace);
    const others = within.filter(({ kind, namespace }) => kind === best.kind && namespace !== best.namespace);
    if (others.length > 0)
      notes.push(
        `Other objects have the same name: ${others.slice(0, similarLimit).map(calledOf).join(', ')}. Name the namespace to ask about one of them.`,
      );
  }
  return { objects, namespaces: [...namespaces], unknown, notes };
}

/** A word with a hyphen or a dot in it, or with a number at its end; no words of a language. */
const looksLikeName = /^(?=.{4})(?:[a-z0-9]+(?:[-.][a-z0-9]+)+|[a-z]{2,}[0-9]+)$/;

/**
 * The words of a question that can hardly be anything but names and that nothing of what it is known to name has: an
 * object that is gone, or that whoever asked does not reach.
 * @param named objects that the question is known to name
 */
export function unknownNamesIn(
  question: string,
  named: readonly Pick<ToldObject, 'namespace' | 'name'>[],
): readonly string[] {
  const names = new Set(named.flatMap(({ namespace, name }) => [namespace, name]));
  const words = plainText(question)
    .split(/[^a-z0-9.-]+/)
    .map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, ''));
  return words.filter((word) => looksLikeName.test(word) && !names.has(word));
}
