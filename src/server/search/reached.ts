import type { RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import type { SearchHit, searchEndpoints } from '../../contract/search.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { rankQuery } from '../../registry/palette/rank.ts';
import type { Reach } from '../access/grants.ts';
import { isWithin, listPlace } from '../access/place.ts';
import { noneExcluded } from '../access/sight.ts';
import { inSteps } from '../kit/turns.ts';
import type { Hub } from '../live/page/hub.ts';
import { findNames, type SearchedCluster } from './find.ts';
import type { Names } from './names.ts';
import { noteOf, type UnreadCluster, unreachedNotes, unreadNotes } from './notes.ts';
import type { SearchIndex } from './search.ts';

type Calls = typeof searchEndpoints;
type Query = RequestOf<Calls['search']>['query'];
type NamedObject = RequestOf<Calls['goneObjects']>['body']['objects'][number];

const maxNotes = 5;

/** Facts about the clusters besides the objects found in them. */
interface Remarks {
  readonly notes: string[];
  readonly unreached: UnreadCluster[];
  isReading: boolean;
  /** Clusters of which not all names are read yet. */
  unread: number;
  /** One of them has been read for a while. */
  isLong: boolean;
}

/** Whether a person may search a kind, by their current grants. */
const isPermitted = (kind: AnyKind, { held }: Pick<Reach, 'held'>): boolean =>
  held.may(kind.permissions.view, listPlace(kind));

/** Whether an object of a kind is there. */
function hasName(names: Names, namespace: string, name: string): boolean {
  for (const entry of names.entries())
    if ((entry.shown ?? entry.name) === name && entry.namespace === namespace) return true;
  return false;
}

/** Search in the clusters that somebody reaches. Names only: of a Secret as of anything else nothing more is held. */
export class ReachedSearch {
  readonly #index: SearchIndex;
  readonly #hub: Pick<Hub, 'statusOf'>;

  constructor(index: SearchIndex, hub: Pick<Hub, 'statusOf'>) {
    this.#index = index;
    this.#hub = hub;
  }

  /** Objects by name, best match first, with what kept others from being found. */
  async find(
    reached: readonly Reach[],
    query: Query,
    signal: AbortSignal,
  ): Promise<ResponseOf<Calls['search']>> {
    const remarks: Remarks = { notes: [], unreached: [], isReading: false, unread: 0, isLong: false };
    // The cluster that the person looks at is read first.
    const looked = reached.find(({ cluster }) => cluster.id === query.near);
    if (looked !== undefined) this.#index.of(looked.cluster);
    const searched = reached.map((reach) => this.#searched(reach, query, remarks));
    const { isFull } = this.#index;
    const notes = [
      ...(remarks.isLong || isFull ? unreadNotes(remarks.unread, reached.length) : []),
      ...unreachedNotes(remarks.unreached),
      ...remarks.notes,
    ];
    if (isFull)
      notes.push('There are more objects than this console searches; some are found in their lists only.');
    const { q, namespace, near, nearNamespace, limit } = query;
    const { total, clusters, excluded, found } = await inSteps(
      findNames(searched, { query: rankQuery(q), namespace, near, nearNamespace, limit }),
      signal,
    );
    const hits = found.map(({ uid, ...hit }): SearchHit => {
      const status = this.#hub.statusOf(hit.clusterId, hit.kind, uid);
      return status === undefined ? hit : { ...hit, status: [status[0], status[1]] };
    });
    return {
      hits,
      total,
      clusters,
      excluded,
      isReading: remarks.isReading && !isFull,
      notSearched: remarks.unread,
      notes: notes.slice(0, maxNotes),
    };
  }

  #searched(reach: Reach, query: Query, remarks: Remarks): SearchedCluster {
    const { cluster, held } = reach;
    const wanted = query.kinds === undefined ? undefined : new Set(query.kinds.split(','));
    const { names: all, isReading, isCut, unread, isOpenLong } = this.#index.of(cluster);
    const isMeant = (kind: AnyKind) =>
      isPermitted(kind, reach) && (wanted === undefined || wanted.has(kind.id));
    const names = [...all].filter(({ kind }) => isMeant(kind));
    if (isReading) remarks.isReading = true;
    if (unread.some(isMeant)) {
      remarks.isReading = true;
      remarks.unread += 1;
      remarks.isLong ||= isOpenLong;
    }
    // Resources that a credential may never list are reported where they are opened, not with every search.
    const failed = names.find(
      ({ isListed, state: { status } }) =>
        !isListed && (status === 'unreachable' || (status === 'forbidden' && wanted !== undefined)),
    );
    if (failed !== undefined) {
      // It may name namespaces that the person may not know of.
      const message = held.isWhole ? (failed.state.message ?? undefined) : undefined;
      const unreached = { name: cluster.name, message };
      if (failed.state.status === 'unreachable') remarks.unreached.push(unreached);
      else remarks.notes.push(noteOf(unreached));
    }
    if (isCut)
      remarks.notes.push(
        `${cluster.name} has more custom kinds than the palette searches; open others with “:”.`,
      );
    return {
      row: cluster,
      names,
      within: (kind: AnyKind) => held.namespacesFor(kind.permissions.view),
      excluded: query.excluded === 'shown' ? noneExcluded : reach.excluded,
    };
  }

  /** Which of these objects no longer exist, among those whose kinds and namespaces the person may view. */
  gone(reached: readonly Reach[], objects: readonly NamedObject[]): ResponseOf<Calls['goneObjects']> {
    const reaches = new Map(reached.map((reach) => [reach.cluster.id, reach]));
    const gone: number[] = [];
    let isReading = false;
    for (const [place, { clusterId, kind: id, namespace, name }] of objects.entries()) {
      const reach = reaches.get(clusterId);
      if (reach === undefined || this.#index.isFull) continue;
      const { names: all, unread } = this.#index.of(reach.cluster);
      if (unread.some((kind) => kind.id === id && isPermitted(kind, reach))) isReading = true;
      const names = [...all].find(({ kind }) => kind.id === id && isPermitted(kind, reach));
      if (names === undefined) continue;
      const within = reach.held.namespacesFor(names.kind.permissions.view);
      const mayKnow = isWithin(within, names.kind, { namespace, name });
      // Names that are not kept up with say nothing.
      if (names.state.status === 'live' && mayKnow && !hasName(names, namespace, name)) gone.push(place);
    }
    return { gone, isReading };
  }

  /** The custom kinds of a cluster that the person may list. */
  customKinds({ cluster, held }: Pick<Reach, 'cluster' | 'held'>): ResponseOf<Calls['searchKinds']> {
    const { isReading, custom } = this.#index.of(cluster);
    const kinds = custom.filter((kind) => isPermitted(kind, { held }));
    return {
      isReading,
      kinds: kinds.map(({ id, kind, title, group, plural, scope, aliases = [] }) => ({
        id,
        kind,
        title,
        group,
        plural,
        scope,
        aliases: [...aliases],
      })),
    };
  }
}
