import { useCommands } from '../../core/commands.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { Flag, Glyph } from '../../kit/marks.tsx';
import type { FailingCluster } from './fleet.ts';

/** Number of objects of a kind, in words. */
function counted(kind: string, count: number): string {
  const known = kindById(kind);
  const word = (count === 1 ? known?.kind : known?.title) ?? kind;
  return `${count} ${word}`;
}

/** Clusters of which only numbers are known, with how many of which kinds fail; what they are says their own page. */
export function FailingClusters({ failing }: { readonly failing: readonly FailingCluster[] }) {
  const { registry } = useCommands();
  return (
    <ul>
      {failing.map(({ cluster, kinds }) => (
        <li
          data-trouble=""
          key={cluster.id}
          className="flex min-h-row items-center gap-2 border-t border-hairline px-3 py-1 hover:bg-row-hover narrow:min-h-row-touch"
        >
          <Glyph tone="bad" />
          <Flag colour={cluster.colour} size={11} />
          <span className="flex min-w-0 flex-1 flex-col leading-4">
            <PlaceLink
              className="max-w-fit truncate font-medium text-text no-underline hover:underline"
              href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
            >
              {cluster.name}
            </PlaceLink>
            <span className="truncate text-xs text-text-2">
              {kinds.map(([kind, count]) => counted(kind, count)).join(', ')} failing
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
