import type { ScreenProps } from '../../registry/command.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { useApp } from '../app/context.ts';
import { kindById } from '../data/kinds.ts';
import type { ListTarget } from '../data/live/targets.ts';
import { useLive } from '../data/live/use-live.ts';
import { noChoice } from '../state/columns.ts';
import { useCell } from '../state/state.ts';
import { useView, useViewSearch } from '../workspace/view.ts';
import { isChosen } from './columns.ts';
import { ListView } from './ListView.tsx';

/** The list of any kind with a file. */
export function Screen({ params, command }: ScreenProps) {
  const kind = kindById(command.kind ?? '');
  if (kind === undefined) throw new Error(`The route ${command.id} names no kind.`);
  return <LiveListView kind={kind} clusterId={Number(params.clusterId)} />;
}

interface LiveListViewProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
}

function LiveListView({ kind, clusterId }: LiveListViewProps) {
  const { live, columnChoices } = useApp();
  const { isVisible } = useView();
  const [search] = useViewSearch();
  const choice = useCell(columnChoices, (choices) => choices[kind.id]) ?? noChoice;
  // What is joined for the wide table costs the cluster: it is asked for only while it shows.
  const wide = kind.columns.some(
    (column) => column.wide === true && column.join !== undefined && isChosen(column, choice),
  );
  const namespace = kind.scope === 'Namespaced' ? search.ns : undefined;
  const target: ListTarget = { clusterId, kind: kind.id, namespace, wide, window: kind.window };
  const list = useLive<ListTarget>(target, isVisible);
  return <ListView kind={kind} clusterId={clusterId} list={list} onRetry={() => live.retry(target)} />;
}
