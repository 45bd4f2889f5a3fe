import { describe, expect, test } from 'vitest';
import { KeySequence } from '../../src/web/keyboard/key-sequence.ts';

describe('keys of two steps', () => {
  test('belong together by when they were pressed, however late the second one is handled', () => {
    const sequence = new KeySequence();
    sequence.begin(['w']);
    sequence.waitUntil(2_000);
    // The page was busy: the key is handled after the time is over.
    sequence.expire(1_900);
    expect(sequence.strokes).toEqual(['w']);
    sequence.expire(2_100);
    expect(sequence.isEmpty).toBe(true);
  });

  test('belong together however long the commands of the second one load', () => {
    const sequence = new KeySequence();
    sequence.begin(['w']);
    sequence.waitUntil(5_000);
    sequence.hold();
    sequence.expire(60_000);
    expect(sequence.strokes).toEqual(['w']);
  });

  test('of a terminal end with the key that the leader gives to the console', () => {
    const sequence = new KeySequence();
    sequence.lead();
    sequence.waitUntil(2_000);
    sequence.expire(1_000);
    expect(sequence.isLed).toBe(true);
    sequence.clear();
    expect([sequence.isLed, sequence.isEmpty]).toEqual([false, true]);
  });
});
