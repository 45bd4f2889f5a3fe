import type { CSSProperties } from 'react';
import { clockText } from '../../features/metrics/ticks.ts';
import { type Histogram, histogramText } from './model.ts';

/** Times below the bars: this many minutes ago. */
const marks = [60, 45, 30, 15];

/** Surfaces of the bars, and of the swatches that say what they mean. */
const eventSurface = {
  normal: 'bg-control',
  warning:
    'bg-[repeating-linear-gradient(115deg,var(--color-chart-2)_0_3px,color-mix(in_srgb,var(--color-chart-2)_60%,var(--color-surface))_3px_4px)]',
} as const;
const bar = 'h-(--v) min-h-px forced-color-adjust-none';

/** A piece of the surface of the bars of normal events, or of warnings. */
export function Swatch({ of }: { readonly of: keyof typeof eventSurface }) {
  return <i className={`size-2.5 rounded-[1px] forced-color-adjust-none ${eventSurface[of]}`} />;
}

interface EventHistogramProps {
  readonly histogram: Histogram;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Events of the last hour, a bar a minute, warnings hatched above the normal ones. */
export function EventHistogram({ histogram, now }: EventHistogramProps) {
  const height = (count: number): CSSProperties =>
    ({ '--v': `${(count / Math.max(1, histogram.most)) * 100}%` }) as CSSProperties;
  return (
    <figure className="mx-3 mt-1 mb-2">
      <div
        className="grid h-28 grid-cols-[repeat(60,minmax(0,1fr))] gap-0.5 border-b border-border @max-[40rem]:gap-px"
        role="img"
        aria-label={histogramText(histogram)}
      >
        {histogram.bars.map(({ minute, normal, warnings }) => (
          <span key={minute} className="flex h-full min-h-0 flex-col justify-end gap-px">
            {warnings > 0 && (
              <i className={`flex-none ${bar} ${eventSurface.warning}`} style={height(warnings)} />
            )}
            {/* Both and the line between them fit into a full bar. */}
            {normal > 0 && (
              <i
                className={`${warnings > 0 ? 'flex-initial' : 'flex-none'} ${bar} ${eventSurface.normal}`}
                style={height(normal)}
              />
            )}
          </span>
        ))}
      </div>
      <figcaption className="text-xs text-text-3">
        <span className="flex justify-between pt-[0.1875rem]" aria-hidden="true">
          {marks.map((minutes) => (
            <span key={minutes}>{clockText(now / 1000 - minutes * 60)}</span>
          ))}
          <span>now</span>
        </span>
        <span>Each event by when it was first and last seen.</span>
      </figcaption>
    </figure>
  );
}
