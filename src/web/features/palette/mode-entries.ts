import type { Cluster } from '../../../contract/clusters.ts';
import type { Command } from '../../../registry/commands/command.ts';
import { searchOfFilter } from '../../../registry/filter/former.ts';
import { filterOfLine, namespaceOfLine, readKindLine } from '../../../registry/palette/query.ts';
import { fillPath, splitHref } from '../../../registry/path.ts';
import {
  createBest,
  kindMatches,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
} from '../../../registry/palette/rank.ts';
import { parseSearch, stringifySearch } from '../../workspace/search.ts';
import { clusterHealth } from '../../data/cluster-health.ts';
import type { Entry } from './entries.ts';
import { groupOfCustom, type ListedKind } from '../../core/kinds/listed.ts';
import type { PaletteOpening } from './opening.ts';
import { candidate, rankEntries } from './rank-entries.ts';

/** Kinds whose list a line of the kind mode may mean, the best first. An alias typed out wins over names. */
export function matchKinds(kinds: readonly ListedKind[], text: string): readonly ListedKind[] {
  const wanted = text.toLowerCase();
  const query = rankQuery(wanted);
  const best = createBest<ListedKind>(40, (a, b) => kinds.indexOf(a) - kinds.indexOf(b));
  for (const kind of kinds) {
    const isExact = kind.aliases.includes(wanted);
    const score = isExact
      ? 100_000
      : scoreOf(query, rankable(kind.title), kindMatches(query, kind.aliases), shortBoost(kind.title));
    if (score > 0) best.offer(score, kind);
  }
  return best.result().map(({ item }) => item);
}

/** Inputs of the kind mode. */
export interface KindModeParts {
  readonly kinds: readonly ListedKind[];
  readonly clusters: readonly Cluster[];
  /** Of the cluster that is meant. */
  readonly namespaces: readonly string[];
}

/** The cluster a line means: the named one, else the selected one. */
export function clusterOfLine(
  text: string,
  clusters: readonly Cluster[],
  selected: number | undefined,
): Cluster | undefined {
  const { cluster } = readKindLine(text);
  if (cluster === undefined || cluster === '') return clusters.find(({ id }) => id === selected);
  const wanted = cluster.toLowerCase();
  return (
    clusters.find(({ name }) => name.toLowerCase() === wanted) ??
    clusters.find(({ name }) => name.toLowerCase().startsWith(wanted))
  );
}

/** `:dp shop /api @prod`: lists of kinds, and choices for the word that is being typed. */
export function kindEntries(text: string, parts: KindModeParts, opening: PaletteOpening): readonly Entry[] {
  const line = readKindLine(text);
  const { clusters, namespaces } = parts;
  const cluster = clusterOfLine(text, clusters, opening.clusterId);
  const kinds = matchKinds(parts.kinds, line.kind);
  const [first] = kinds;
  const before = line.kind + (line.namespace === undefined ? '' : ` ${line.namespace}`);

  const choices: Entry[] = [];
  if (line.at === 'cluster' || cluster === undefined) {
    const wanted = line.cluster?.toLowerCase() ?? '';
    for (const one of clusters.filter(({ name }) => name.toLowerCase().includes(wanted))) {
      if (one.id === cluster?.id && one.name === line.cluster) continue;
      const labels = line.labels.map((one) => ` -l ${one}`).join('');
      const filter = line.filter === undefined ? '' : ` /${line.filter}`;
      choices.push({
        id: `in cluster ${one.id}`,
        section: 'Cluster',
        title: `@${one.name}`,
        note: clusterHealth(one).text,
        icon: 'clusters',
        cluster: one,
        act: { type: 'text', text: `:${before}${labels}${filter} @${one.name}` },
      });
    }
  }

  const listIn = (one: Cluster, kind: ListedKind, named: string | undefined): Entry => {
    const isNamespaced = kind.scope === 'Namespaced';
    const q = filterOfLine(line);
    const path = fillPath(kind.path, { clusterId: String(one.id) });
    const asked =
      path + stringifySearch({ ns: isNamespaced ? named : undefined, ...searchOfFilter(q ?? '') });
    // A line without a namespace means the one that was chosen; `all` is said.
    const isSaid = !isNamespaced || line.namespace !== undefined;
    const href = isSaid ? asked : opening.inChosenNamespace(asked);
    const { ns } = parseSearch(splitHref(href).search);
    return {
      id: `kind ${kind.id} ${one.id} ${ns ?? ''}`,
      section: 'Kinds',
      title: kind.title,
      note:
        q === undefined
          ? (groupOfCustom(kind.id) ?? kind.aliases.find((one) => one.length <= 4))
          : `with “${q}”`,
      icon: kind.icon,
      namespace: ns,
      cluster: one,
      act: { type: 'place', href },
    };
  };
  if (cluster === undefined) {
    // None is selected and none is named: what is typed may be meant in each.
    const isOpen = line.cluster === undefined && line.kind !== '';
    return first === undefined || !isOpen
      ? choices
      : [...clusters.map((one) => listIn(one, first, namespaceOfLine(line))), ...choices];
  }
  const listOf = (kind: ListedKind, named: string | undefined): Entry => listIn(cluster, kind, named);
  if (line.at === 'kind') return kinds.map((kind) => listOf(kind, undefined));
  if (first === undefined) return choices;
  // Once more than the kind is typed, the kind is settled; a namespace is completed as long as it is typed.
  const typed = line.namespace ?? '';
  const isTyping = line.at === 'namespace' && first.scope === 'Namespaced' && !namespaces.includes(typed);
  const completed = isTyping ? namespaces.filter((name) => name.startsWith(typed)) : [];
  const lists =
    completed.length > 0
      ? completed.map((name) => listOf(first, name))
      : [listOf(first, namespaceOfLine(line))];
  return [...lists, ...choices];
}

/** `@`: namespaces of the selected cluster. */
export function namespaceEntries(
  text: string,
  names: readonly string[],
  command: Command,
  cluster: Cluster | undefined,
): readonly Entry[] {
  if (cluster === undefined) return [];
  const subject = { type: 'cluster', cluster: String(cluster.id) } as const;
  const all = ['', ...names].map((name) =>
    candidate({
      id: `namespace ${name}`,
      section: 'Namespaces',
      title: name === '' ? 'All namespaces' : name,
      icon: 'namespace',
      cluster,
      act: { type: 'command', command, args: { namespace: name }, subject },
    }),
  );
  return rankEntries(all, text).map(({ entry }) => entry);
}

/** `#`: clusters. Choosing one is the change of cluster; into a split it is only a look. */
export function clusterEntries(
  text: string,
  clusters: readonly Cluster[],
  command: Command,
  opening: PaletteOpening,
): readonly Entry[] {
  const all = clusters.map((cluster) =>
    candidate(
      {
        id: `cluster ${cluster.id}`,
        section: 'Clusters',
        title: cluster.name,
        note: cluster.id === opening.clusterId ? 'selected' : clusterHealth(cluster).text,
        icon: 'clusters',
        cluster,
        act: { type: 'command', command, args: { clusterId: cluster.id }, subject: opening.subject },
      },
      [cluster.description],
    ),
  );
  return rankEntries(all, text).map(({ entry }) => entry);
}

const modes: readonly (readonly [prefix: string, title: string, note: string])[] = [
  ['>', 'Commands', 'what the console can do'],
  [':', 'Kinds', ':dp shop /api @prod is kind, namespace, filter, cluster'],
  ['@', 'Namespaces', 'of the selected cluster'],
  ['#', 'Clusters', 'change the selected cluster'],
];

/** `?`: the other modes, and every command that has a key. */
export function helpEntries(text: string, commands: readonly Entry[]): readonly Entry[] {
  const prefixes = modes.map(([prefix, title, note]) =>
    candidate(
      {
        id: `mode ${prefix}`,
        section: 'What to type',
        title,
        note,
        icon: 'search',
        keys: prefix,
        act: { type: 'text', text: prefix },
      },
      [prefix],
    ),
  );
  const keyed = commands.filter(({ keys }) => keys !== undefined).map((entry) => candidate(entry));
  return rankEntries([...prefixes, ...keyed], text).map(({ entry }) => entry);
}
