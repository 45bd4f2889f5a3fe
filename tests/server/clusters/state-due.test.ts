import { expect, test } from 'vitest';
import { isStateDue } from '../../../src/server/clusters/reach.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();

test.each([
  ['what was never asked', { status: 'unknown' }, true],
  ['one that answers, for a minute', { status: 'reachable', checkedAt: before(59) }, false],
  ['one that answered long ago', { status: 'reachable', checkedAt: before(61) }, true],
  ['one that refuses, for a minute', { status: 'forbidden', checkedAt: before(59) }, false],
  ['one that did not answer just now', { status: 'unreachable', checkedAt: before(9) }, false],
  [
    'one that did not answer, soon again: it may have been starting',
    { status: 'unreachable', checkedAt: before(11) },
    true,
  ],
] as const)('%s', (_, state, isDue) => {
  expect(isStateDue(state, now)).toBe(isDue);
});
