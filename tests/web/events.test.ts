import { expect, test } from 'vitest';
import type { CellValue, Row } from '../../src/contract/live.ts';
import { shownEvents } from '../../src/web/features/detail/event-lines.ts';

const columns = ['last-seen', 'status', 'reason', 'message', 'count'];
const cell = (row: Row, id: string): CellValue => row[1][columns.indexOf(id)] ?? null;
const row = (uid: string, seen: number | null, type: string, reason: string, message: string): Row => [
  uid,
  [seen, [type, type === 'Warning' ? 'warn' : 'idle'], reason, message, 1],
];
const rows = [
  row('a', 10, 'Normal', 'Pulled', 'Container image "nginx" already present'),
  row('b', 30, 'Warning', 'BackOff', 'Back-off restarting failed container'),
  row('c', null, 'Normal', 'Scheduled', 'Assigned shop/web to node-1'),
  row('d', 20, 'Warning', 'Unhealthy', 'Readiness probe failed'),
];
const shown = (query: string, isWarnings = false) =>
  shownEvents(rows, cell, { query, isWarnings }).map(({ uid }) => uid);

test('events of an object are shown newest first, those without a time last', () => {
  expect(shown('')).toEqual(['b', 'd', 'a', 'c']);
});

test('events are found by every word, in reason or message, whatever their case', () => {
  expect(shown('CONTAINER back')).toEqual(['b']);
  expect(shown('container')).toEqual(['b', 'a']);
  expect(shown('nothing of this')).toEqual([]);
});

test('warnings can be shown alone', () => {
  expect(shown('', true)).toEqual(['b', 'd']);
  expect(shown('probe', true)).toEqual(['d']);
});
