import type { CSSProperties } from 'react';
import { type Histogram, histogramText } from './model.ts';

/** Times below the bars: this many minutes ago. */
const marks = [60, 45, 30, 15];

interface EventHistogramProps {
  readonly histogram: Histogram;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Events of the last hour, a bar a minute, warnings hatched above the normal ones. */
export function EventHistogram({ histogram, now }: EventHistogramProps) {
  const clock = (minutes: number) =>
    new Date(now - minutes * 60_000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const height = (count: number): CSSProperties =>
    ({ '--v': `${(count / Math.max(1, histogram.most)) * 100}%` }) as CSSProperties;
  return (
    <figure className="hist">
      <div className="hist-bars" role="img" aria-label={histogramText(histogram)}>
        {histogram.bars.map(({ minute, normal, warnings }) => (
          <span key={minute}>
            {warnings > 0 && <i className="warning" style={height(warnings)} />}
            {normal > 0 && <i className="normal" style={height(normal)} />}
          </span>
        ))}
      </div>
      <figcaption className="sub">
        <span className="hist-times" aria-hidden="true">
          {marks.map((minutes) => (
            <span key={minutes}>{clock(minutes)}</span>
          ))}
          <span>now</span>
        </span>
        <span>Each event by when it was first and last seen.</span>
      </figcaption>
    </figure>
  );
}
