import { useEffect, useState } from 'react';
import type { KindFacts } from '../../registry/kind-facts.ts';
import type { LiveList } from '../data/live/rows.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { Glyph } from '../ui/marks.tsx';
import { FreshLine, useFreshness } from './FreshLine.tsx';
import { useToneCounts } from './use-tone-counts.ts';

interface ListStatusProps {
  readonly kind: KindFacts;
  readonly list: LiveList | undefined;
  /** Rows that would stand elsewhere if the order were not held. */
  readonly moved: number;
  readonly isFiltering: boolean;
  readonly onSettle: () => void;
  readonly onRetry: () => void;
}

/** The line below a list: mode, how fresh it is, how its rows do, and the keys that work. */
export function ListStatus({ kind, list, moved, isFiltering, onSettle, onRetry }: ListStatusProps) {
  const freshness = useFreshness(list, kind.title);
  const counts = useToneCounts(kind, list?.rows);
  const isTyping = useIsTyping();
  const canRetry = freshness.look === 'stale' || freshness.look === 'none';
  return (
    <div className={`status ${freshness.look === 'stale' ? 'stale' : ''}`}>
      <span className="mode">{isTyping ? 'FILTER' : 'LIST'}</span>
      <FreshLine freshness={freshness} />
      {(['bad', 'warn', 'ok'] as const).map(
        (tone) =>
          counts !== undefined &&
          counts[tone] > 0 && (
            <span key={tone} className={`tally ${tone}`}>
              <Glyph tone={tone} size={11} />
              {counts[tone]}
              <span className="vh"> {tone}</span>
            </span>
          ),
      )}
      {moved > 0 && (
        <button type="button" className="link moved" onClick={onSettle}>
          {moved === 1 ? '1 row moved' : `${moved} rows moved`}
        </button>
      )}
      <span className="grow" />
      {canRetry ? (
        <button type="button" className="hint" onClick={onRetry}>
          <KeysOf id="table.retry" />
          retry now
        </button>
      ) : (
        <>
          {moved > 0 && (
            <span className="hint">
              <KeysOf id="table.settle" />
              sort again
            </span>
          )}
          <span className="hint">
            <KeysOf id="table.down" />
            <KeysOf id="table.up" />
            rows
          </span>
          <span className="hint">
            <KeysOf id={isFiltering ? 'table.escape' : 'table.filter'} />
            {isFiltering ? 'clear' : 'filter'}
          </span>
        </>
      )}
    </div>
  );
}

/** Whether the filter has the keys. Only the word in the corner follows it. */
function useIsTyping(): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    const listen = () =>
      setTyping(document.activeElement?.closest('.filter') !== null && document.activeElement !== null);
    document.addEventListener('focusin', listen);
    document.addEventListener('focusout', listen);
    return () => {
      document.removeEventListener('focusin', listen);
      document.removeEventListener('focusout', listen);
    };
  }, []);
  return isTyping;
}
