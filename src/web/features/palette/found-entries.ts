import { counted } from '../../../registry/counted.ts';
import { isQuestion, withoutAsking, withoutOpenWords } from '../../../registry/palette/words.ts';
import { isDoubtful, tiers, tierStep } from '../../../registry/palette/rank.ts';
import { isAtHand } from './command-entries.ts';
import { type Entry, targetEntries } from './entries.ts';
import { intentEntries, namesWhole } from './intent-entries.ts';
import { listEntry } from './list-entries.ts';
import { clusterEntries, namespaceEntries } from './mode-entries.ts';
import { objectEntry, rankHits, withExcluded } from './object-entries.ts';
import { otherKindCandidates } from './other-kind-entries.ts';
import { rankLoosely } from './loose-entries.ts';
import { type Candidate, candidate, type FoundEntry, isTitleIn, rankEntries } from './rank-entries.ts';
import { switchWords } from './reading.ts';
import { withRecents } from './recent-entries.ts';
import type { RootParts } from './root-parts.ts';

/** Objects shown beside commands; more of them on demand. */
const objectsBeside = 8;
const recentsBeside = 5;
/** Commands shown before objects where the best of them is found better. */
const commandsBefore = 30;

const entryOf = ({ entry }: { readonly entry: Entry }) => entry;

/** Objects by the text of this moment, and a way to more of them. */
function objectSection(parts: RootParts): { readonly score: number; readonly entries: readonly Entry[] } {
  const { objects, clusters, isAlone, reading } = parts;
  const hits = rankHits(objects.hits, reading.words);
  const shown = (isAlone ? hits : hits.slice(0, objectsBeside)).map(({ hit }) => objectEntry(hit, clusters));
  const more = objects.total - shown.length;
  const hasMore = !isAlone && hits.length > objectsBeside;
  const rest: Entry = {
    id: 'more objects',
    section: 'Objects',
    title: `${counted(more, 'more object')} in ${counted(objects.clusters, 'cluster')}`,
    icon: 'more',
    keys: 'tab',
    act: { type: 'all-objects' },
  };
  // A text that names an act finds its object by other words.
  const excluded = objects.excluded === 0 ? parts.intended.excluded : objects.excluded;
  return {
    score: hits[0]?.score ?? 0,
    entries: withExcluded(hasMore ? [...shown, rest] : shown, excluded),
  };
}

/** A cluster comes before other things that a text finds equally well. */
const clusterBoost = 250;

/** The clusters, found by their names: choosing one switches to it. */
const clusterCandidates = ({ clusters, registry, opening }: RootParts): readonly Candidate[] =>
  clusterEntries('', clusters, registry.get('cluster.switch'), opening).map((entry) =>
    candidate(entry, switchWords, clusterBoost),
  );

/** Words that say that a namespace is meant. */
const namespaceWords = ['namespace', 'ns', 'kubens', 'switch', 'change', 'use', 'select'];

/** The namespaces, for a text that says that it means one: choosing one shows it. */
function namespaceCandidates({
  opening,
  registry,
  clusters,
  namespaces,
  input,
}: RootParts): readonly Candidate[] {
  const words = input.text.toLowerCase().split(/\s+/);
  if (!words.some((word) => ['namespace', 'ns', 'kubens'].includes(word))) return [];
  const names = words.filter((word) => !namespaceWords.includes(word));
  const meant = namespaces.filter((name) => names.some((word) => name.includes(word)));
  const selected = clusters.find(({ id }) => id === opening.clusterId);
  const choose = registry.get('cluster.chooseNamespace');
  return namespaceEntries('', meant, choose, selected)
    .slice(1)
    .map((entry) => candidate({ ...entry, note: 'shows this namespace' }, namespaceWords, clusterBoost));
}

/** The list that the text names with its place: in the cluster that it names, the selected one, else each. */
function placedLists({ reading, clusters, opening }: RootParts): readonly Entry[] {
  const { list, cluster } = reading;
  if (list === undefined) return [];
  const id = cluster?.id ?? opening.clusterId;
  return clusters.filter((one) => id === undefined || one.id === id).map((one) => listEntry(list, one));
}

/** Heading of what can be done with the thing in hand and in the focused view. */
export const atHandHeading = 'Here';

/** How well an entry is found, in whole tiers: what a boost adds decides nothing between a recent thing and others. */
const tierOf = (score: number): number => Math.floor(score / tierStep);

/** Score of what a text names by a whole phrase. */
const wholePhrase = (tiers.prefix - 0.5) * tierStep;
/** Commands shown before acts on objects that are only begun. */
const phrasesBefore = 3;

/** How far below the best something at hand may be found that is found in part, to come before it. */
const nearlyBest = 60;

/** Whether something at hand is found well enough to come first: in the tier of the best, or in part and nearly as well. */
const isAsGood = (score: number, best: number): boolean =>
  tierOf(score) >= tierOf(best) && (best >= tiers.kind * tierStep || score >= best - nearlyBest);

function unnamed({ score, entry }: FoundEntry): FoundEntry {
  const { isNamed, ...rest } = entry;
  return isNamed === undefined ? { score, entry } : { score, entry: rest };
}

/** The candidates that any of some texts finds, best first; the first one finds in part as well. */
function rankedByAny(
  candidates: readonly Candidate[],
  [text, ...others]: readonly [string, ...string[]],
  own: readonly string[],
): readonly FoundEntry[] {
  const found = rankLoosely(candidates, text, own);
  const plainer = new Set(others.filter((other) => other !== text));
  // The words of a title in full ask for nothing else.
  if (plainer.size === 0 || isTitleIn(candidates, text)) return found;
  const byId = new Map(found.map((one) => [one.entry.id, one]));
  const ranked = [...plainer].flatMap((other) => rankEntries(candidates, other));
  for (const one of isQuestion(text) ? ranked.map(unnamed) : ranked) {
    const known = byId.get(one.entry.id);
    if (one.score > (known?.score ?? 0)) byId.set(one.entry.id, one);
    else if (known !== undefined && one.entry.isNamed === true)
      byId.set(one.entry.id, { ...known, entry: one.entry });
  }
  return [...byId.values()].sort((a, b) => b.score - a.score);
}

/** Whether an entry is an action on an object that is still to be chosen. */
const isForAnother = ({ act }: Entry): boolean =>
  act.type === 'command' &&
  act.command.type === 'action' &&
  act.command.actsOn !== undefined &&
  act.subject.type !== 'objects';

/** The names of what the palette was opened on, which say nothing more about what is meant. */
const ownNames = ({ opening: { subject } }: RootParts): readonly string[] =>
  subject.type === 'objects' ? subject.refs.map(({ name }) => name.toLowerCase()) : [];

/** What is found, without what only has the letters of a word somewhere where an object is found better, or may be. */
function withoutScattered(found: readonly FoundEntry[], { input, objects, reading }: RootParts) {
  const [best] = rankHits(objects.hits, reading.words);
  const isObjectBetter = objects.isPending || (best !== undefined && !isDoubtful(best.score));
  if (!isObjectBetter || /\s/.test(input.text)) return found;
  return found.filter(({ score }) => score >= tiers.mistyped * tierStep);
}

/**
 * Everything a text finds: acts on objects that it names, what can be done with the thing in hand, recent things, then
 * whichever of commands and objects is found better.
 */
export function foundEntries(parts: RootParts): readonly Entry[] {
  const { text } = parts.input;
  const objects = objectSection(parts);
  if (parts.isAlone) return objects.entries;
  const acts = intentEntries(parts.reading, parts.intended.hits, parts.clusters, parts.opening);
  const candidates = [
    ...parts.commands,
    ...otherKindCandidates(parts),
    ...parts.resources,
    ...clusterCandidates(parts),
    ...namespaceCandidates(parts),
    ...targetEntries(parts.opening.rowTargets ?? [], atHandHeading).map((entry) => candidate(entry)),
  ];
  const ran = withoutScattered(
    rankedByAny(candidates, [text, withoutAsking(text), withoutOpenWords(text)], ownNames(parts)),
    parts,
  );
  const best = Math.max(objects.score, ran[0]?.score ?? 0);
  const atHand = ran.filter(
    ({ score, entry }) =>
      isAtHand(entry, parts.opening) &&
      isAsGood(score, best) &&
      (score >= tiers.kind * tierStep || !isForAnother(entry)),
  );
  const recents = rankEntries(parts.recents, text, recentsBeside);
  // Recent things that the text only touches do not come before what it names.
  const isRecentFirst = tierOf(recents[0]?.score ?? 0) >= tierOf(best);
  const commands = ran.map(({ entry }) => ({ ...entry, section: 'Commands' }));
  const isObjectsFirst = objects.score > (ran[0]?.score ?? 0);
  const rest = isObjectsFirst
    ? [...objects.entries, ...commands]
    : [...commands.slice(0, commandsBefore), ...objects.entries];
  // A whole phrase comes before objects whose names only begin with one of its words.
  const isPhraseFirst =
    (ran[0]?.score ?? 0) >= wholePhrase && !namesWhole(parts.reading, parts.intended.hits);
  const meant = isPhraseFirst ? ran.filter(({ score }) => score >= wholePhrase).slice(0, phrasesBefore) : [];
  const before = [
    ...meant.map(({ entry }) => ({ ...entry, section: atHandHeading })),
    ...acts,
    ...placedLists(parts),
    ...atHand.map(({ entry }) => ({ ...entry, section: atHandHeading })),
  ];
  const recent = recents.map(entryOf);
  return isRecentFirst ? withRecents(before, recent, rest) : withRecents([...before, ...rest], recent);
}
