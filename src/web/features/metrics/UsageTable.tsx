import type { UsageHistory } from '../../../contract/live.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import { stopsOf, type TimeRange } from './chart.ts';
import { gapText, stampText } from './ticks.ts';

interface UsageTableProps {
  readonly history: UsageHistory;
  readonly range: TimeRange;
  /** Points further apart have a gap between them, s. */
  readonly gap: number;
}

const cell = 'py-0.5 pr-5 text-left';

/** The figures of the charts, newest first. */
export function UsageTable({ history, range, gap }: UsageTableProps) {
  const span = range.to - range.from;
  const figure = (value: number | null | undefined, format: (value: number) => string) =>
    value === null || value === undefined ? 'not measured' : format(value);
  return (
    <details className="pt-2 text-(length:--text-xs)">
      <summary>Figures</summary>
      <table className="mt-1">
        <thead>
          <tr>
            <th scope="col" className={cell}>
              Time
            </th>
            <th scope="col" className={cell}>
              CPU, cores
            </th>
            <th scope="col" className={cell}>
              Memory
            </th>
          </tr>
        </thead>
        <tbody>
          {[...stopsOf(history.times, range, gap)].reverse().map((stop) =>
            stop.gap === undefined ? (
              <tr key={stop.at}>
                <td className={cell}>{stampText(stop.at, span, true)}</td>
                <td className={cell}>{figure(history.cpu[stop.index], formatCores)}</td>
                <td className={cell}>{figure(history.memory[stop.index], formatBytes)}</td>
              </tr>
            ) : (
              <tr key={stop.at}>
                <td className={`text-text-2 first-letter:uppercase ${cell}`} colSpan={3}>
                  {gapText(stop.gap, span)}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </details>
  );
}
