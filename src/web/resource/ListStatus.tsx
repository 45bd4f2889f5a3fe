import { LoaderCircle, Radio, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { useApp } from '../app/context.ts';
import { freshnessOf } from '../data/live/freshness.ts';
import type { LiveList } from '../data/live/rows.ts';
import { useNow } from '../data/now.ts';
import { Keys } from '../keyboard/Keys.tsx';
import { useCell } from '../state/state.ts';
import { Glyph } from '../ui/marks.tsx';
import { toneCounts } from './tones.ts';

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
  const { live } = useApp();
  const ticking = useNow();
  const connection = useCell(live.connection);
  const now = Math.max(ticking, connection.heardAt);
  const freshness = freshnessOf(list, connection, kind.title, now);
  const counts = toneCounts(kind, list?.rows ?? new Map());
  const isTyping = useIsTyping();
  const canRetry = freshness.look === 'stale' || freshness.look === 'none';
  return (
    <div className={`status ${freshness.look === 'stale' ? 'stale' : ''}`}>
      <span className="mode">{isTyping ? 'FILTER' : 'LIST'}</span>
      <span className={`fresh ${freshness.look}`}>
        <FreshIcon look={freshness.look} />
        <span role="status">{freshness.text}</span>
        {freshness.figure !== undefined && <span className="muted figure">{freshness.figure}</span>}
      </span>
      {(['bad', 'warn', 'ok'] as const).map(
        (tone) =>
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
          <Keys keys="shift+r" />
          retry now
        </button>
      ) : (
        <>
          {moved > 0 && (
            <span className="hint">
              <Keys keys="o" />
              sort again
            </span>
          )}
          <span className="hint">
            <Keys keys="j" />
            <Keys keys="k" />
            rows
          </span>
          <span className="hint">
            <Keys keys={isFiltering ? 'esc' : '/'} />
            {isFiltering ? 'clear' : 'filter'}
          </span>
        </>
      )}
    </div>
  );
}

function FreshIcon({ look }: { readonly look: ReturnType<typeof freshnessOf>['look'] }) {
  if (look === 'loading')
    return <LoaderCircle className="spin" size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'stale') return <Unplug size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'none') return <Glyph tone="idle" size={11} />;
  return <Radio size={12} strokeWidth={1.75} aria-hidden="true" />;
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
