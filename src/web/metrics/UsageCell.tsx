import '../styles/metrics.css';
import type { CellValue, Row } from '../../contract/live.ts';
import { coresText, formatBytes, formatCores } from '../../kube/format-quantity.ts';
import type { CellFormat } from '../../registry/kind.ts';
import type { PlacedColumn } from '../resource/pipeline.ts';
import { UsageBar } from '../ui/UsageBar.tsx';
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

/** What one object uses, the line of the last ten minutes (a gap is a gap) over a bar of its share of what it may. */
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
      <span className="dim" title={samples?.message ?? 'Not measured yet'}>
        –
      </span>
    );
  const series = format === 'bytes' ? samples?.memory : samples?.cpu;
  const { pieces } = drawSeries(samples?.times ?? [], series ?? [], []);
  return (
    <span className={`usage-cell ${words.tone}`} title={words.sentence}>
      <span className="usage-drawn" aria-hidden="true">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
          {pieces.map((piece) => {
            const [first] = piece;
            if (first === undefined) return null;
            const points = piece.length === 1 ? [first, [first[0] + 0.03, first[1]] as const] : piece;
            return (
              <polyline
                key={first[0]}
                points={points
                  .map(([x, y]) => `${(x * width).toFixed(1)},${((1 - y) * (height - 2) + 1).toFixed(1)}`)
                  .join(' ')}
              />
            );
          })}
        </svg>
        {words.bar !== undefined && <UsageBar {...words.bar} label={words.share} />}
      </span>
      <span className="sec">{figure(words.used)}</span>
      <span className="share">{words.share}</span>
      <span className="vh">{words.sentence}</span>
    </span>
  );
}
