import { describe, expect, test } from 'vitest';
import { createDrawPace } from '../../src/web/palette/draw-pace.ts';

/** A pace that has seen frames come at these times (ms), and whether another one is asked for. */
function paceAt(...times: readonly number[]) {
  const asked = new Map<number, (time: number) => void>();
  let ids = 0;
  const pace = createDrawPace({
    ask: (run) => {
      ids += 1;
      asked.set(ids, run);
      return ids;
    },
    cancel: (id) => void asked.delete(id),
  });
  for (const time of times) {
    const [next] = asked;
    if (next === undefined) break;
    asked.delete(next[0]);
    next[1](time);
  }
  return { pace, waiting: () => asked.size };
}

describe('a list is drawn', () => {
  test.each([
    ['with its letter at sixty frames a second', [0, 17, 33, 50, 67], true],
    ['after its letter where frames follow closely', [0, 7, 14, 21, 28], false],
    ['after its letter where frames follow closely and one was missed', [0, 25, 50, 57, 82], false],
    ['after its letter until the frames are known', [0, 17, 33], false],
  ])('%s', (_, times, expected) => {
    expect(paceAt(...times).pace.isTogether()).toBe(expected);
  });

  test('after its letter once it took long twice in a row', () => {
    const { pace } = paceAt(0, 17, 33, 50, 67);
    for (const took of [3, 9, 3, 9]) pace.took(took);
    expect(pace.isTogether()).toBe(true);
    pace.took(9);
    expect(pace.isTogether()).toBe(false);
  });

  test('frames are looked at no longer than needed, and not once the palette is closed', () => {
    expect(paceAt(0, 17, 33, 50, 67).waiting()).toBe(0);
    const { pace, waiting } = paceAt(0, 17);
    expect(waiting()).toBe(1);
    pace.end();
    expect(waiting()).toBe(0);
  });
});
