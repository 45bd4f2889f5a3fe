import type { SearchHit, searchEndpoints } from '../../contract/search.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { rankQuery } from '../../registry/palette/rank.ts';
import type { Reach } from '../access/grants.ts';
import { isWithin, listPlace } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { noneExcluded } from '../access/sight.ts';
import { findNames, type SearchedCluster } from '../search/find.ts';
import type { Names } from '../search/names.ts';
import { noteOf, type UnreadCluster, unreachedNotes } from '../search/notes.ts';
import { inSteps } from '../kit/turns.ts';
import type { RouteParts } from './parts.ts';

const maxNotes = 5;

/** The parts of a cluster's index that a person may search, by their current grants. */
function permitted(names: Iterable<Names>, { held }: Reach): readonly Names[] {
  return [...names].filter(({ kind }) => held.may(kind.permissions.view, listPlace(kind)));
}

/** Whether an object of a kind is there. */
function hasName(names: Names, namespace: string, name: string): boolean {
  for (const entry of names.entries())
    if ((entry.shown ?? entry.name) === name && entry.namespace === namespace) return true;
  return false;
}

/** Objects by name. Names only: of a Secret as of anything else nothing more is held. */
export function searchHandlers(
  services: Pick<RouteParts, 'grants' | 'hub' | 'search'>,
): Handlers<typeof searchEndpoints> {
  const { grants, hub, search } = services;
  return {
    async search({ query }, { person, signal }) {
      const wanted = query.kinds === undefined ? undefined : new Set(query.kinds.split(','));
      const reached = (await grants.reach(person)).filter(
        ({ cluster }) => query.cluster === undefined || cluster.id === query.cluster,
      );
      const notes: string[] = [];
      const unreached: UnreadCluster[] = [];
      let isReading = false;
      const searched = reached.map((reach): SearchedCluster => {
        const held = search.of(reach.cluster);
        const names = permitted(held.names, reach).filter(
          ({ kind }) => wanted === undefined || wanted.has(kind.id),
        );
        for (const { isListed, state } of names) {
          if (!isListed && state.status === 'loading') isReading = true;
        }
        // Resources that a credential may never list are reported where they are opened, not with every search.
        const failed = names.find(
          ({ isListed, state: { status } }) =>
            !isListed && (status === 'unreachable' || (status === 'forbidden' && wanted !== undefined)),
        );
        if (failed !== undefined) {
          // It may name namespaces that the person may not know of.
          const message = reach.held.isWhole ? (failed.state.message ?? undefined) : undefined;
          const unread = { name: reach.cluster.name, message };
          if (failed.state.status === 'unreachable') unreached.push(unread);
          else notes.push(noteOf(unread));
        }
        if (held.isReading) isReading = true;
        if (held.isCut)
          notes.push(
            `${reach.cluster.name} has more custom kinds than the palette searches; open others with “:”.`,
          );
        const within = (kind: AnyKind) => reach.held.namespacesFor(kind.permissions.view);
        return {
          row: reach.cluster,
          names,
          within,
          excluded: query.excluded === 'shown' ? noneExcluded : reach.excluded,
        };
      });
      notes.unshift(...unreachedNotes(unreached));
      if (search.isFull)
        notes.push('There are more objects than this console searches; some are found in their lists only.');
      const { total, clusters, excluded, found } = await inSteps(
        findNames(searched, {
          query: rankQuery(query.q),
          namespace: query.namespace,
          near: query.near,
          nearNamespace: query.nearNamespace,
          limit: query.limit,
        }),
        signal,
      );
      const hits = found.map(({ uid, ...hit }): SearchHit => {
        const status = hub.statusOf(hit.clusterId, hit.kind, uid);
        return status === undefined ? hit : { ...hit, status: [status[0], status[1]] };
      });
      return { hits, total, clusters, excluded, isReading, notes: notes.slice(0, maxNotes) };
    },
    async goneObjects({ body }, { person }) {
      const reached = new Map((await grants.reach(person)).map((reach) => [reach.cluster.id, reach]));
      const gone: number[] = [];
      let isReading = false;
      for (const [place, { clusterId, kind: id, namespace, name }] of body.objects.entries()) {
        const reach = reached.get(clusterId);
        if (reach === undefined || search.isFull) continue;
        const names = permitted(search.of(reach.cluster).names, reach).find(({ kind }) => kind.id === id);
        if (names === undefined) continue;
        if (!names.isListed && names.state.status === 'loading') isReading = true;
        const within = reach.held.namespacesFor(names.kind.permissions.view);
        const mayKnow = isWithin(within, names.kind, { namespace, name });
        // Names that are not kept up with say nothing.
        if (names.state.status === 'live' && mayKnow && !hasName(names, namespace, name)) gone.push(place);
      }
      return { gone, isReading };
    },
    async searchKinds(_, { person, cluster }) {
      const held = await grants.held(person, cluster.id);
      const names = search.of(cluster);
      const kinds = names.custom.filter((kind) => held.may(kind.permissions.view, listPlace(kind)));
      return {
        isReading: names.isReading,
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
    },
  };
}
