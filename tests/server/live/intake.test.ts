import { beforeEach, expect, test } from 'vitest';
import { createIntake, type Intake, intakePatience } from '../../../src/server/live/source/intake.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

let clock: FakeClock;
let intake: Intake;
/** The lines that were read, and `wait` for each that said it waits. */
let told: string[];
let failures: unknown[];

beforeEach(() => {
  clock = createFakeClock();
  told = [];
  failures = [];
  intake = createIntake(
    clock,
    (line) => {
      if (line === 'bad') throw new Error('bad line');
      told.push(line);
    },
    () => told.push('wait'),
  );
  intake.open((error) => failures.push(error));
});

test('a line after a quiet time is read at once, those close behind it together', async () => {
  intake.push('a');
  expect(told).toEqual(['a']);
  intake.push('b');
  intake.push('c');
  expect(told).toEqual(['a', 'wait', 'wait']);
  await clock.advance(intakePatience);
  expect(told).toEqual(['a', 'wait', 'wait', 'b', 'c']);
  await clock.advance(intakePatience);
  intake.push('d');
  expect(told.at(-1)).toBe('d');
});

test('waiting lines are read when they are taken, and once', async () => {
  for (const line of ['a', 'b']) intake.push(line);
  intake.take();
  expect(told).toEqual(['a', 'wait', 'b']);
  await clock.advance(intakePatience);
  expect(told).toEqual(['a', 'wait', 'b']);
  expect(clock.pending).toBe(0);
});

test.each([
  ['lines', Array.from({ length: 1_001 }, (_, at) => `line ${at}`)],
  ['characters', ['first', 'x'.repeat(999_999), 'y']],
])('no more waits than a bound of %s', (_bound, lines) => {
  for (const line of lines) intake.push(line);
  expect(told.filter((line) => line !== 'wait')).toEqual(lines);
});

test('a line that cannot be read is reported once, and no line after it is read', async () => {
  for (const line of ['a', 'b', 'bad', 'c']) intake.push(line);
  await clock.advance(intakePatience);
  intake.push('d');
  await clock.advance(intakePatience);
  expect(told.filter((line) => line !== 'wait')).toEqual(['a', 'b']);
  expect(failures).toEqual([new Error('bad line')]);
  expect(clock.pending).toBe(0);
});

test('lines that wait when it closes are dropped; opened again it starts empty', async () => {
  for (const line of ['a', 'b']) intake.push(line);
  intake.close();
  intake.push('c');
  await clock.advance(intakePatience);
  intake.open((error) => failures.push(error));
  intake.push('d');
  expect(told).toEqual(['a', 'wait', 'd']);
});
