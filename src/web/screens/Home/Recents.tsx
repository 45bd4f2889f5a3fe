import { useQuery } from '@tanstack/react-query';
import { formatAge } from '../../../kube/age.ts';
import { splitHref } from '../../../registry/path.ts';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { useNow } from '../../data/now.ts';
import { useData } from '../../data/port.ts';
import { Card } from '../../kit/Card.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Flag } from '../../kit/marks.tsx';
import { clusterOf } from '../../workspace/place.ts';
import { parseSearch } from '../../workspace/search.ts';
import { iconOf, titleOf } from '../../workspace/titles.ts';

/** A line that leads somewhere; the icon before it is quiet. */
const lineLook = [
  'flex min-h-8 items-center gap-2 px-3 py-1.25 text-text hover:bg-row-hover focus-visible:-outline-offset-2',
  '[&>svg:not([data-mark])]:text-text-3 narrow:min-h-row-touch',
].join(' ');

/** Where the person was in this browser. */
export function Recents() {
  const { registry } = useCommands();
  const { recents } = useKept();
  const { kinds, queries } = useData();
  const userId = useQuery(queries.session).data?.id;
  const clusters = useQuery(queries.clusters).data;
  const now = useNow();
  const all = useCell(recents.places(userId ?? 0));
  if (userId === undefined || clusters === undefined) return null;
  const places = all.flatMap(({ href, at }) => {
    const cluster = clusters.find((one) => one.id === clusterOf(registry, href));
    return cluster === undefined ? [] : [{ href, at, cluster }];
  });
  if (places.length === 0) return null;
  return (
    <Card title="Recent places">
      <ul>
        {places.map(({ href, at, cluster }) => {
          const { ns, q, filter = q } = parseSearch(splitHref(href).search);
          const rest = [ns, filter === undefined ? undefined : `“${filter}”`]
            .filter((one) => one !== undefined)
            .join(' · ');
          return (
            <li key={href} className="border-t border-hairline">
              <PlaceLink className={lineLook} href={href}>
                <Icon name={iconOf(registry, href)} />
                <span className="min-w-0 flex-1 truncate">
                  {titleOf({ registry, kinds }, href)}
                  {rest !== '' && <span className="text-text-3"> {rest}</span>}
                </span>
                <span className="flex min-w-0 items-center gap-1.5 text-text-2">
                  <Flag colour={cluster.colour} />
                  <span className="min-w-0 truncate">{cluster.name}</span>
                </span>
                <span className="w-13 text-right text-text-3">{formatAge((now - at) / 1000)}</span>
              </PlaceLink>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
