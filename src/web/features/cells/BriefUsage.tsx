import type { CellValue } from '../../../contract/live.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import { usageWords } from '../metrics/usage-words.ts';
import { UsageBar } from '../../kit/UsageBar.tsx';

interface BriefUsageProps {
  readonly format: CellFormat;
  readonly value: CellValue | undefined;
}

/** A figure of usage with its unit, for a sentence. */
export const usageText = (format: CellFormat) => (value: number) =>
  format === 'bytes' ? formatBytes(value) : `${formatCores(value)} cores`;

const figures = {
  '': 'text-text-2',
  warn: 'font-semibold text-warn-fg',
  bad: 'font-semibold text-bad-fg',
} as const;

/** The usage of one object at a glance: a bar of its share, if it has one, and the figure. */
export function BriefUsage({ format, value }: BriefUsageProps) {
  const words = usageWords(value, usageText(format));
  if (words === undefined) return <span className="font-normal text-text-3">–</span>;
  return (
    <span className="inline-flex w-full items-center justify-end gap-1.5" title={words.sentence}>
      {words.bar !== undefined && (
        <span className="mr-auto w-8.5 flex-none" aria-hidden="true">
          <UsageBar {...words.bar} label={words.share} />
        </span>
      )}
      <span className={figures[words.tone]} aria-hidden="true">
        {(format === 'bytes' ? formatBytes : formatCores)(words.used)}
      </span>
      <span className="sr-only">{words.sentence}</span>
    </span>
  );
}
