import { describe, expect, it } from 'vitest';
import type { AlertSettings } from '../../../src/contract/alerts.ts';
import {
  alertsPerHour,
  deliveryOf,
  isQuietAt,
  minuteOfDay,
} from '../../../src/server/notifications/alert-times.ts';

const at = (time: string) => Date.parse(`2026-11-30T${time}Z`);
const settings = (more: Partial<AlertSettings>): AlertSettings => ({
  mail: 'soon',
  dailyAt: 8 * 60,
  quiet: null,
  timeZone: 'UTC',
  ...more,
});
const calm = { count: 0, since: 0 };

describe('quiet hours', () => {
  it.each([
    ['within a day', 9 * 60, 17 * 60, '12:00:00', true],
    ['at their begin', 9 * 60, 17 * 60, '09:00:00', true],
    ['at their end', 9 * 60, 17 * 60, '17:00:00', false],
    ['over midnight, late', 22 * 60, 7 * 60, '23:30:00', true],
    ['over midnight, early', 22 * 60, 7 * 60, '06:59:59', true],
    ['over midnight, by day', 22 * 60, 7 * 60, '12:00:00', false],
    ['with equal ends', 8 * 60, 8 * 60, '08:00:00', false],
  ])('%s', (_case, from, until, time, isQuiet) => {
    expect(isQuietAt(settings({ quiet: { from, until } }), at(time))).toBe(isQuiet);
  });

  it('go by the time zone of the person', () => {
    expect(minuteOfDay(at('12:05:30'), 'Europe/Berlin')).toBe(13 * 60 + 5);
    const quiet = { from: 13 * 60, until: 14 * 60 };
    expect(isQuietAt(settings({ quiet, timeZone: 'Europe/Berlin' }), at('12:30:00'))).toBe(true);
    expect(isQuietAt(settings({ quiet }), at('12:30:00'))).toBe(false);
  });
});

describe('an alert', () => {
  it.each([
    ['is not mailed where nobody chose it', settings({ mail: 'off' }), false, null],
    ['is mailed a minute later, with those of that minute', settings({}), false, '12:01:20'],
    ['waits for the time of a daily mail', settings({ mail: 'daily', dailyAt: 15 * 60 }), false, '15:00:00'],
    [
      'waits for the end of quiet hours, which the bell alone shows',
      settings({ quiet: { from: 10 * 60, until: 13 * 60 + 30 } }),
      true,
      '13:30:00',
    ],
    [
      'is not late for quiet hours that begin while it is gathered',
      settings({ quiet: { from: 12 * 60 + 1, until: 13 * 60 } }),
      false,
      '13:00:00',
    ],
  ])('%s', (_case, chosen, isQuiet, mailAt) => {
    const delivery = deliveryOf(chosen, at('12:00:20'), calm);
    expect(delivery).toEqual({ isQuiet, mailAt: mailAt === null ? null : at(mailAt) });
  });

  it('is mailed tomorrow where the time of the daily mail is over', () => {
    const { mailAt } = deliveryOf(settings({ mail: 'daily', dailyAt: 8 * 60 }), at('12:00:20'), calm);
    expect(mailAt).toBe(Date.parse('2026-12-01T08:00:00Z'));
  });

  it('stays in the bell beyond what an hour may have, and is mailed with the others once the hour is over', () => {
    const hour = { count: alertsPerHour, since: at('11:30:00') };
    expect(deliveryOf(settings({}), at('12:00:20'), hour)).toEqual({ isQuiet: true, mailAt: at('12:30:00') });
    expect(deliveryOf(settings({}), at('12:00:20'), { ...hour, count: alertsPerHour - 1 }).isQuiet).toBe(
      false,
    );
  });
});
