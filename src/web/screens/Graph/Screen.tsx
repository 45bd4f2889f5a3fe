import { useQuery } from '@tanstack/react-query';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { fillPath } from '../../../registry/path.ts';
import { useData } from '../../data/port.ts';
import { GraphView } from '../../features/graph/GraphView.tsx';
import { cardLook } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { NativeSelect } from '../../kit/input.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { Page } from '../../frame/Page.tsx';

const path = '/clusters/:clusterId/visualization/resources';

/** `/clusters/{id}/visualization/resources`: what stands in a namespace and what ties it, drawn or as a tree. */
export function Screen({ params }: ScreenProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const clusterId = Number(params.clusterId);
  const namespaces = useQuery(queries.namespaces(clusterId));
  const { ns } = search;
  const names = (namespaces.data ?? []).map(({ name }) => name);
  if (ns === undefined || ns === '') {
    return (
      <Page
        title="Resource graph"
        about="A graph shows one namespace. Which one?"
        mode="GRAPH"
        status={
          namespaces.data !== undefined && (
            <span className="text-text-2">
              {names.length} {names.length === 1 ? 'namespace' : 'namespaces'}
            </span>
          )
        }
      >
        <ErrorAlert error={namespaces.error} onRetry={() => void namespaces.refetch()} />
        {namespaces.isPending && <p className="text-text-3">Loading...</p>}
        {namespaces.data !== undefined && names.length === 0 && (
          <p className="text-text-2">You cannot view any namespace.</p>
        )}
        {names.length > 0 && (
          <ul
            className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] p-1 ${cardLook}`}
            aria-label="Namespaces"
          >
            {names.map((name) => (
              <li key={name}>
                <PlaceLink
                  className={[
                    'flex min-h-7 min-w-0 items-center gap-1.5 rounded-sm px-2 font-medium hover:bg-row-hover',
                    'focus-visible:-outline-offset-2 narrow:min-h-11 [&>svg]:text-text-3',
                  ].join(' ')}
                  href={`${fillPath(path, { clusterId: String(clusterId) })}?ns=${name}`}
                >
                  <Icon name="namespace" />
                  <MiddleCut text={name} />
                </PlaceLink>
              </li>
            ))}
          </ul>
        )}
      </Page>
    );
  }
  return (
    <GraphView key={ns} target={{ type: 'graph', clusterId, namespace: ns }} of={ns}>
      <h1 className="sr-only">Resource graph of {ns}</h1>
      {/* Where there is room, the top bar chooses. */}
      <NativeSelect
        className="md:hidden"
        aria-label="Namespace"
        value={ns}
        onChange={(event) => setSearch({ ns: event.target.value }, 'push')}
      >
        {!names.includes(ns) && <option value={ns}>{ns}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </GraphView>
  );
}
