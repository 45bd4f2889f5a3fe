import { LoaderCircle, Radio, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useData } from '../data/port.ts';
import { type Freshness, freshnessOf, type FreshSubject } from '../data/live/freshness.ts';
import type { LiveBase } from '../data/live/base.ts';
import { useNow } from '../data/now.ts';
import { useCell } from '../core/state/state.ts';
import { Glyph } from '../kit/marks.tsx';
import { freshLook, messageLook } from '../kit/StatusLine.tsx';

/** A state that does not last this long (ms) is shown but not read out. */
const announcedAfter = 1_000;

/** How fresh something live of a cluster is at this moment. */
export function useFreshness(
  data: LiveBase | undefined,
  { title, clusterId }: Pick<FreshSubject, 'title' | 'clusterId'>,
): Freshness {
  const { live } = useData();
  const ticking = useNow();
  const connection = useCell(live.connection);
  return freshnessOf(data, connection, { title, clusterId, now: Math.max(ticking, connection.heardAt) });
}

/** How fresh something is: a mark, words, a muted figure, and why it is not simply live. */
export function FreshLine({ freshness }: { readonly freshness: Freshness }) {
  const { look, text, figure, why } = freshness;
  return (
    <>
      <span className={freshLook({ hasFailed: look === 'failed' })}>
        <FreshIcon look={look} />
        <span aria-hidden="true">{text}</span>
        <span className="sr-only" role="status">
          {useAnnounced(look, text)}
        </span>
        {figure !== undefined && (
          // As wide for every figure. What can be done with selected rows takes its room where that is narrow.
          <span className="min-w-[4.25em] text-text-3 @max-[18rem]:hidden narrow:group-has-data-[part=bulk]/line:hidden">
            {figure}
          </span>
        )}
      </span>
      {why !== undefined && (
        <span className={messageLook} title={why}>
          {why}
        </span>
      )}
    </>
  );
}

/**
 * The announced text: it changes only after the new text has lasted a while, so that a short interruption is not
 * announced.
 */
function useAnnounced(look: Freshness['look'], text: string): string {
  const [announced, announce] = useState({ look, text });
  const isSame = announced.text === text;
  // Nothing was said yet that another word could take back.
  const isFirst = announced.look === 'loading' && !isSame;
  if (isFirst) announce({ look, text });
  useEffect(() => {
    if (isSame) return undefined;
    const timer = setTimeout(() => announce({ look, text }), announcedAfter);
    return () => clearTimeout(timer);
  }, [isSame, look, text]);
  return isFirst ? text : announced.text;
}

function FreshIcon({ look }: { readonly look: Freshness['look'] }) {
  if (look === 'loading')
    return <LoaderCircle className="animate-spin" size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'stale') return <Unplug size={12} strokeWidth={1.75} aria-hidden="true" />;
  if (look === 'failed') return <Glyph tone="bad" size={11} />;
  if (look === 'none') return <Glyph tone="idle" size={11} />;
  return <Radio size={12} strokeWidth={1.75} aria-hidden="true" />;
}
