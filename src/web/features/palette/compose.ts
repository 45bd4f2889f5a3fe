import type { Cluster } from '../../../contract/clusters.ts';
import { contextOfLine, kindLineIn, readKindLine } from '../../../registry/palette/query.ts';
import { wordsOf } from '../../../registry/palette/words.ts';
import { numberedNamespaces } from '../../../registry/commands/numbered-namespaces.ts';
import type { Content } from './content.ts';
import { bounded, type Entry } from './entries.ts';
import { isAtHand } from './command-entries.ts';
import { atHandHeading, foundEntries } from './found-entries.ts';
import { clusterEntries, helpEntries, kindEntries, namespaceEntries } from './mode-entries.ts';
import { objectEntry, withExcluded } from './object-entries.ts';
import { otherKindCandidates } from './other-kind-entries.ts';
import { rankLoosely } from './loose-entries.ts';
import { rankEntries } from './rank-entries.ts';
import { withRecents } from './recent-entries.ts';
import type { RootParts } from './root-parts.ts';

/** Recent things that an empty palette shows. */
const recentsBeside = 5;

const entryOf = ({ entry }: { readonly entry: Entry }) => entry;

/** The entries of an empty query: actions on the palette's subject, recent places, then all others. */
function emptyEntries({ own, recents, commands }: RootParts): readonly Entry[] {
  const others = commands
    .map(entryOf)
    // Commands that first ask for an object are found by typing; here they would double every list.
    .filter(({ act }) => act.type !== 'command' || act.command.prompt === undefined)
    // Namespaces stand behind @ by their names.
    .filter(({ act }) => act.type !== 'command' || !numberedNamespaces.includes(act.command.id))
    .filter(({ id }) => !own.some((one) => one.id === id));
  return withRecents(own, recents.slice(0, recentsBeside).map(entryOf), others);
}

/** Clusters named in one line, at most. */
const namedClusters = 3;

/** Of which clusters what is found is old: the index goes on serving names while a cluster does not answer. */
function staleNotes({ clusters, objects, opening }: RootParts): readonly string[] {
  const shown = new Set([opening.clusterId, ...objects.hits.map(({ clusterId }) => clusterId)]);
  const names = clusters
    .filter(({ id, state }) => state.status === 'unreachable' && shown.has(id))
    .map(({ name }) => name);
  if (names.length === 0) return [];
  if (names.length === 1) return [`${names[0]} is unreachable: its results may be stale.`];
  const more = names.length - namedClusters;
  const named = [...names.slice(0, namedClusters), ...(more > 0 ? [`${more} more clusters`] : [])];
  return [`${new Intl.ListFormat('en-GB').format(named)} are unreachable: their results may be stale.`];
}

/** Said while commands are found by their titles and keywords alone. */
const phrasesMissing = 'Some search words of commands could not be loaded. Open the palette again to retry.';

/** What `>` shows: what can be done with the thing in hand and in the focused view, then everything else. */
function commandModeEntries({ commands, own, input, opening, registry }: RootParts): readonly Entry[] {
  if (input.text !== '')
    return rankLoosely([...commands, ...otherKindCandidates({ registry, opening, input })], input.text).map(
      entryOf,
    );
  const entries = commands.map(entryOf);
  const atHand = entries.filter((entry) => isAtHand(entry, opening));
  return [...own, ...atHand.map((entry) => ({ ...entry, section: atHandHeading })), ...entries];
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

/** The objects that a text names by kind and name, as `kubectl describe deploy cart`. */
function namedObjects({ reading, kinds, objects, clusters }: RootParts): readonly Entry[] {
  const [kind = '', name, ...rest] = wordsOf(reading.words);
  if (name === undefined || rest.length > 0) return [];
  const meant = new Set(kinds.filter(({ aliases }) => aliases.includes(kind)).map(({ id }) => id));
  return objects.hits
    .filter((hit) => hit.name === name && meant.has(hit.kind))
    .map((hit) => objectEntry(hit, clusters));
}

/** Entries for a text: what it names as a line of kubectl, objects or lists, then everything that is found by its words. */
function textEntries(parts: RootParts): readonly Entry[] {
  const { input, kinds, clusters, namespaces, opening } = parts;
  const named = namedObjects(parts);
  const found = [...named, ...foundEntries(parts).filter(({ id }) => !named.some((one) => one.id === id))];
  const line = kindLineIn(input.text, namespaces);
  if (line === undefined) return found;
  const lists = kindEntries(line, { kinds, clusters, namespaces }, opening);
  return [
    ...lists,
    ...found.filter(({ id, title }) => !lists.some((one) => one.id === id || one.title === title)),
  ];
}

/** Questions shown behind what a text finds. */
const questionsBeside = 2;
/** A text that asks why something cannot be done. */
const asksWhy = /^why(?:\s+can(?:\s*no|['’])t|\s+can\s+i\s+not|\s+not)?(?:\s+i)?(?:\s+|\?|…|$)/i;

/** What the person may not do: for a text that asks, all of it; else what the text names, behind everything else. */
function questionEntries({ questions, input: { text } }: RootParts): readonly Entry[] {
  if (asksWhy.test(text)) {
    const rest = text.replace(asksWhy, '').trim();
    return rest === '' ? questions.map(entryOf) : rankEntries(questions, rest).map(entryOf);
  }
  return text.trim().length < 3 ? [] : rankEntries(questions, text, questionsBeside).map(entryOf);
}

/** The content of the first level, at most fifty entries. */
export function composeRoot(parts: RootParts): Content {
  const content = contentOf(parts);
  const { mode, text } = parts.input;
  if ((mode !== 'all' && mode !== 'commands') || parts.isAlone) return content;
  const asked = questionEntries(parts);
  if (asksWhy.test(text) && asked.length > 0) return { ...content, entries: bounded(asked) };
  return asked.length === 0 ? content : { ...content, entries: bounded([...content.entries, ...asked]) };
}

function contentOf(parts: RootParts): Content {
  const { opening, registry, input, clusters, commands, objects, namespaces } = parts;
  const { mode, text } = input;
  const selected = clusters.find(({ id }) => id === opening.clusterId);
  const { reading, intended, phrases } = parts;
  const notes =
    text === ''
      ? objects.notes
      : [...objects.notes, ...staleNotes(parts), ...(phrases === 'missing' ? [phrasesMissing] : [])];
  const isActAwaited = intended.isPending && reading.intents.some(({ command }) => command.changes === true);
  const isReading = text !== '' && phrases === 'coming';
  const state = { notes, isPending: objects.isPending || intended.isPending || isReading, isActAwaited };
  switch (mode) {
    case 'commands':
      return { entries: bounded(commandModeEntries(parts)), placeholder: 'Run a command' };
    case 'kinds': {
      const lists = kindLineEntries(parts, selected);
      const found = objects.hits.map((hit) => objectEntry(hit, clusters, parts.objectsTitle));
      const objectEntries = withExcluded([...lists, ...found], objects.excluded, parts.objectsTitle);
      // `:pulse` and `:xray` are no kinds: they name a command, as in k9s.
      const named = lists.length === 0 && found.length === 0 ? rankEntries(commands, text.trim()) : [];
      return {
        ...state,
        entries: bounded([...objectEntries, ...named.map(entryOf)]),
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
        entries: bounded(text === '' ? emptyEntries(parts) : textEntries(parts)),
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
