import { useId } from 'react';

interface ChartPlotProps {
  /** Points in a square of 1 by 1 with the origin below. */
  readonly pieces: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Times that were not sampled, from 0 to 1. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** Grid lines, from 0 to 1. */
  readonly levels: readonly number[];
  readonly lines: readonly { readonly label: string; readonly y: number }[];
  /** Where the line for reading stands, from 0 to 1. */
  readonly reading: number | undefined;
}

const width = 600;
const height = 112;
const thin = '[vector-effect:non-scaling-stroke]';

/** The drawing of a usage chart; what stands around it says everything in words. */
export function ChartPlot({ pieces, gaps, levels, lines, reading }: ChartPlotProps) {
  const hatch = useId();
  const across = (y: number) => ({ x1: 0, x2: width, y1: (1 - y) * height, y2: (1 - y) * height });
  return (
    <svg
      className="block size-full border-b border-l border-chart-track bg-raised forced-colors:border-[CanvasText] forced-colors:bg-[Canvas]"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <defs>
        <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line
            x1="0"
            x2="0"
            y1="0"
            y2="7"
            className="stroke-text-3 stroke-1 forced-colors:stroke-[CanvasText]"
          />
        </pattern>
      </defs>
      {levels.map((level) => (
        <line
          key={level}
          className={`stroke-chart-grid stroke-1 forced-colors:stroke-[GrayText] ${thin}`}
          {...across(level)}
        />
      ))}
      {gaps.map(([from, to]) => (
        <rect
          key={from}
          x={from * width}
          width={(to - from) * width}
          y={0}
          height={height}
          fill={`url(#${hatch})`}
          fillOpacity={0.45}
        />
      ))}
      {lines.map(({ label, y }) => (
        <line
          key={label}
          className={[
            `stroke-1 ${thin}`,
            label === 'limit'
              ? 'stroke-bad forced-colors:stroke-[Highlight]'
              : 'stroke-text-3 [stroke-dasharray:4_3] forced-colors:stroke-[GrayText]',
          ].join(' ')}
          {...across(y)}
        />
      ))}
      {pieces.map((piece) => {
        const [first] = piece;
        if (first === undefined) return null;
        // One sample alone is a dot as wide as the line.
        const points = piece.length === 1 ? [first, [first[0] + 0.003, first[1]] as const] : piece;
        return (
          <polyline
            key={first[0]}
            className={`fill-none stroke-chart-1 stroke-2 forced-colors:stroke-[CanvasText] ${thin}`}
            points={points
              .map(([x, y]) => `${(x * width).toFixed(1)},${((1 - y) * height).toFixed(1)}`)
              .join(' ')}
          />
        );
      })}
      {reading !== undefined && (
        <line
          className={`stroke-chart-mark stroke-1 forced-colors:stroke-[Highlight] ${thin}`}
          x1={reading * width}
          x2={reading * width}
          y1={0}
          y2={height}
        />
      )}
    </svg>
  );
}
