import type { UsageHistory } from '../../../contract/live.ts';
import { coresText, formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { usageRanges } from '../../core/state/usage-range.ts';
import { Button } from '../../kit/Button.tsx';
import type { TimeRange } from './chart.ts';
import type { UsageLine } from './limits.ts';
import { summaryOf } from './summary.ts';
import { UsageChart } from './UsageChart.tsx';
import { UsageTable } from './UsageTable.tsx';

interface UsageChartsProps {
  readonly history: UsageHistory;
  /** The server's clock, ms. */
  readonly now: number;
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

/** Charts of CPU and memory over a time to choose, with their figures as a table. */
export function UsageCharts({ history, now, lines }: UsageChartsProps) {
  const { usageRange } = useKept();
  const seconds = useCell(usageRange);
  // Each 15 s is often enough: a chart that moves every second cannot be read.
  const quarter = Math.floor(now / 15_000) * 15;
  const to = Math.max(quarter, history.times.at(-1) ?? 0);
  const range = { from: to - seconds, to };
  const shown = cut(history, range);
  return (
    <>
      <div className="flex gap-1 pb-2" role="group" aria-label="Time range">
        {usageRanges.map((one) => (
          <Button
            key={one.seconds}
            size="sm"
            variant={one.seconds === seconds ? 'light' : 'transparent'}
            aria-pressed={one.seconds === seconds}
            onClick={() => usageRange.set(one.seconds)}
          >
            {one.text}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-x-5 gap-y-3">
        {series.map(({ name, resource, scale, short, format }) => (
          <UsageChart
            key={name}
            name={name}
            times={shown.times}
            values={shown[resource]}
            range={range}
            lines={lines[resource]}
            scale={scale}
            short={short}
            format={format}
            summary={summaryOf(
              name,
              { times: shown.times, values: shown[resource] },
              lines[resource],
              format,
            )}
          />
        ))}
      </div>
      <UsageTable history={shown} range={range} />
    </>
  );
}
