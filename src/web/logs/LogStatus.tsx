import { Radio } from 'lucide-react';
import { KeysOf } from '../keyboard/Keys.tsx';
import type { Rows } from './matches.ts';
import type { LogState } from './stream.ts';
import type { ShownLog } from './use-log.ts';

const words: Readonly<Record<LogState['type'], string>> = {
  opening: 'Opening',
  live: 'Following',
  waiting: 'Waiting for the container',
  reconnecting: 'Reconnecting',
  ended: 'Ended',
};

interface LogStatusProps {
  readonly log: ShownLog;
  readonly rows: Rows;
  readonly isAtEnd: boolean;
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`);

function said({ state, isPaused }: ShownLog, isAtEnd: boolean): string {
  if (isPaused) return 'Paused';
  return state.type === 'live' && !isAtEnd ? 'Reading, new lines go on coming in' : words[state.type];
}

/** The line below a log: how it does, how much of it there is, and the keys that work. */
export function LogStatus({ log, rows, isAtEnd }: LogStatusProps) {
  const { buffer, state, dropped, leftOut, held, isPaused, sources } = log;
  const isFiltered = rows.count < buffer.end - buffer.first;
  return (
    <div className={`status ${state.type === 'reconnecting' ? 'stale' : ''}`}>
      <span className="mode">LOGS</span>
      <span className="fresh">
        {state.type === 'live' && !isPaused && <Radio size={12} strokeWidth={1.75} aria-hidden="true" />}
        <span role="status" className="trunc">
          {said(log, isAtEnd)}
        </span>
      </span>
      {'message' in state && state.message !== undefined && (
        // Says why it waits, and with that also that it does: narrow windows have room for one of the two.
        <span className={`sec trunc ${state.type === 'waiting' ? 'why' : ''}`}>{state.message}</span>
      )}
      <span className="sec">{linesOf(buffer.end)}</span>
      {isFiltered && <span className="sec">{rows.count} of them shown</span>}
      {sources.length > 1 && <span className="sec w-only">{sources.length} containers</span>}
      {isPaused && held > 0 && <span className="sec">{held} more wait</span>}
      {buffer.first > 0 && <span className="sec">the first {buffer.first} are no longer kept</span>}
      {dropped > 0 && <span className="hot">{linesOf(dropped)} were left out</span>}
      {leftOut.length > 0 && (
        <span className="hot trunc" title={leftOut.join('\n')}>
          not read, as there are too many: {leftOut.join(', ')}
        </span>
      )}
      <span className="grow" />
      <span className="hint">
        <KeysOf id="log.search" />
        search
      </span>
      <span className="hint">
        <KeysOf id="log.pause" />
        pause
      </span>
      <span className="hint">
        <KeysOf id="log.follow" />
        follow
      </span>
    </div>
  );
}
