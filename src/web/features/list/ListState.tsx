import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Lock, PackageX, SearchX } from 'lucide-react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { NamespacesRemedy } from '../../frame/NamespacesRemedy.tsx';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { holds } from '../../../registry/commands/registry.ts';
import { useMay } from '../../data/may-act.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import type { FilterProblem } from '../../../registry/filter/parse.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { State, stateLook } from '../../kit/State.tsx';
import { useView } from '../../workspace/view.ts';
import { isListWaiting, ListWaiting, waitReason } from './ListWaiting.tsx';
import { nearWord } from './near-word.ts';
import { needText } from './need.ts';

/** Delay after the last key before similar names are searched (ms): the search reads every name of a long list. */
const pause = 300;
/** How often it is asked whether a namespace that was not there has come (ms). */
const namespacesInterval = 3_000;

interface ListStateProps {
  readonly kind: KindFacts;
  readonly list: LiveList | undefined;
  readonly clusterId: number;
  readonly clusterName: string;
  /** Where the list looks, in words. */
  readonly place: string;
  readonly clusterMessage: string | undefined;
  /** The clusters that still work although the list cannot be shown, from `failureScope`. */
  readonly failureScope: string;
  readonly namespace: string | undefined;
  readonly filter: string;
  /** Message about the filter; undefined for one that is right. */
  readonly problem: FilterProblem | undefined;
  readonly hidden: number;
  /** Of every row, also of those that the filter hides. */
  readonly names: () => Iterable<string>;
  /** Rows that are left out until they are asked for. */
  readonly aside: number;
  readonly onAside: () => void;
  readonly onClearFilter: () => void;
  readonly onFilter: (filter: string) => void;
  readonly onAllNamespaces: () => void;
  readonly onRetry: () => void;
}

/** Shown in place of an empty list, with the reason. */
export function ListState(props: ListStateProps) {
  const { kind, list, clusterName } = props;
  const plural = lowerFirst(kind.title);
  const status = list?.state.status ?? 'loading';
  if (list?.ended !== undefined) {
    if (list.ended.status === 403) return <Forbidden {...props} message={list.ended.title} isOwnRight />;
    return <Failed {...props} message={list.ended.title} />;
  }
  if (status === 'forbidden') return <Forbidden {...props} message={list?.state.message} />;
  if (status === 'absent') {
    return (
      <State
        icon={<PackageX size={22} strokeWidth={1.75} aria-hidden="true" />}
        title={`${clusterName} does not serve ${plural}`}
      >
        {list?.state.message ?? `The API ${kind.group}/${kind.version} is not installed there.`}
      </State>
    );
  }
  if (
    status === 'unreachable' ||
    ((status === 'stale' || status === 'reconnecting') && list?.complete !== true)
  ) {
    return <Failed {...props} message={list?.state.message} />;
  }
  if (props.hidden > 0) return <NoMatch {...props} />;
  const wait = waitReason(list);
  if (wait !== undefined)
    return (
      <State icon={<Icon name={kind.sidebar && kind.icon} size={22} />} title={`Waiting to load ${plural}`}>
        {wait}
      </State>
    );
  if (isListWaiting(list)) return <ListWaiting />;
  return <Empty {...props} />;
}

/** The filter hides all there is; perhaps a letter of it is wrong. */
function NoMatch({ kind, list, filter, problem, hidden, names, onFilter, onClearFilter }: ListStateProps) {
  const soFar = list?.complete === true ? '' : ' so far';
  const [found, find] = useState<{ readonly filter: string; readonly meant: string | undefined }>();
  const look = useEffectEvent(() => find({ filter, meant: nearWord(filter.trim().toLowerCase(), names()) }));
  useEffect(() => {
    const timer = setTimeout(look, pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- waits anew after each key
  }, [filter]);
  const meant = found?.filter === filter ? found.meant : undefined;
  return (
    <State
      icon={<SearchX size={22} strokeWidth={1.75} aria-hidden="true" />}
      title={`No ${lowerFirst(kind.kind)} matches “${filter}”${soFar}`}
      actions={
        <>
          {meant !== undefined && (
            <Button size="sm" variant="secondary" onClick={() => onFilter(meant)}>
              Search for {meant}
            </Button>
          )}
          <Button
            size="sm"
            variant={meant === undefined ? 'secondary' : 'transparent'}
            onClick={onClearFilter}
          >
            Clear filter
          </Button>
        </>
      }
    >
      {problem === undefined || problem.type === 'open' ? '' : `${problem.text} `}
      {hidden === 1
        ? `1 ${lowerFirst(kind.kind)} is hidden by the filter${soFar}.`
        : `${hidden} ${lowerFirst(kind.title)} are hidden by the filter${soFar}.`}
      {meant === undefined ? '' : ` Did you mean ${meant}?`}
    </State>
  );
}

/** Nothing is there to be shown, perhaps because its namespace is not there. */
function Empty({ kind, clusterId, place, namespace, onAllNamespaces }: ListStateProps) {
  const { registry, run } = useCommands();
  const { queries } = useData();
  const may = useMay(String(clusterId));
  const template = registry.commands.find(
    (command) => command.type === 'template' && command.resource === kind.kind && holds(command.needs, may),
  );
  const { isVisible } = useView();
  // Asked anew, and again while it is not there: it may be about to come.
  const namespaces = useQuery({
    ...queries.namespaces(clusterId),
    enabled: namespace !== undefined && isVisible,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.some(({ name }) => name === namespace) === false ? namespacesInterval : false,
  });
  const isUnknown =
    namespace !== undefined &&
    namespaces.isSuccess &&
    namespaces.isFetchedAfterMount &&
    !namespaces.data.some(({ name }) => name === namespace);
  return (
    <State
      icon={<Icon name={kind.sidebar && kind.icon} size={22} />}
      title={isUnknown ? `Namespace not found: ${namespace}` : `No ${lowerFirst(kind.title)} in ${place}`}
      actions={
        <>
          {template !== undefined && !isUnknown && (
            <Button
              size="sm"
              variant="primary"
              onClick={() =>
                run(template.id, {}, { subject: { type: 'cluster', cluster: String(clusterId) } })
              }
            >
              Create {/^[AEIOU]/.test(kind.kind) ? 'an' : 'a'} {kind.kind}
            </Button>
          )}
          {namespace !== undefined && (
            <Button size="sm" variant="secondary" onClick={onAllNamespaces}>
              Show all namespaces
            </Button>
          )}
        </>
      }
    >
      {isUnknown
        ? 'It may have been deleted, or has another name.'
        : 'They appear here as soon as there is one.'}
    </State>
  );
}

/** The cluster does not let the console see this, or the console's own rules do not let the person. */
function Forbidden({
  kind,
  list,
  clusterId,
  clusterName,
  namespace,
  message,
  isOwnRight = false,
}: ListStateProps & { readonly message: string | undefined; readonly isOwnRight?: boolean }) {
  const what = `View ${lowerFirst(kind.title)}`;
  return (
    <State
      icon={<Lock size={22} strokeWidth={1.75} aria-hidden="true" />}
      title={
        isOwnRight
          ? `You cannot view ${lowerFirst(kind.title)} in ${clusterName}`
          : `The console cannot view ${lowerFirst(kind.title)} in ${clusterName}`
      }
      actions={
        isOwnRight ? (
          <WhyNotButton
            refused={{ what, needs: kind.permissions.view, cluster: String(clusterId), namespace }}
          />
        ) : (
          <NamespacesRemedy clusterId={clusterId} state={list?.state} />
        )
      }
    >
      {message ?? needText(kind.permissions.view)}
    </State>
  );
}

function Failed(props: ListStateProps & { readonly message: string | undefined }) {
  const { kind, clusterName, clusterMessage, onRetry } = props;
  const message = props.message ?? clusterMessage ?? `${clusterName} is unreachable.`;
  const plural = lowerFirst(kind.title);
  return (
    <div className={stateLook({ isStretched: true })}>
      <ErrorAlert
        title={`Could not load ${plural}.`}
        message={`${message}${props.failureScope}`}
        onRetry={onRetry}
      >
        <Button
          size="sm"
          variant="transparent"
          onClick={() => {
            void navigator.clipboard.writeText(`Could not load ${plural} of ${clusterName}: ${message}`);
          }}
        >
          Copy details
        </Button>
      </ErrorAlert>
    </div>
  );
}
