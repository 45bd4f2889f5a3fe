import type { Slowness, Task } from './reference.ts';

/** One figure and what it may be. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** More than this fails the run; undefined: for information. */
  readonly atMost?: number;
  /** Less than this fails the run. */
  readonly atLeast?: number;
  /**
   * The task by whose slowness here `atMost` is raised and `atLeast` is lowered; without it the budget holds on every
   * machine, as for counts and bytes.
   */
  readonly by?: Task;
}

/** A figure whose budget is stated for a machine as slow as this one. */
export function statedFor(figure: Figure, slowness: Slowness): Figure {
  const { by, atMost, atLeast } = figure;
  if (by === undefined) return figure;
  const rounded = (value: number) => Number(value.toPrecision(3));
  return {
    ...figure,
    ...(atMost === undefined ? {} : { atMost: rounded(atMost * slowness[by]) }),
    ...(atLeast === undefined ? {} : { atLeast: rounded(atLeast / slowness[by]) }),
  };
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

/** Lines of cells as columns of one width each. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A figure's value and unit for people. */
export const valueOf = ({ value, unit }: Pick<Figure, 'value' | 'unit'>): string =>
  `${Number(value.toPrecision(4))} ${unit}`;

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => [
    figure.name,
    valueOf(figure),
    budgetOf(figure),
    figure.atMost === undefined && figure.atLeast === undefined ? '' : isKept(figure) ? 'kept' : 'EXCEEDED',
  ]);
  return aligned([['figure', 'measured', 'budget', ''], ...lines]);
}
