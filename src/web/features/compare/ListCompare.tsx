import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { comparedStates } from '../../../contract/compare.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useNow } from '../../data/now.ts';
import { formatAge } from '../../../kube/age.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import { ExcludedToggle } from '../../frame/ExcludedToggle.tsx';
import { Page } from '../../frame/Page.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useTool } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { ComparedTable } from './ComparedTable.tsx';
import { ListPlaces } from './ListPlaces.tsx';
import { formatPlace, parsePlace, type Place } from './other.ts';
import { isShown, type StateChoice, shownAs, StateFilter } from './StateFilter.tsx';

interface ListCompareProps {
  /** Id of the kind, or the name of one without a file. */
  readonly name: string;
  readonly cluster: string;
}

const choices: readonly StateChoice[] = ['all', ...comparedStates];
const hints = [
  { id: 'diff.next', text: 'next difference' },
  { id: 'diff.filter', text: 'which' },
  { id: 'diff.status', text: 'status' },
  { id: 'diff.again', text: 'read again' },
];

/** Which objects of a kind are missing, differ or are equal in two namespaces or clusters. The address holds both. */
export function ListCompare({ name, cluster }: ListCompareProps) {
  const { services } = useCommands();
  const { api, kinds, queries } = useData();
  const [search, setSearch] = useViewSearch();
  const kind = kinds.orUnknown(cluster, name);
  const left: Place = { cluster, ...(search.ns === undefined ? {} : { namespace: search.ns }) };
  const right = parsePlace(search.to);
  const withStatus = search.status === '1';
  const withExcluded = search.excluded === excludedShown;
  const shown = shownAs(search.show);
  const clusters = useQuery(queries.clusters).data ?? [];
  const titleOf = ({ cluster: id, namespace }: Place) => {
    const own = clusters.find((one) => String(one.id) === id)?.name ?? `cluster ${id}`;
    return namespace === undefined ? own : `${own}: ${namespace}`;
  };
  const [at, setAt] = useState(-1);
  const read = useQuery({
    queryKey: ['compared-lists', name, left, right, withStatus, withExcluded],
    enabled: right !== undefined,
    gcTime: 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      if (right === undefined) throw new Error('There is nothing to compare with.');
      return await api.compareLists(
        {
          params: { clusterId: Number(cluster), kind: name },
          query: {
            ...(left.namespace === undefined ? {} : { namespace: left.namespace }),
            otherCluster: Number(right.cluster),
            ...(right.namespace === undefined ? {} : { otherNamespace: right.namespace }),
            status: withStatus ? 'true' : 'false',
            ...(withExcluded ? { excluded: 'shown' as const } : {}),
          },
        },
        { signal },
      );
    },
  });
  const now = useNow();
  const objects = (read.data?.objects ?? []).filter(({ state }) => isShown(state, shown));
  useFirstLine(read.data !== undefined);

  const onShow = (next: StateChoice) => {
    setAt(-1);
    setSearch({ show: next === 'all' ? undefined : next });
  };
  const onStatus = () => setSearch({ status: withStatus ? undefined : '1' });
  /** Goes to the next line that is not equal. */
  const go = (by: 1 | -1) => {
    const places = objects.flatMap(({ state }, index) => (state === 'equal' ? [] : [index]));
    const next =
      by > 0
        ? (places.find((one) => one > at) ?? places[0])
        : (places.findLast((one) => one < at) ?? places.at(-1));
    if (next === undefined) services.toast.info('There are no differences.');
    else setAt(next);
  };
  useTool('diff', {
    status: onStatus,
    again: right === undefined ? undefined : () => void read.refetch(),
    ...(read.data === undefined
      ? {}
      : {
          next: () => go(1),
          previous: () => go(-1),
          filter: () => onShow(choices[(choices.indexOf(shown) + 1) % choices.length] ?? 'all'),
        }),
  });

  const age = read.data === undefined ? undefined : formatAge(Math.max(0, now - read.dataUpdatedAt) / 1000);
  const counted = read.data?.objects.filter(({ state }) => state !== 'equal').length ?? 0;
  return (
    <Page
      title={`Compare ${kind.title}`}
      about={right === undefined ? titleOf(left) : `${titleOf(left)} with ${titleOf(right)}`}
      mode="DIFF"
      status={
        <span role="status">
          {read.isFetching
            ? 'Loading both sides…'
            : age === undefined
              ? right === undefined
                ? 'Choose what to compare with'
                : 'Not compared'
              : `${counted === 0 ? 'No differences' : counted === 1 ? '1 difference' : `${counted} differences`}, as of ${age} ago`}
        </span>
      }
      hints={right === undefined ? [] : hints}
    >
      <ListPlaces
        key={`${search.ns ?? ''} ${search.to ?? ''}`}
        isNamespaced={kind.scope !== 'Cluster'}
        left={left}
        right={right}
        leftTitle={titleOf({ cluster })}
        onChoose={(ns, other) => setSearch({ ns, to: formatPlace(other), show: undefined }, 'push')}
      />
      <ErrorAlert
        title="The two could not be compared."
        error={read.error}
        onRetry={() => void read.refetch()}
        isRetrying={read.isFetching}
      />
      {right !== undefined && read.isPending && <Spinner label="Loading both sides…" />}
      {right !== undefined && read.data !== undefined && (
        <>
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <StateFilter
              objects={read.data.objects}
              shown={shown}
              titles={[titleOf(left), titleOf(right)]}
              onShow={onShow}
            />
            <span className="min-w-0 flex-1" />
            <ExcludedToggle
              clusterId={Number(cluster)}
              otherClusterId={Number(right.cluster)}
              isConcerned={left.namespace === undefined}
            />
            <CheckLine checked={withStatus} onChange={onStatus}>
              Status
            </CheckLine>
            <Button
              size="sm"
              variant="secondary"
              isLoading={read.isFetching}
              loadingText="Reading…"
              onClick={() => void read.refetch()}
            >
              Read again
            </Button>
          </div>
          <ComparedTable
            name={name}
            objects={objects}
            left={left}
            right={right}
            titles={[titleOf(left), titleOf(right)]}
            current={at}
          />
        </>
      )}
    </Page>
  );
}
