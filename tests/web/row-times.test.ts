import { expect, test } from 'vitest';
import type { Row } from '../../src/contract/live.ts';
import type { CellFormat } from '../../src/registry/kinds/kind.ts';
import type { PlacedColumn } from '../../src/web/data/rows/placed.ts';
import { createRowTimes, isRestartRecent } from '../../src/web/features/cells/row-times.ts';

const column = (format: CellFormat, index: number) =>
  ({ index, column: { id: format, label: format, format } }) as PlacedColumn;
const columns = [column('name', 0), column('restarts', 1), column('age', 2)];
const seconds = (text: string) => Date.parse(text) / 1000;
const made = seconds('2026-05-01T12:00:00Z');
const at = (text: string) => Date.parse(`2026-05-01T${text}Z`);

test('a row is drawn for the moment at which its times last read otherwise', () => {
  const row: Row = ['uid', ['web', [0, null], made]];
  const timeOf = createRowTimes();
  expect(timeOf(row, columns, at('13:10:00'))).toBe(at('13:10:00'));
  expect(timeOf(row, columns, at('13:10:59'))).toBe(at('13:10:00'));
  expect(timeOf(row, columns, at('13:11:00'))).toBe(at('13:11:00'));
  // A clock that is set back, as when data turns out to be stale.
  expect(timeOf(row, columns, at('13:09:30'))).toBe(at('13:09:30'));
});

test('a young row is drawn each second', () => {
  const row: Row = ['uid', ['web', [0, null], made]];
  const timeOf = createRowTimes();
  expect(timeOf(row, columns, at('12:00:05'))).toBe(at('12:00:05'));
  expect(timeOf(row, columns, at('12:00:06'))).toBe(at('12:00:06'));
});

test('the time since the last restart counts as well as the age', () => {
  const row: Row = ['uid', ['web', [3, seconds('2026-05-01T13:10:00Z')], made]];
  const timeOf = createRowTimes();
  expect(timeOf(row, columns, at('13:10:10'))).toBe(at('13:10:10'));
  expect(timeOf(row, columns, at('13:10:11'))).toBe(at('13:10:11'));
  expect(timeOf(row, [column('age', 2)], at('13:10:12'))).toBe(at('13:10:11'));
});

test('a row that changed is drawn for now', () => {
  const timeOf = createRowTimes();
  timeOf(['uid', ['web', [0, null], made]], columns, at('13:10:00'));
  expect(timeOf(['uid', ['web', [0, null], made]], columns, at('13:10:01'))).toBe(at('13:10:01'));
});

test.each([
  [[3, seconds('2026-05-01T12:10:01Z')], true],
  [[3, seconds('2026-05-01T12:10:00Z')], false],
  [[3, null], false],
  [3, false],
])('restarts %j are recent within an hour: %j', (value, isRecent) => {
  expect(isRestartRecent(value, at('13:10:00'))).toBe(isRecent);
});
