import { expect, test } from 'vitest';
import { createLog } from '../../../src/server/kit/log.ts';

/** A log whose lines and clock are at hand. */
function openLog(logLevel: 'info' | 'debug' = 'info') {
  const lines: Record<string, unknown>[] = [];
  const clock = { now: 0 };
  const log = createLog(
    { logLevel },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    () => clock.now,
  );
  return { log, lines, clock };
}

const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
const ended = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

test('a warning whose cause stays is one line a minute, and the next one says how many were left out', () => {
  const { log, lines, clock } = openLog();
  for (let second = 0; second < 59; second += 1) {
    clock.now = second * 1_000;
    log.child({ reqId: String(second) }).warn({ err: refused() }, 'The store does not answer');
  }
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['The store does not answer', undefined],
  ]);
  clock.now = 60_000;
  log.warn({ err: refused() }, 'The store does not answer');
  expect(lines[1]).toMatchObject({ level: 'warn', repeated: 58 });
  clock.now = 120_000;
  log.warn({ err: refused() }, 'The store does not answer');
  expect(lines[2]).not.toHaveProperty('repeated');
});

test('each cause and each message has its own line', () => {
  const { log, lines } = openLog();
  for (let count = 0; count < 3; count += 1) {
    log.warn({ err: refused() }, 'The store does not answer');
    log.warn({ err: ended() }, 'The store does not answer');
    log.error({ err: ended() }, 'The queue met an error; it goes on');
  }
  expect(lines).toHaveLength(3);
});

test('of the database a cause is the same for whatever met it, of all else each thing has its own line', () => {
  const { log, lines } = openLog();
  for (const jobId of [1, 2, 3]) {
    const failed = Object.assign(new Error(`Failed query of ${jobId}`), {
      query: `update jobs ${jobId}`,
      cause: refused(),
    });
    log.warn({ err: failed, jobId }, 'Progress of a job could not be stored');
    log.warn({ err: refused(), clusterId: jobId }, 'A cluster does not answer');
  }
  expect(lines.filter(({ msg }) => msg === 'Progress of a job could not be stored')).toHaveLength(1);
  expect(lines.filter(({ msg }) => msg === 'A cluster does not answer')).toHaveLength(3);
});

test('what is left out is there at the level debug, and lines without an error are never left out', () => {
  const { log, lines } = openLog('debug');
  for (let count = 0; count < 2; count += 1) {
    log.warn({ err: refused() }, 'The store does not answer');
    log.info({ err: refused() }, 'Answered');
    log.warn({ clusterId: 1 }, 'A list was refused');
  }
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'info', 'warn', 'debug', 'info', 'warn']);
});

test('a call that failed keeps its line, by whose id it is looked for, unless the database is away', () => {
  const { log, lines } = openLog();
  for (const reqId of ['one', 'two']) {
    const call = log.child({ reqId });
    const taken = Object.assign(new Error('Failed query'), {
      query: 'insert into teams',
      cause: Object.assign(new Error('duplicate key'), { code: '23505' }),
    });
    call.error({ problem: 'Something went wrong', err: taken }, 'A request failed');
    call.error({ problem: 'The database is not responding', err: ended() }, 'A request failed');
  }
  expect(lines.map(({ problem, reqId }) => [problem, reqId])).toEqual([
    ['Something went wrong', 'one'],
    ['The database is not responding', 'one'],
    ['Something went wrong', 'two'],
  ]);
});
