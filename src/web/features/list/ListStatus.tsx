import { memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { plainTitle } from '../../../registry/commands/command.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { objectViewsOf } from '../../../registry/commands/object-views.ts';
import { useCommands } from '../../core/commands.ts';
import { useMay } from '../../data/may-act.ts';
import { isRetryable } from '../../data/live/freshness.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { ToneCounter, type ToneCounts } from '../../data/rows/tone-counts.ts';
import { type Hint, Hints } from '../../keyboard/Hints.tsx';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { LinkButton } from '../../kit/Link.tsx';
import { StatusLine, StatusRetry, StatusSpace, Tally } from '../../kit/StatusLine.tsx';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { FreshLine, useFreshness } from '../../frame/FreshLine.tsx';

interface ListStatusProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  /** Where in a row its status is; -1 where it has none. */
  readonly statusAt: number;
  /** Rows that would have another position if the order were not held. */
  readonly moved: number;
  readonly isFiltering: boolean;
  readonly onSettle: () => void;
  readonly onRetry: () => void;
  /** Actions on the selected rows, shown instead of the key hints if there is room. */
  readonly bulk: ReactNode;
}

const toneWords = { bad: 'failing', warn: 'degraded', ok: 'healthy' } as const;

/** The line below a list: mode, how fresh it is, how its rows do, and the keys that work. */
export function ListStatus(props: ListStatusProps) {
  const { kind, clusterId, list, statusAt, moved, isFiltering, onSettle, onRetry, bulk } = props;
  const freshness = useFreshness(list, { title: kind.title, clusterId });
  const counts = useToneCounts(list, statusAt);
  const isTyping = useIsTyping();
  const canRetry = isRetryable(freshness);
  return (
    <StatusLine mode={isTyping ? 'FILTER' : 'LIST'} isStale={freshness.look === 'stale'}>
      <FreshLine freshness={freshness} />
      <AccessCountdown clusterId={clusterId} />
      {(['bad', 'warn', 'ok'] as const).map(
        (tone) =>
          counts !== undefined &&
          counts[tone] > 0 && <Tally key={tone} tone={tone} count={counts[tone]} word={toneWords[tone]} />,
      )}
      {moved > 0 && (
        <LinkButton onClick={onSettle}>{moved === 1 ? '1 row moved' : `${moved} rows moved`}</LinkButton>
      )}
      {!canRetry && bulk === undefined ? (
        <ListHints kind={kind} clusterId={clusterId} isFiltering={isFiltering} hasMoved={moved > 0} />
      ) : (
        <>
          <StatusSpace />
          {canRetry ? <StatusRetry keys={<KeysOf id="table.retry" />} onRetry={onRetry} /> : bulk}
        </>
      )}
    </StatusLine>
  );
}

/** How many rows of a list have each tone; undefined before all of them are there. */
function useToneCounts(list: LiveList | undefined, statusAt: number): ToneCounts | undefined {
  const rows = list?.rows;
  const counter = useMemo(() => new ToneCounter(statusAt), [statusAt]);
  const counts = useMemo(() => (rows === undefined ? undefined : counter.count(rows)), [counter, rows]);
  return list?.complete === true ? counts : undefined;
}

interface ListHintsProps extends Pick<ListStatusProps, 'kind' | 'clusterId' | 'isFiltering'> {
  readonly hasMoved: boolean;
}

/** What keys do in the filter. */
const filterHints: readonly Hint[] = [
  { keys: 'enter', text: 'to the rows' },
  { keys: 'tab', text: 'complete' },
];
/** What they do while it is empty: behind a letter, `?` is a part of the word. */
const emptyFilterHints: readonly Hint[] = [...filterHints, { keys: '?', text: 'explain' }];

/** The keys that work in a list. Apart from the line, which is drawn with each change of the list and each second. */
const ListHints = memo(function ListHints({ kind, clusterId, isFiltering, hasMoved }: ListHintsProps) {
  const { registry } = useCommands();
  const may = useMay(String(clusterId));
  return (
    <Hints
      inField={isFiltering ? filterHints : emptyFilterHints}
      hints={[
        ...(hasMoved ? [{ id: 'table.settle', text: 'sort again' }] : []),
        ...(isFiltering ? [{ id: 'table.escape', text: 'clear' }] : []),
        ...objectViewsOf(registry.commands, kind.id, may).map((command) => ({
          id: command.id,
          text: plainTitle(command).toLowerCase(),
        })),
        { id: 'table.openBeside', text: 'split' },
        { id: 'table.filter', text: 'filter' },
      ]}
    />
  );
});

/** Whether the filter has the keys. Only the word in the corner follows it. */
function useIsTyping(): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    const listen = () =>
      setTyping(
        document.activeElement?.closest('[data-part=filter]') !== null && document.activeElement !== null,
      );
    document.addEventListener('focusin', listen);
    document.addEventListener('focusout', listen);
    return () => {
      document.removeEventListener('focusin', listen);
      document.removeEventListener('focusout', listen);
    };
  }, []);
  return isTyping;
}
