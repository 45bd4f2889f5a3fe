import { expect, test } from 'vitest';
import { logHints } from '../../../src/web/features/logs/LogStatus.tsx';

const live = { type: 'live' } as const;
const ended = { type: 'ended', reason: 'ended', title: 'The container has ended.' } as const;

test.each([
  { name: 'live', log: { state: live, isPaused: false, isAtEnd: true }, hints: ['search', 'pause'] },
  {
    name: 'live and scrolled back',
    log: { state: live, isPaused: false, isAtEnd: false },
    hints: ['search', 'pause', 'follow'],
  },
  { name: 'ended', log: { state: ended, isPaused: false, isAtEnd: true }, hints: ['search'] },
  {
    name: 'ended and scrolled back',
    log: { state: ended, isPaused: false, isAtEnd: false },
    hints: ['search', 'to the end'],
  },
  {
    name: 'ended while it was paused',
    log: { state: ended, isPaused: true, isAtEnd: true },
    hints: ['search', 'go on'],
  },
])('the hints of a log that is $name are keys that do something to it', ({ log, hints }) => {
  expect(logHints({ ...log, isSearching: false }).map(({ text }) => text)).toEqual(hints);
});
