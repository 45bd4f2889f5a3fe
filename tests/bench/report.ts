/** One figure and what it may be. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** More than this fails the run; undefined: for information. */
  readonly atMost?: number;
  /** Less than this fails the run. */
  readonly atLeast?: number;
}

/** Whether a figure keeps its budget. */
export function isKept({ value, atMost, atLeast }: Figure): boolean {
  return Number.isFinite(value) && value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}

/** The value at a share (0 to 1) of the sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function budgetOf({ atMost, atLeast, unit }: Figure): string {
  if (atMost !== undefined && atMost === atLeast) return `${atMost} ${unit}`;
  if (atMost !== undefined && atLeast !== undefined) return `${atLeast} to ${atMost} ${unit}`;
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`;
  return atLeast === undefined ? '' : `≥ ${atLeast} ${unit}`;
}

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${Number(figure.value.toPrecision(4))} ${figure.unit}`,
    budgetOf(figure),
    figure.atMost === undefined && figure.atLeast === undefined ? '' : isKept(figure) ? 'kept' : 'EXCEEDED',
  ]);
  const all = [['figure', 'measured', 'budget', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
