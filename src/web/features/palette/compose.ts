import type { Cluster } from '../../../contract/clusters.ts';
import { contextOfLine, type PaletteInput, readKindLine } from '../../../registry/palette-query.ts';
import { numberedNamespaces } from '../../../registry/numbered-namespaces.ts';
import { type Intent, withoutOpenWords } from '../../../registry/palette-intent.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { Content } from './content.ts';
import { bounded, type Entry } from './entries.ts';
import type { ListedKind } from '../../core/kinds/listed.ts';
import { intentEntries } from './intent-entries.ts';
import { clusterEntries, helpEntries, kindEntries, namespaceEntries } from './mode-entries.ts';
import { objectEntry, rankHits } from './object-entries.ts';
import type { PaletteOpening } from './opening.ts';
import { type Candidate, candidate, rankEntries } from './rank-entries.ts';
import type { FoundObjects } from './ask-objects.ts';

/** Objects shown beside commands; more of them on demand. */
const objectsBeside = 8;
const recentsBeside = 5;
/** Commands shown before objects where the best of them is found better. */
const commandsBefore = 30;

/** Everything the first level is made of. */
export interface RootParts {
  readonly opening: PaletteOpening;
  readonly registry: Registry;
  readonly input: PaletteInput;
  /** As typed, without its prefix: the kind mode minds a space at the end. */
  readonly raw: string;
  /** Only objects, all that were found. */
  readonly isAlone: boolean;
  readonly clusters: readonly Cluster[];
  readonly kinds: readonly ListedKind[];
  readonly commands: readonly Candidate[];
  readonly recents: readonly Candidate[];
  /** Lists of resources without a kind of their own, in the selected cluster. */
  readonly resources: readonly Candidate[];
  /** Actions of what the palette was opened on. */
  readonly own: readonly Entry[];
  readonly objects: FoundObjects;
  /** Acts that the text names together with an object, and the objects found for it. */
  readonly intents: readonly Intent[];
  readonly intended: FoundObjects;
  /** Heading of the objects of the kind mode. */
  readonly objectsTitle: string;
  readonly namespaces: readonly string[];
  readonly isReadingNamespaces: boolean;
  /** Why they could not be read. */
  readonly namespacesProblem?: string | undefined;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const entryOf = ({ entry }: { readonly entry: Entry }) => entry;

/** The entries of an empty query: actions on the palette's subject, recent places, then all others. */
function emptyEntries({ own, recents, commands }: RootParts): readonly Entry[] {
  return [
    ...own,
    ...recents.slice(0, recentsBeside).map(entryOf),
    ...commands
      .map(entryOf)
      // Commands that first ask for an object are found by typing; here they would double every list.
      .filter(({ act }) => act.type !== 'command' || act.command.prompt === undefined)
      // Namespaces stand behind @ by their names.
      .filter(({ act }) => act.type !== 'command' || !numberedNamespaces.includes(act.command.id))
      .filter(({ id }) => !own.some((one) => one.id === id)),
  ];
}

/** Objects by the text of this moment, and a way to more of them. */
function objectSection(parts: RootParts): { readonly score: number; readonly entries: readonly Entry[] } {
  const { objects, clusters, isAlone, input } = parts;
  const hits = rankHits(objects.hits, withoutOpenWords(input.text));
  const shown = (isAlone ? hits : hits.slice(0, objectsBeside)).map(({ hit }) => objectEntry(hit, clusters));
  const more = objects.total - shown.length;
  const hasMore = !isAlone && hits.length > objectsBeside;
  const rest: Entry = {
    id: 'more objects',
    section: 'Objects',
    title: `${counted(more, 'more object', 'more objects')} in ${counted(objects.clusters, 'cluster', 'clusters')}`,
    icon: 'more',
    keys: 'tab',
    act: { type: 'all-objects' },
  };
  return { score: hits[0]?.score ?? 0, entries: hasMore ? [...shown, rest] : shown };
}

/** Of which clusters what is found is old: the index goes on serving names while a cluster does not answer. */
function staleNotes({ clusters, objects, opening }: RootParts): readonly string[] {
  const shown = new Set([opening.clusterId, ...objects.hits.map(({ clusterId }) => clusterId)]);
  return clusters
    .filter(({ id, state }) => state.status === 'unreachable' && shown.has(id))
    .map(({ name }) => `${name} is unreachable: its results may be stale.`);
}

/** The clusters, found by their names: choosing one switches to it. */
const clusterCandidates = ({ clusters, registry, opening }: RootParts): readonly Candidate[] =>
  clusterEntries('', clusters, registry.get('cluster.switch'), opening).map((entry) =>
    candidate(entry, ['cluster']),
  );

/** Everything a text finds: acts on objects it names, recent things, then whichever of commands and objects is found better. */
function foundEntries(parts: RootParts): readonly Entry[] {
  const { text } = parts.input;
  const objects = objectSection(parts);
  if (parts.isAlone) return objects.entries;
  const acts = intentEntries(parts.intents, parts.intended.hits, parts.clusters, parts.opening);
  const recent = rankEntries(parts.recents, text, recentsBeside).map(entryOf);
  const candidates = [...parts.commands, ...parts.resources, ...clusterCandidates(parts)];
  const named = rankEntries(candidates, text);
  const ran = named.length > 0 ? named : rankEntries(candidates, withoutOpenWords(text));
  const commands = ran.map(({ entry }) => ({ ...entry, section: 'Commands' }));
  const isObjectsFirst = objects.score > (ran[0]?.score ?? 0);
  return isObjectsFirst
    ? [...acts, ...recent, ...objects.entries, ...commands]
    : [...acts, ...recent, ...commands.slice(0, commandsBefore), ...objects.entries];
}

/** A line of the kind mode; `:ctx prod` and `:ns shop` choose cluster and namespace, as k9s has them. */
function kindLineEntries(parts: RootParts, selected: Cluster | undefined): readonly Entry[] {
  const { opening, registry, raw, clusters, kinds, namespaces } = parts;
  const lists = kindEntries(raw, { kinds, clusters, namespaces }, opening);
  const context = contextOfLine(raw);
  if (context !== undefined)
    return [...clusterEntries(context, clusters, registry.get('cluster.switch'), opening), ...lists];
  const line = readKindLine(raw);
  const isNamespace = /^(?:ns|namespaces?)$/.test(line.kind.toLowerCase());
  if (!isNamespace || line.at !== 'namespace' || line.cluster !== undefined) return lists;
  const choose = registry.get('cluster.chooseNamespace');
  return [...namespaceEntries(line.namespace ?? '', namespaces, choose, selected), ...lists];
}

/** The content of the first level, at most fifty entries. */
export function composeRoot(parts: RootParts): Content {
  const { opening, registry, input, clusters, commands, objects, namespaces } = parts;
  const { mode, text } = input;
  const selected = clusters.find(({ id }) => id === opening.clusterId);
  const notes = text === '' ? objects.notes : [...objects.notes, ...staleNotes(parts)];
  const state = { notes, isPending: objects.isPending || parts.intended.isPending };
  switch (mode) {
    case 'commands':
      return { entries: bounded(rankEntries(commands, text).map(entryOf)), placeholder: 'Run a command' };
    case 'kinds': {
      const lists = kindLineEntries(parts, selected);
      const found = objects.hits.map((hit) => objectEntry(hit, clusters, parts.objectsTitle));
      return {
        ...state,
        entries: bounded([...lists, ...found]),
        placeholder: 'Kind, namespace, /filter, @cluster',
        ...(clusters.length === 0 ? { empty: 'There is no cluster yet.' } : {}),
      };
    }
    case 'namespaces':
      return {
        entries: bounded(
          namespaceEntries(text, namespaces, registry.get('cluster.chooseNamespace'), selected),
        ),
        isPending: parts.isReadingNamespaces,
        notes: parts.namespacesProblem === undefined ? [] : [parts.namespacesProblem],
        placeholder: 'Choose a namespace',
        ...(selected === undefined ? { empty: 'No cluster is selected: choose one with #.' } : {}),
      };
    case 'clusters':
      return {
        entries: bounded(clusterEntries(text, clusters, registry.get('cluster.switch'), opening)),
        placeholder: 'Switch to a cluster',
      };
    case 'help':
      return {
        entries: bounded(helpEntries(text, commands.map(entryOf))),
        placeholder: 'What the palette understands, and every key',
      };
    case 'all':
      return {
        ...state,
        entries: bounded(text === '' ? emptyEntries(parts) : foundEntries(parts)),
        placeholder: 'Search objects, commands and settings',
        // Most of what is typed is found in a cluster.
        ...(selected === undefined && clusters.length > 0
          ? { empty: 'Nothing matches. No cluster is selected: choose one with #, or a kind in one with :.' }
          : {}),
      };
    default:
      return mode satisfies never;
  }
}
