import { describe, expect, it } from 'vitest';
import type { CastEvent } from '../../src/contract/asciicast.ts';
import { clockTime } from '../../src/web/features/terminal/clock-time.ts';
import { Player } from '../../src/web/features/terminal/player.ts';
import { lacksEnd } from '../../src/web/features/terminal/lacks-end.ts';
import { createShownText } from '../../src/web/features/terminal/shown-text.ts';

const events: readonly CastEvent[] = [
  [0, 'o', '$ '],
  [1, 'o', 'ls\r\n'],
  [1.5, 'r', '100x30'],
  [2, 'o', 'Readme.md\r\n'],
  [60, 'o', '$ '],
  [61, 'm', 'The shell ended.'],
];

/** A player on a screen that notes what it is told, with a clock of the test's. */
function start() {
  const header = { width: 80, height: 24, timestamp: 0, title: '' };
  let told: string[] = [];
  let time = 0;
  let timer: { at: number; run: () => void } | undefined;
  const player = new Player({
    cast: { header, events },
    screen: {
      write: (text) => told.push(text),
      resize: (columns, rows) => told.push(`${columns}x${rows}`),
      reset: () => told.push('reset'),
    },
    now: () => time,
    later(run, ms) {
      const mine = { at: time + ms, run };
      timer = mine;
      return () => {
        if (timer === mine) timer = undefined;
      };
    },
  });
  return {
    player,
    /** What the screen was told since the last call. */
    told: () => {
      const before = told;
      told = [];
      return before;
    },
    pass: (ms: number) => {
      const end = time + ms;
      while (timer !== undefined && timer.at <= end) {
        const { at, run } = timer;
        timer = undefined;
        time = at;
        run();
      }
      time = end;
    },
  };
}

describe('a player', () => {
  it('shows what came at its moment, in the size that it had, and stops at the end', () => {
    const { player, told, pass } = start();
    expect(told()).toEqual(['reset', '80x24', '$ ']);
    pass(5_000);
    expect(told()).toEqual([]);
    player.toggle();
    pass(1_000);
    expect(told()).toEqual(['ls\r\n']);
    pass(1_000);
    expect(told()).toEqual(['100x30', 'Readme.md\r\n']);
    player.toggle();
    pass(100_000);
    expect(player.state.get()).toMatchObject({ position: 2_000, duration: 61_000, isPlaying: false });
    player.toggle();
    pass(100_000);
    expect(told()).toEqual(['$ ']);
    expect(player.state.get()).toMatchObject({ position: 61_000, isPlaying: false });
    player.toggle();
    expect(told()).toEqual(['reset', '80x24', '$ ']);
  });

  it('goes anywhere: back by drawing anew, forward by what lies between', () => {
    const { player, told } = start();
    told();
    player.seek(61_000);
    expect(told()).toEqual(['ls\r\n', '100x30', 'Readme.md\r\n$ ']);
    player.skip(-60_000);
    expect(told()).toEqual(['reset', '80x24', '$ ls\r\n']);
    player.skip(-5_000);
    expect(player.state.get().position).toBe(0);
    player.skip(500_000);
    expect(player.state.get().position).toBe(61_000);
  });

  it('plays faster and slower within bounds', () => {
    const { player, told, pass } = start();
    told();
    for (let times = 0; times < 9; times += 1) player.stepSpeed(1);
    expect(player.state.get().speed).toBe(16);
    player.toggle();
    pass(150);
    expect(told().join('')).toContain('Readme.md');
    for (let times = 0; times < 9; times += 1) player.stepSpeed(-1);
    expect(player.state.get().speed).toBe(0.5);
  });

  it('goes to where a text shows next, and begins again after the last place', () => {
    const { player } = start();
    expect(player.find('readme')).toBe(true);
    expect(player.state.get()).toMatchObject({ position: 2_000, isPlaying: false });
    expect(player.find('$ ')).toBe(true);
    expect(player.state.get().position).toBe(60_000);
    expect(player.find('readme')).toBe(true);
    expect(player.state.get().position).toBe(2_000);
    expect(player.find('nowhere')).toBe(false);
    expect(player.find('')).toBe(false);
  });
});

describe('what was shown as text', () => {
  it('has no sequences, and joins what came in pieces', () => {
    const text = createShownText([
      [0, 'o', '\u001b]0;title\u0007\u001b[1;31mer'],
      [1, 'o', '\u001b[0mr'],
      [2, 'o', 'or\r\n\u001b]52;c;c2VjcmV0\u001b\\done'],
    ]);
    expect(text.find('ERROR', 0)).toBe(2);
    expect(text.find('err', 0)).toBe(1);
    expect(text.find('title', 0)).toBeUndefined();
    expect(text.find('c2VjcmV0', 0)).toBeUndefined();
    expect(text.find('done', 0)).toBe(2);
  });
});

it('text is taken out of a sequence that comes in pieces, and of any number without an end, in one pass', () => {
  const pieces = createShownText([
    [0, 'o', 'a\u001b[1'],
    [1, 'o', ';31mb\u001b]0;ti'],
    [2, 'o', 'tle\u0007c'],
  ]);
  expect(pieces.find('abc', 0)).toBe(2);
  const endless = '\u001b]'.repeat(2 * 1024 * 1024);
  const started = performance.now();
  expect(createShownText([[0, 'o', `${endless}\u001b\\here`]]).find('here', 0)).toBe(0);
  // Trying each beginning anew takes hours.
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('a recording that ended lacks its end without the marker', () => {
  const header = { width: 80, height: 24, timestamp: 0, title: '' };
  const endedAt = '2026-01-01T00:00:00Z';
  expect(lacksEnd({ endedAt }, { header, events })).toBe(false);
  expect(lacksEnd({ endedAt }, { header, events: events.slice(0, -1) })).toBe(true);
  expect(lacksEnd({ endedAt: null }, { header, events: events.slice(0, -1) })).toBe(false);
});

it('a time reads as on a clock', () => {
  expect([0, 7_999, 754_000, 3_723_000].map(clockTime)).toEqual(['0:00', '0:07', '12:34', '1:02:03']);
});
