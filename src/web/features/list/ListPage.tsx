import { Suspense } from 'react';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { kindOfRoute } from '../../../registry/commands/kind-commands.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { useData } from '../../data/port.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { asksUsage } from './asks-usage.ts';
import { listTarget } from './list-target.ts';
import { ListView } from './ListView.tsx';
import { useList } from './use-list.ts';
import { useKeptRows } from './use-kept-rows.ts';
import { useColumnChoice } from './use-list-defaults.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const NoSuchPage = lazyPart(async () => (await import('../../frame/NoSuchPage.tsx')).NoSuchPage);
const ListCompare = lazyPart(async () => (await import('../compare/ListCompare.tsx')).ListCompare);
const PodsLogs = lazyPart(async () => (await import('../logs/PodsLogs.tsx')).PodsLogs);

/** The list of any kind; of pods also the logs of several, chosen there. */
export function Screen({ params, command }: ScreenProps) {
  const [search] = useViewSearch();
  const name = kindOfRoute({ command, params });
  if (name !== undefined && search.view === 'logs' && kindById(name)?.logs === 'own') {
    return (
      <Suspense fallback={<ScreenPending />}>
        <PodsLogs cluster={params.clusterId ?? ''} />
      </Suspense>
    );
  }
  if (name !== undefined && search.view === 'compare') {
    return (
      <Suspense fallback={<ScreenPending />}>
        <ListCompare name={name} cluster={params.clusterId ?? ''} />
      </Suspense>
    );
  }
  return name === undefined ? (
    <NoSuchPage />
  ) : (
    <LiveListView name={name} clusterId={Number(params.clusterId)} />
  );
}

interface LiveListViewProps {
  /** Id of the kind, or the name of one without a file: what that is, the server says. */
  readonly name: string;
  readonly clusterId: number;
}

function LiveListView({ name, clusterId }: LiveListViewProps) {
  const { kinds } = useData();
  const { isVisible } = useView();
  const [search] = useViewSearch();
  const kind = kinds.orUnknown(String(clusterId), name);
  const choice = useColumnChoice(clusterId, kind.id);
  const withExcluded = search.excluded === excludedShown;
  const target = listTarget({ name, kind, clusterId, namespace: search.ns, withExcluded, choice });
  const { list, retry } = useList(target, kind, choice, isVisible, asksUsage(search, kind));
  useKeptRows(target, kind, list);
  return <ListView kind={list?.kind ?? kind} clusterId={clusterId} list={list} onRetry={retry} />;
}
