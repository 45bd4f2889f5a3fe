import { formatAge } from '../../../kube/age.ts';
import { dateTimeText } from '../../kit/date-time.ts';
import type { Times } from './options.ts';

const two = (value: number, length = 2) => String(value).padStart(length, '0');

/**
 * The time of a line (RFC 3339 with nanoseconds) as it is asked for, to the thousandth of a second; empty for what is no
 * time. @param now the page's clock, ms
 */
export function timeText(time: string, times: Times, now: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const clock = () =>
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`;
  switch (times) {
    case 'relative':
      return `${formatAge(Math.max(0, now - date.getTime()) / 1000)} ago`;
    case 'utc':
      return date.toISOString().replace('T', ' ');
    case 'full':
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock()}`;
    case 'none':
      return '';
    case 'local':
      return clock();
    default:
      return times satisfies never;
  }
}

/** All of a time, for a tooltip: as the cluster wrote it, and where the person is. */
export function timeTitle(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : `${time}\n${dateTimeText(time)}`;
}
