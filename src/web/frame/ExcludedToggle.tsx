import { useQuery } from '@tanstack/react-query';
import { excludedShown } from '../../registry/commands/route-search.ts';
import { useData } from '../data/port.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { Button } from '../kit/Button.tsx';
import { useViewSearch } from '../workspace/view.ts';

interface ExcludedToggleProps {
  readonly clusterId: number;
  /** Another cluster beside it. */
  readonly otherClusterId?: number;
  /** Whether the view shows the namespaces of the cluster together, so that it leaves some out. */
  readonly isConcerned: boolean;
}

/** Says that a view leaves out namespaces, and shows them in this view alone. Absent where nothing is left out. */
export function ExcludedToggle({ clusterId, otherClusterId, isConcerned }: ExcludedToggleProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const clusters = useQuery(queries.clusters).data ?? [];
  const shown = clusters.filter(({ id }) => id === clusterId || id === otherClusterId);
  const names = [...new Set(shown.flatMap(({ excludedNamespaces = [] }) => excludedNamespaces))];
  if (!isConcerned || names.length === 0) return null;
  const isShown = search.excluded === excludedShown;
  return (
    <Button
      size="sm"
      variant={isShown ? 'light' : 'transparent'}
      aria-pressed={isShown}
      title={`${isShown ? 'Shown here' : 'Left out'}: ${names.join(', ')}`}
      onClick={() => setSearch({ excluded: isShown ? undefined : excludedShown }, 'push')}
    >
      {names.length} {names.length === 1 ? 'namespace' : 'namespaces'} excluded
      <span className="narrow:hidden" aria-hidden="true">
        <KeysOf id="cluster.toggleExcluded" />
      </span>
    </Button>
  );
}
