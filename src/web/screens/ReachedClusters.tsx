import { permissions } from '../../contract/permissions.ts';
import type { ReachedCluster } from '../../contract/roles.ts';
import { useCommands } from '../core/commands.ts';
import { PlaceLink } from '../kit/Link.tsx';
import { Flag } from '../kit/marks.tsx';
import { roleName } from './team-role.ts';

/** The clusters that somebody reaches, by which teams and roles, and what they may do on each. */
export function ReachedClusters({ clusters }: { readonly clusters: readonly ReachedCluster[] }) {
  const { registry } = useCommands();
  return (
    <ul className="flex flex-col">
      {clusters.map((cluster) => (
        <li
          key={cluster.id}
          className="flex flex-col gap-1 border-b border-hairline py-2 first:pt-0 last:border-b-0 last:pb-0"
        >
          <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
            <Flag colour={cluster.colour} />
            <b className="font-medium wrap-anywhere">{cluster.name}</b>
            <span className="min-w-0 wrap-anywhere text-text-2">
              {cluster.teams.length === 0
                ? 'as Owner'
                : cluster.teams.map(({ id, name, role }, index) => (
                    <span key={id}>
                      {index === 0 ? 'by ' : ', '}
                      <PlaceLink href={registry.href('teams.one', { teamId: String(id) })}>{name}</PlaceLink>{' '}
                      as {roleName(role)}
                    </span>
                  ))}
            </span>
          </span>
          {placesOf(cluster.permissions).map(({ where, names }) => (
            <span key={where} className="text-(length:--text-xs) wrap-anywhere text-text-2">
              {where !== '' && <span className="text-text-3">{where} </span>}
              <span className="mono">
                {names.length === permissions.length
                  ? `every permission (${permissions.length})`
                  : names.join(', ')}
              </span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Permissions by where they are held; the whole cluster has no words, as that is the usual. */
function placesOf(
  held: ReachedCluster['permissions'],
): readonly { readonly where: string; readonly names: readonly string[] }[] {
  const byPlace = new Map<string, string[]>();
  for (const { name, namespaces } of held) {
    const where = namespaces === null ? '' : `in ${namespaces.join(', ')}:`;
    byPlace.set(where, [...(byPlace.get(where) ?? []), name]);
  }
  return [...byPlace].map(([where, names]) => ({ where, names }));
}
