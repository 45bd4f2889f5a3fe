import type { UsageHistory } from '../../../contract/live.ts';
import { coresText, formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import { gapAfter, type TimeRange } from './chart.ts';
import type { UsageLine } from './limits.ts';
import { summaryOf } from './summary.ts';
import { UsageChart } from './UsageChart.tsx';
import { UsageTable } from './UsageTable.tsx';

interface UsageChartsProps {
  readonly history: UsageHistory;
  readonly time: ChartTime;
  readonly lines: Readonly<Record<'cpu' | 'memory', readonly UsageLine[]>>;
}

const series = [
  { name: 'CPU', resource: 'cpu', scale: 'cores', short: formatCores, format: coresText },
  { name: 'Memory', resource: 'memory', scale: 'bytes', short: formatBytes, format: formatBytes },
] as const;

/** The part of a history within a range. */
function cut({ times, cpu, memory }: UsageHistory, { from }: TimeRange): UsageHistory {
  const first = times.findIndex((time) => time >= from);
  if (first === -1) return { times: [], cpu: [], memory: [] };
  return { times: times.slice(first), cpu: cpu.slice(first), memory: memory.slice(first) };
}

/** The time that charts show, epoch seconds, and how far apart points may be without a gap, s. */
export interface ChartTime extends TimeRange {
  readonly gap: number;
}

/** The time of charts of what the console samples itself. @param now the server's clock, ms */
export function sampledTime(history: UsageHistory, now: number, seconds: number): ChartTime {
  // Each 15 s is often enough: a chart that moves every second cannot be read.
  const quarter = Math.floor(now / 15_000) * 15;
  const to = Math.max(quarter, history.times.at(-1) ?? 0);
  return { from: to - seconds, to, gap: gapAfter };
}

/** Charts of CPU and memory, with their figures as a table. */
export function UsageCharts({ history, time, lines }: UsageChartsProps) {
  const { gap, ...range } = time;
  const shown = cut(history, range);
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-x-5 gap-y-3">
        {series.map(({ name, resource, scale, short, format }) => (
          <UsageChart
            key={name}
            name={name}
            times={shown.times}
            values={shown[resource]}
            range={range}
            gap={gap}
            lines={lines[resource]}
            scale={scale}
            short={short}
            format={format}
            summary={summaryOf(
              name,
              { times: shown.times, values: shown[resource] },
              lines[resource],
              format,
              // Of the console's own samples the newest is now, also while the next one is awaited.
              gap === gapAfter ? {} : { end: range.to, gap },
            )}
          />
        ))}
      </div>
      <UsageTable history={shown} range={range} gap={gap} />
    </>
  );
}
