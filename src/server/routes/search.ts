import type { SearchHit, searchEndpoints } from '../../contract/search.ts';
import type { Need, Permission } from '../../contract/permissions.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { rankQuery } from '../../registry/rank.ts';
import type { Reach } from '../access/grants.ts';
import type { Handlers } from '../http/handlers.ts';
import { findNames, type SearchedCluster } from '../search/find.ts';
import type { Names } from '../search/names.ts';
import type { Services } from '../http/services.ts';

const mostNotes = 5;

function meets(need: Need, held: ReadonlySet<Permission>, isOwner: boolean): boolean {
  if (need === 'owner') return isOwner;
  return (typeof need === 'string' ? [need] : need).every((one) => held.has(one));
}

/** The parts of a cluster's index that a person may search, by their current grants. */
function permitted(names: Iterable<Names>, { held, isOwner }: Reach): readonly Names[] {
  return [...names].filter(({ kind }) => meets(kind.permissions.view, held, isOwner));
}

/** Objects by name. Names only: of a Secret as of anything else nothing more is held. */
export function searchHandlers(
  services: Pick<Services, 'grants' | 'hub' | 'search'>,
): Handlers<typeof searchEndpoints> {
  const { grants, hub, search } = services;
  return {
    async search({ query }, { person }) {
      const wanted = query.kinds === undefined ? undefined : new Set(query.kinds.split(','));
      const reached = (await grants.reach(person)).filter(
        ({ cluster }) => query.cluster === undefined || cluster.id === query.cluster,
      );
      const notes: string[] = [];
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
          const { name } = reach.cluster;
          const said = failed.state.message ?? 'its names cannot be read.';
          // A cluster's own failures begin with its name.
          notes.push(said.startsWith(name) ? said : `${name}: ${said}`);
        }
        if (held.isReading) isReading = true;
        if (held.isCut)
          notes.push(`${reach.cluster.name} has more custom kinds than are searched; open others by “:”.`);
        return { row: reach.cluster, names };
      });
      if (search.isFull)
        notes.push('There are more objects than this console searches; some are found in their lists only.');
      const { total, clusters, found } = findNames(searched, {
        query: rankQuery(query.q),
        namespace: query.namespace,
        near: query.near,
        nearNamespace: query.nearNamespace,
        limit: query.limit,
      });
      const hits = found.map(({ uid, ...hit }): SearchHit => {
        const status = hub.statusOf(hit.clusterId, hit.kind, uid);
        return status === undefined ? hit : { ...hit, status: [status[0], status[1]] };
      });
      return { hits, total, clusters, isReading, notes: notes.slice(0, mostNotes) };
    },
    async searchKinds(_, { person, cluster }) {
      const held = await grants.permissions(person, cluster.id);
      const names = search.of(cluster);
      const isOwner = person.orgRole === orgRoles.Owner;
      const kinds = names.custom.filter(({ permissions }) => meets(permissions.view, held, isOwner));
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
