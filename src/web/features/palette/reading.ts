import type { Cluster } from '../../../contract/clusters.ts';
import type { Command } from '../../../registry/commands/command.ts';
import { type Intent, readIntents, type Verb } from '../../../registry/palette/intent.ts';
import type { PaletteInput } from '../../../registry/palette/query.ts';
import { kindsWithoutFile } from '../../../registry/commands/kind-commands.ts';
import { fillers, openWords, withoutOpenWords, wordsOf } from '../../../registry/palette/words.ts';
import type { ListedKind } from '../../core/kinds/listed.ts';
import type { ObjectQuery } from './ask-objects.ts';
import { type ListTarget, readList } from './list-entries.ts';
import type { PaletteOpening } from './opening.ts';

/** What a text of the first level says beside the words to search for. */
export interface Reading {
  /** The words to search for in names. */
  readonly words: string;
  /** The cluster that the text names: `checkout @staging`, `logs checkout in staging`. */
  readonly cluster: Cluster | undefined;
  /** Acts that it names together with an object. */
  readonly intents: readonly Intent[];
  /** The list that it names together with its place. */
  readonly list: ListTarget | undefined;
}

/** What a text is read with. */
interface ReadingParts {
  readonly verbs: readonly Verb[];
  /** Commands that act on no object. */
  readonly others: readonly Command[];
  readonly kinds: readonly ListedKind[];
  readonly clusters: readonly Cluster[];
  /** The selected cluster. */
  readonly clusterId: number | undefined;
  /** Of the selected cluster. */
  readonly namespaces: readonly string[];
}

/** Words that ask for a change of the cluster: beside its name they say nothing more. */
export const switchWords = 'switch use change ctx context cluster kubectx select go to'.split(' ');

/** A text that says nothing. */
export const nothingRead: Reading = { words: '', cluster: undefined, intents: [], list: undefined };

/** The cluster that a text names beside something else, and the text without its name. */
function readCluster(
  text: string,
  { clusters, namespaces }: Pick<ReadingParts, 'clusters' | 'namespaces'>,
): { readonly cluster: Cluster | undefined; readonly text: string } {
  const words = text.split(/\s+/);
  const isNamed = ({ name }: Cluster, word: string) => name.toLowerCase() === word;
  for (const [at, word] of words.entries()) {
    const lower = word.toLowerCase();
    const isMarked = lower.startsWith('@') && lower.length > 1;
    const wanted = isMarked ? lower.slice(1) : lower;
    const cluster =
      clusters.find((one) => isNamed(one, wanted)) ??
      (isMarked ? clusters.find(({ name }) => name.toLowerCase().startsWith(wanted)) : undefined);
    if (cluster === undefined || (!isMarked && namespaces.includes(wanted))) continue;
    const rest = words.toSpliced(at, 1);
    const isAlone = rest.every((one) =>
      [switchWords, [...fillers], [...openWords]].some((known) => known.includes(one.toLowerCase())),
    );
    if (!isAlone) return { cluster, text: rest.join(' ') };
  }
  return { cluster: undefined, text };
}

/** Reads a text of the first level. */
export function readText({ mode, text }: PaletteInput, parts: ReadingParts): Reading {
  if (mode !== 'all' || text === '') return nothingRead;
  const { cluster, text: rest } = readCluster(text, parts);
  const list = readList(wordsOf(rest), parts, cluster !== undefined || parts.clusterId === undefined);
  return {
    words: withoutOpenWords(rest),
    cluster,
    intents: list === undefined ? readIntents(rest, parts.verbs, parts.others) : [],
    list,
  };
}

/** Kinds that one search names; more are searched all together. */
const maxSearchedKinds = 12;

/** The kinds to search for the object of some intents, separated by commas; undefined for every kind. */
function searchedKinds(intents: readonly Intent[]): string | undefined {
  const kinds = new Set(intents.flatMap(({ command }) => command.actsOn ?? []));
  return kinds.has(kindsWithoutFile) || kinds.size > maxSearchedKinds ? undefined : [...kinds].join(',');
}

/** The longest text that the server's index takes. */
const maxQueryLength = 200;

const placeOf = ({ cluster }: Reading, { clusterId }: Pick<PaletteOpening, 'clusterId'>) =>
  cluster !== undefined ? { cluster: cluster.id } : clusterId === undefined ? {} : { near: clusterId };

/** Which objects a text asks the server for; undefined for a blank text. */
export function namedQuery(
  reading: Reading,
  opening: Pick<PaletteOpening, 'clusterId' | 'subject'>,
): ObjectQuery | undefined {
  if (reading.words === '') return undefined;
  const { subject } = opening;
  const namespace = subject.type === 'objects' ? subject.refs[0].namespace : undefined;
  return {
    q: reading.words.slice(0, maxQueryLength),
    ...placeOf(reading, opening),
    ...(namespace === undefined ? {} : { nearNamespace: namespace }),
  };
}

/** Which objects the acts that a text names are looked for on; undefined without any. */
export function intendedQuery(
  reading: Reading,
  opening: Pick<PaletteOpening, 'clusterId'>,
): ObjectQuery | undefined {
  const [first] = reading.intents;
  if (first === undefined || first.object === '') return undefined;
  const kinds = searchedKinds(reading.intents);
  return {
    q: first.object.slice(0, maxQueryLength),
    ...placeOf(reading, opening),
    ...(kinds === undefined ? {} : { kinds }),
  };
}
