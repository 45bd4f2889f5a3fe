import type { CellValue, Row } from '../../../contract/live.ts';
import { coresText, formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { figureLook, UsageBar } from '../../kit/UsageBar.tsx';
import { drawSeries } from './chart.ts';
import { usageWords } from './usage-words.ts';
import { useUsageSamples } from './use-usage-samples.ts';

interface UsageCellProps {
  /** Cluster and kind of the list. */
  readonly list: string;
  readonly row: Row;
  readonly columns: readonly PlacedColumn[];
  readonly format: CellFormat;
  readonly value: CellValue | undefined;
}

const width = 56;
const height = 11;

/**
 * The usage of one object: the line of the last ten minutes (a gap stays a gap) over a bar of its share of the limit.
 */
export function UsageCell({ list, row, columns, format, value }: UsageCellProps) {
  const text = (wanted: CellFormat) => {
    const index = columns.find(({ column }) => column.format === wanted)?.index;
    const cell = index === undefined ? undefined : row[1][index];
    return typeof cell === 'string' ? cell : '';
  };
  const samples = useUsageSamples(list, text('namespace'), text('name'));
  const figure = format === 'bytes' ? formatBytes : formatCores;
  const words = usageWords(value, format === 'bytes' ? figure : coresText);
  if (words === undefined)
    return (
      <span className="font-normal text-text-3" title={samples?.message ?? 'Not measured yet'}>
        –
      </span>
    );
  const series = format === 'bytes' ? samples?.memory : samples?.cpu;
  const { pieces } = drawSeries(samples?.times ?? [], series ?? [], []);
  return (
    <span className="inline-flex w-full items-center justify-end gap-1.5" title={words.sentence}>
      <span className="mr-auto grid w-14 flex-none gap-px" aria-hidden="true">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
          {pieces.map((piece) => {
            const [first] = piece;
            if (first === undefined) return null;
            const points = piece.length === 1 ? [first, [first[0] + 0.03, first[1]] as const] : piece;
            return (
              <polyline
                key={first[0]}
                className="fill-none stroke-chart-1 stroke-[1.25] [vector-effect:non-scaling-stroke]"
                points={points
                  .map(([x, y]) => `${(x * width).toFixed(1)},${((1 - y) * (height - 2) + 1).toFixed(1)}`)
                  .join(' ')}
              />
            );
          })}
        </svg>
        {words.bar !== undefined && <UsageBar isThin {...words.bar} label={words.share} />}
      </span>
      <span className="text-text-2">{figure(words.used)}</span>
      <span className={`min-w-9 ${words.tone === '' ? 'text-text-2' : figureLook[words.tone]}`}>
        {words.share}
      </span>
      <span className="sr-only">{words.sentence}</span>
    </span>
  );
}
