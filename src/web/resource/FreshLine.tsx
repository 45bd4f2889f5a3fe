import { LoaderCircle, Radio, Unplug } from 'lucide-react';
import { useApp } from '../app/context.ts';
import { type Freshness, freshnessOf } from '../data/live/freshness.ts';
import type { LiveBase } from '../data/live/subscription.ts';
import { useNow } from '../data/now.ts';
import { useCell } from '../state/state.ts';
import { Glyph } from '../ui/marks.tsx';

/** How fresh something live is at this moment. */
export function useFreshness(data: LiveBase | undefined, title: string): Freshness {
  const { live } = useApp();
  const ticking = useNow();
  const connection = useCell(live.connection);
  return freshnessOf(data, connection, title, Math.max(ticking, connection.heardAt));
}

/** How fresh something is: a mark, words, and a muted figure. */
export function FreshLine({ freshness }: { readonly freshness: Freshness }) {
  return (
    <span className={`fresh ${freshness.look}`}>
      <FreshIcon look={freshness.look} />
      <span role="status">{freshness.text}</span>
      {freshness.figure !== undefined && <span className="muted figure">{freshness.figure}</span>}
    </span>
  );
}

function FreshIcon({ look }: { readonly look: Freshness['look'] }) {
  if (look === 'loading')
    return <LoaderCircle className="spin" size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'stale') return <Unplug size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'failed') return <Glyph tone="bad" size={11} />;
  if (look === 'none') return <Glyph tone="idle" size={11} />;
  return <Radio size={12} strokeWidth={1.75} aria-hidden="true" />;
}
