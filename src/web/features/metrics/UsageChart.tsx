import { drawSeries } from './chart.ts';
import type { UsageLine } from './limits.ts';

interface UsageChartProps {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly lines: readonly UsageLine[];
  /** A summary in one sentence. */
  readonly summary: string;
}

const width = 600;
const height = 72;

/** Usage over time, with requests and limits as lines. The sentence beside it says the same. */
export function UsageChart({ times, values, lines, summary }: UsageChartProps) {
  const { pieces, top } = drawSeries(
    times,
    values,
    lines.map(({ value }) => value),
  );
  const at = ([x, y]: readonly [number, number]) =>
    `${(x * width).toFixed(1)},${((1 - y) * height).toFixed(1)}`;
  return (
    <svg
      className={[
        'block h-18 w-full border-b border-chart-grid bg-raised',
        'forced-colors:border forced-colors:border-[CanvasText] forced-colors:bg-[Canvas]',
      ].join(' ')}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {lines
        .filter(({ value }) => value <= top)
        .map(({ label, value }) => (
          <line
            key={label}
            className={[
              'stroke-1 [vector-effect:non-scaling-stroke]',
              label === 'request'
                ? 'stroke-text-3 [stroke-dasharray:4_3] forced-colors:stroke-[GrayText]'
                : 'stroke-bad forced-colors:stroke-[Highlight]',
            ].join(' ')}
            x1="0"
            x2={width}
            y1={(1 - value / top) * height}
            y2={(1 - value / top) * height}
          />
        ))}
      {pieces.map((piece) => {
        const [first] = piece;
        if (first === undefined) return null;
        // One sample alone is a dot as wide as the line.
        const points = piece.length === 1 ? [first, [first[0] + 0.002, first[1]] as const] : piece;
        return (
          <polyline
            key={first[0]}
            className="fill-none stroke-chart-1 stroke-2 [vector-effect:non-scaling-stroke] forced-colors:stroke-[CanvasText]"
            points={points.map(at).join(' ')}
          />
        );
      })}
    </svg>
  );
}
