import type { CellValue, Row } from '../../../contract/live.ts';

/** Whether two rows show the same. */
export function hasSameCells(known: Row | undefined, row: Row): boolean {
  if (known === undefined || known[1].length !== row[1].length) return false;
  return known[1].every((cell, index) => isSameCell(cell, row[1][index]));
}

function isSameCell(a: CellValue, b: CellValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  const other: readonly unknown[] = b;
  return a.every((one: unknown, index) => Object.is(one, other[index]));
}
