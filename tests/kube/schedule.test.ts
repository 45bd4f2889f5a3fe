import { expect, test } from 'vitest';
import { nextRun } from '../../src/kube/schedule.ts';

/** When a cron job runs next after its last run, ISO. */
function next(schedule: string, after: string, timeZone?: string): string | undefined {
  const spec = { schedule, ...(timeZone === undefined ? {} : { timeZone }) };
  const seconds = nextRun({ spec, status: { lastScheduleTime: after } });
  return seconds === null ? undefined : new Date(seconds * 1000).toISOString();
}

test.each([
  ['*/15 * * * *', '2026-03-02T12:07:30Z', '2026-03-02T12:15:00.000Z'],
  ['30 9 * * mon-fri', '2026-03-06T12:00:00Z', '2026-03-09T09:30:00.000Z'],
  ['0 9 13 * 1', '2026-03-02T00:00:00Z', '2026-03-02T09:00:00.000Z'],
  ['@hourly', '2026-03-02T12:00:00Z', '2026-03-02T13:00:00.000Z'],
  ['@every 90s', '2026-03-02T12:00:00Z', '2026-03-02T12:01:30.000Z'],
])('%s after %s is due at %s', (schedule, after, due) => {
  expect(next(schedule, after)).toBe(due);
});

test('a schedule follows its time zone; it drops times that the clocks skip and counts repeated ones once', () => {
  expect(next('0 9 * * *', '2026-03-02T00:00:00Z', 'Europe/Berlin')).toBe('2026-03-02T08:00:00.000Z');
  expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T00:30:00.000Z');
  expect(next('30 2 * * *', '2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-26T01:30:00.000Z');
});

test('a suspended, invalid or never created cron job is not due', () => {
  const status = { lastScheduleTime: '2026-03-02T12:00:00Z' };
  expect(nextRun({ spec: { schedule: '@hourly', suspend: true }, status })).toBeNull();
  expect(nextRun({ spec: { schedule: '61 * * * *' }, status })).toBeNull();
  expect(nextRun({ spec: { schedule: '0 0 * * *', timeZone: 'Mars/Olympus' }, status })).toBeNull();
  expect(nextRun({ spec: { schedule: '@hourly' } })).toBeNull();
});
