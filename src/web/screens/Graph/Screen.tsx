import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { ScreenProps } from '../../../registry/command.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { fillPath } from '../../../registry/path.ts';
import { useApp } from '../../app/context.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import { ErrorAlert } from '../../ui/ErrorAlert.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { useViewSearch } from '../../workspace/view.ts';

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
      <div className="body scroll page">
        <header className="page-head">
          <h1>Resource graph</h1>
          <p className="sec small">A graph shows one namespace. Which one?</p>
        </header>
        <ErrorAlert
          message={namespaces.error === null ? undefined : sentenceOf(namespaces.error)}
          onRetry={() => void namespaces.refetch()}
        />
        <ul className="graph-namespaces">
          {names.map((name) => (
            <li key={name}>
              <PlaceLink href={`${fillPath(path, { clusterId: String(clusterId) })}?ns=${name}`}>
                {name}
              </PlaceLink>
            </li>
          ))}
        </ul>
        {namespaces.isPending && <p className="muted">Loading...</p>}
      </div>
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
