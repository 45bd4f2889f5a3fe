import { Radio } from 'lucide-react';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { type Hint, Hints } from '../../keyboard/Hints.tsx';
import { freshLook, messageLook, StatusLine } from '../../kit/StatusLine.tsx';
import type { Rows } from './matches.ts';
import type { LogState } from './stream.ts';
import type { ShownLog } from './use-log.ts';

const stateLabels: Readonly<Record<LogState['type'], string>> = {
  opening: 'Opening',
  live: 'Following',
  waiting: 'Waiting for the container',
  reconnecting: 'Reconnecting',
  ended: 'Ended',
};

const hintsOfSearch: readonly Hint[] = [
  { id: 'log.nextMatch', text: 'next' },
  { id: 'log.previousMatch', text: 'previous' },
];

/** The keys that do something to a log now: one that has ended is neither paused nor followed. */
export function logHints({
  state,
  isPaused,
  isAtEnd,
  isSearching,
}: Pick<ShownLog, 'state' | 'isPaused'> & Pick<LogStatusProps, 'isAtEnd' | 'isSearching'>): readonly Hint[] {
  const hasEnded = state.type === 'ended';
  return [
    ...(isSearching ? hintsOfSearch : []),
    { id: 'log.search', text: 'search' },
    ...(isPaused || !hasEnded ? [{ id: 'log.pause', text: isPaused ? 'go on' : 'pause' }] : []),
    ...(isAtEnd ? [] : [{ id: 'log.follow', text: hasEnded ? 'to the end' : 'follow' }]),
  ];
}

/** What keys do in the search. */
const searchHints: readonly Hint[] = [
  { keys: 'enter', text: 'to the lines' },
  { keys: 'esc', text: 'give up' },
];

interface LogStatusProps {
  readonly cluster: string;
  readonly log: ShownLog;
  readonly rows: Rows;
  readonly isAtEnd: boolean;
  /** There are matches to walk. */
  readonly isSearching: boolean;
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`);

function statusText({ state, isPaused }: ShownLog, isAtEnd: boolean): string {
  if (isPaused) return 'Paused';
  return state.type === 'live' && !isAtEnd
    ? 'Scrolled back; new lines still arrive'
    : stateLabels[state.type];
}

/** The line below a log: how it does, how much of it there is, and the keys that work. */
export function LogStatus({ cluster, log, rows, isAtEnd, isSearching }: LogStatusProps) {
  const { buffer, state, dropped, leftOut, held, isPaused, sources } = log;
  // Says why it waits, and with that also that it does.
  const isExplained = state.type === 'waiting' && state.message !== undefined;
  const isFiltered = rows.count < buffer.end - buffer.first;
  return (
    <StatusLine mode="LOGS" isStale={state.type === 'reconnecting'}>
      <span className={freshLook({ isExplained })}>
        {state.type === 'live' && !isPaused && <Radio size={12} strokeWidth={1.75} aria-hidden="true" />}
        <span role="status" className="min-w-0 truncate">
          {statusText(log, isAtEnd)}
        </span>
      </span>
      {'message' in state && state.message !== undefined && (
        <span className={messageLook}>{state.message}</span>
      )}
      <AccessCountdown clusterId={Number(cluster)} />
      <span>{linesOf(buffer.end)}</span>
      {isFiltered && <span>{rows.count} of them shown</span>}
      {sources.length > 1 && <span className="narrow:hidden">{sources.length} containers</span>}
      {isPaused && held > 0 && <span>{held} more wait</span>}
      {buffer.first > 0 && <span>the first {buffer.first} are no longer kept</span>}
      {dropped > 0 && <span className="font-semibold text-warn-fg">{linesOf(dropped)} were left out</span>}
      {leftOut.length > 0 && (
        <span className={`font-semibold text-warn-fg ${messageLook}`} title={leftOut.join('\n')}>
          not read, as there are too many: {leftOut.join(', ')}
        </span>
      )}
      <Hints hints={logHints({ state, isPaused, isAtEnd, isSearching })} inField={searchHints} />
    </StatusLine>
  );
}
