import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { ScreenProps } from '../../../registry/command.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { fillPath } from '../../../registry/path.ts';
import { useApp } from '../../app/context.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import { ErrorAlert } from '../../ui/ErrorAlert.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { Page } from '../Page.tsx';

const path = '/clusters/:clusterId/visualization/resources';

/** `/clusters/{id}/visualization/resources`: what stands in a namespace and what ties it, drawn or as a tree. */
export function Screen({ params }: ScreenProps) {
  const { queries } = useApp();
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
            <span className="sec">
              {names.length} {names.length === 1 ? 'namespace' : 'namespaces'}
            </span>
          )
        }
      >
        <ErrorAlert
          message={namespaces.error === null ? undefined : sentenceOf(namespaces.error)}
          onRetry={() => void namespaces.refetch()}
        />
        {namespaces.isPending && <p className="muted">Loading...</p>}
        {namespaces.data !== undefined && names.length === 0 && (
          <p className="sec">There is no namespace that you may see.</p>
        )}
        {names.length > 0 && (
          <ul className="card graph-namespaces" aria-label="Namespaces">
            {names.map((name) => (
              <li key={name}>
                <PlaceLink
                  className="row inset"
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
      <h1 className="vh">Resource graph of {ns}</h1>
      {/* Where there is room, the top bar chooses. */}
      <span className="input sm select only-n">
        <select
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
        </select>
        <ChevronDown className="chev" size={13} aria-hidden="true" />
      </span>
    </GraphView>
  );
}
