import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { coversNewest, drawSeries, gapsOf, stopAt, stopsOf, type TimeRange } from './chart.ts';
import { ChartPlot } from './ChartPlot.tsx';
import type { UsageLine } from './limits.ts';
import { readingText } from './summary.ts';
import { gapText, tickText, timeTicks, valueTicks } from './ticks.ts';
import { isModified } from '../../kit/modified-key.ts';

interface UsageChartProps {
  /** `CPU`. */
  readonly name: string;
  /** Epoch seconds. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly range: TimeRange;
  /** Points further apart have a gap between them, s. */
  readonly gap: number;
  readonly lines: readonly UsageLine[];
  readonly scale: 'cores' | 'bytes';
  /** A figure on the axis. */
  readonly short: (value: number) => string;
  /** A figure in words. */
  readonly format: (value: number) => string;
  /** A summary in one sentence. */
  readonly summary: string;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
const axisText = 'absolute text-(length:--text-xs) leading-none text-text-2 tabular-nums';

/**
 * Usage over time with axes, requests and limits. A line for reading follows the pointer and the arrow keys: as a slider
 * its value is announced. Times that were not sampled are hatched and stand below in words.
 */
export function UsageChart(props: UsageChartProps) {
  const { name, times, values, range, gap, lines, scale, short, format, summary } = props;
  const [reading, setReading] = useState<number | undefined>(undefined);
  const id = useId();
  const span = Math.max(1, range.to - range.from);
  const { pieces, top } = drawSeries(
    times,
    values,
    lines.map(({ value }) => value),
    range,
    gap,
  );
  const gaps = gapsOf(times, range, gap);
  const stops = stopsOf(times, range, gap);
  const stop = reading === undefined ? undefined : stops[stopAt(stops, reading)];
  const place = (time: number) => Math.min(1, Math.max(0, (time - range.from) / span));
  const text =
    stop === undefined
      ? summary
      : readingText(stop, stop.gap === undefined ? values[stop.index] : null, lines, format, span);

  function point(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    setReading(range.from + ((event.clientX - box.left) / Math.max(1, box.width)) * span);
  }
  function move(event: KeyboardEvent) {
    if (isModified(event)) return;
    const last = stops.length - 1;
    const at = reading === undefined ? last + 1 : stopAt(stops, reading);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    const wanted = next === undefined ? undefined : stops[Math.min(last, Math.max(0, next))];
    if (wanted === undefined) return;
    event.preventDefault();
    setReading(wanted.at);
  }

  return (
    <figure className="min-w-0">
      <div className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-1.5" data-part="usage-chart">
        <div className="relative h-28 min-w-9" aria-hidden="true">
          {valueTicks(top, scale).map((tick) => (
            <span
              key={tick}
              className={`right-0 translate-y-1/2 ${axisText}`}
              style={{ bottom: percent(tick / top) }}
            >
              {short(tick)}
            </span>
          ))}
        </div>
        <div
          className="relative h-28 touch-pan-y"
          role="slider"
          tabIndex={0}
          aria-label={`${name} over time`}
          aria-describedby={id}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, stops.length - 1)}
          aria-valuenow={stop === undefined ? Math.max(0, stops.length - 1) : stops.indexOf(stop)}
          aria-valuetext={text}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setReading(undefined)}
          onBlur={() => setReading(undefined)}
          onKeyDown={move}
        >
          <ChartPlot
            pieces={pieces}
            gaps={gaps.map(({ from, to }) => [place(from), place(to)] as const)}
            levels={valueTicks(top, scale).map((tick) => tick / top)}
            lines={lines
              .filter(({ value }) => value <= top)
              .map(({ label, value }) => ({ label, y: value / top }))}
            reading={stop === undefined ? undefined : place(stop.at)}
          />
          {lines
            .filter(({ value }) => value <= top)
            .map(({ label, value }) => (
              <span
                key={label}
                aria-hidden="true"
                className={`absolute ${coversNewest(pieces, value / top) ? 'left-1' : 'right-1'} bg-raised px-0.5 text-(length:--text-xs) leading-tight text-text-2`}
                style={{ bottom: percent(value / top) }}
              >
                {label} {short(value)}
              </span>
            ))}
        </div>
        <span />
        <div className="relative h-4" aria-hidden="true">
          {timeTicks(range).map((tick) => (
            <span
              key={tick}
              className={`top-1 -translate-x-1/2 ${axisText} ${place(tick) < 0.04 || place(tick) > 0.96 ? 'invisible' : ''}`}
              style={{ left: percent(place(tick)) }}
            >
              {tickText(tick, span)}
            </span>
          ))}
        </div>
      </div>
      <figcaption className="pt-1 text-(length:--text-xs) text-text-2">
        <span className="block min-h-lh" data-part="reading">
          {text}
        </span>
        <span className="block" id={id}>
          {gaps.length === 0 ? '' : `Hatched: ${gaps.map((one) => gapText(one, span)).join(', ')}.`}
        </span>
      </figcaption>
    </figure>
  );
}
