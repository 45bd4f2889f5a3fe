import { commandKinds } from '../../../../commands/kinds/later-facts.ts';
import type { Cluster } from '../../../contract/clusters.ts';
import { fillers, openWords } from '../../../registry/palette/words.ts';
import { fillPath } from '../../../registry/path.ts';
import { holds, type May } from '../../../registry/commands/registry.ts';
import type { ListedKind } from '../../core/kinds/listed.ts';
import { searchOfFilter } from '../../../registry/filter/former.ts';
import { quoted, unhealthyTerm } from '../../../registry/filter/parse.ts';
import { stringifySearch } from '../../workspace/search.ts';
import type { Entry } from './entries.ts';
import { type Candidate, candidate } from './rank-entries.ts';

/** What a list may show alone: the rows of one status, or those that are not well. */
export interface StatusFilter {
  /** `Pending`, `Unhealthy`. */
  readonly label: string;
  /** Lower-case words that mean the same. */
  readonly keywords: readonly string[];
  /** The filter of the list. */
  readonly filter: string;
}

/** A kind's list, or a part of it, somewhere. */
export interface ListTarget {
  readonly kind: Pick<ListedKind, 'id' | 'title' | 'icon' | 'path'>;
  readonly namespace?: string | undefined;
  readonly status?: StatusFilter | undefined;
}

const unhealthy: StatusFilter = {
  label: 'Unhealthy',
  keywords: ['failing', 'broken', 'degraded', 'bad', 'red'],
  filter: unhealthyTerm,
};

const statusesById = new Map(
  commandKinds.map(({ id, statuses = [], columns }) => {
    const named = statuses.map(
      ({ label, keywords = [] }): StatusFilter => ({
        label,
        keywords: [label.toLowerCase(), ...keywords],
        filter: `status:${label.includes(' ') ? quoted(label.toLowerCase()) : label.toLowerCase()}`,
      }),
    );
    const hasStatus = columns.some((column) => column.id === 'status');
    return [id, hasStatus ? [...named, unhealthy] : named] as const;
  }),
);

/** The statuses that people look for in a kind's list, with the one for everything that is not well. */
const statusesOf = (kindId: string): readonly StatusFilter[] => statusesById.get(kindId) ?? [];

/** One list as an entry: `Pending pods`, in a namespace, of a cluster. */
export function listEntry({ kind, namespace, status }: ListTarget, cluster: Cluster): Entry {
  const path = fillPath(kind.path, { clusterId: String(cluster.id) });
  const href = path + stringifySearch({ ns: namespace, ...searchOfFilter(status?.filter ?? '') });
  return {
    id: `list ${href}`,
    section: 'Go to',
    title: status === undefined ? kind.title : `${status.label} ${kind.title.toLowerCase()}`,
    icon: kind.icon,
    namespace,
    cluster,
    act: { type: 'place', href },
  };
}

/** The parts of lists that a text may find: `Pending pods`, `Unhealthy deployments`; in the selected cluster, else in each. */
export function statusCandidates(
  kinds: readonly ListedKind[],
  clusters: readonly Cluster[],
  { clusterId, may }: { readonly clusterId: number | undefined; readonly may: May },
): readonly Candidate[] {
  const searched = clusterId === undefined ? clusters : clusters.filter(({ id }) => id === clusterId);
  const viewable = new Set(
    commandKinds.filter(({ permissions }) => holds(permissions.view, may)).map(({ id }) => id),
  );
  return (
    kinds
      // What may be viewed is known of the selected cluster alone; elsewhere the list says it.
      .filter(({ id }) => clusterId === undefined || viewable.has(id))
      .flatMap((kind) =>
        statusesOf(kind.id).flatMap((status) =>
          searched.map((cluster) =>
            candidate(
              listEntry({ kind, status }, cluster),
              [...status.keywords, ...kind.aliases],
              // A status alone means the kind that is known by most of them.
              statusesOf(kind.id).length,
            ),
          ),
        ),
      )
  );
}

/** Words around a kind and its place that name neither. */
const listFillers: ReadonlySet<string> = new Set([
  ...fillers,
  ...openWords,
  ...'-n --namespace -a -A --all-namespaces all only with status that are which'.split(' '),
]);

/** The first run of words that names something, and the words that are left. */
function take<T>(
  words: readonly string[],
  longest: number,
  find: (joined: string) => T | undefined,
): { readonly value: T; readonly rest: readonly string[] } | undefined {
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const value = find(words.slice(from, from + length).join(''));
      if (value !== undefined) return { value, rest: words.toSpliced(from, length) };
    }
  }
  return undefined;
}

const joinedOf = (text: string) => text.toLowerCase().replaceAll(' ', '');

/**
 * The list that a text names together with its namespace or its cluster: `pods shop`, `pending pods in shop`, `get pods
 * -n shop`. Undefined for a text that says anything else.
 * @param words in lower case, without the cluster's name
 * @param mayBeAlone whether a kind alone will do: where the cluster is named, or none is selected whose commands open lists
 */
export function readList(
  words: readonly string[],
  { kinds, namespaces }: { readonly kinds: readonly ListedKind[]; readonly namespaces: readonly string[] },
  mayBeAlone: boolean,
): ListTarget | undefined {
  const said = words.filter((word) => !listFillers.has(word));
  const found = take(said, 3, (joined) =>
    kinds.find(({ aliases, title }) => aliases.includes(joined) || joinedOf(title) === joined),
  );
  if (found === undefined) return undefined;
  const kind = found.value;
  const status = take(found.rest, 2, (joined) =>
    statusesOf(kind.id).find(({ keywords }) => keywords.some((word) => joinedOf(word) === joined)),
  );
  const rest = status?.rest ?? found.rest;
  const isNamespace = kind.scope === 'Namespaced' && rest.length === 1 && namespaces.includes(rest[0] ?? '');
  if (rest.length > 0 && !isNamespace) return undefined;
  if (!isNamespace && !mayBeAlone) return undefined;
  return { kind, namespace: isNamespace ? rest[0] : undefined, status: status?.value };
}
