import { describe, expect, test } from 'vitest';
import { KeyQueue } from '../../src/web/keyboard/key-queue.ts';

/** A page whose key `/` leads into its field, once what it did is done. */
function page() {
  const state = { text: '', isInField: false, acts: [] as string[] };
  const settling: (() => void)[] = [];
  const keys = new KeyQueue<string>({
    write: (key) => {
      if (!state.isInField || !/^(?:.|Backspace)$/u.test(key)) return false;
      state.text = key === 'Backspace' ? state.text.slice(0, -1) : state.text + key;
      return true;
    },
    take: (key) => state.acts.push(key),
    settled: () =>
      new Promise((done) => {
        settling.push(() => {
          if (state.acts.at(-1) === '/') state.isInField = true;
          done();
        });
      }),
  });
  /** What the last key did is done, and the next one begins. */
  const settle = async () => {
    settling.shift()?.();
    await Promise.resolve();
  };
  return { state, keys, settle };
}

describe('keys that wait for their commands', () => {
  test('are done in the order they were pressed, those into a field as its text', async () => {
    const { state, keys, settle } = page();
    for (const key of ['j', '/', 'w', 'x', 'Backspace', 'e', 'b']) keys.add(key);
    const replayed = keys.replay();
    while (keys.isActive) await settle();
    await replayed;
    expect(state).toEqual({ text: 'web', isInField: true, acts: ['j', '/'] });
  });

  test('are all written before a key that comes into their field does anything', async () => {
    const { state, keys, settle } = page();
    for (const key of ['/', 'w', 'e', 'x']) keys.add(key);
    const replayed = keys.replay();
    await settle();
    expect(state.text).toBe('w');
    // Somebody presses Backspace now, which the field does by itself.
    expect(keys.catchUp()).toBe(true);
    expect(state.text).toBe('wex');
    state.text = state.text.slice(0, -1);
    while (keys.isActive) await settle();
    await replayed;
    expect(state).toEqual({ text: 'we', isInField: true, acts: ['/'] });
  });

  test('keep what comes behind one that does more than write', async () => {
    const { state, keys, settle } = page();
    for (const key of ['/', 'w', 'Enter', 'b']) keys.add(key);
    const replayed = keys.replay();
    await settle();
    expect(keys.catchUp()).toBe(false);
    keys.add('Backspace');
    while (keys.isActive) await settle();
    await replayed;
    expect(state).toEqual({ text: 'w', isInField: true, acts: ['/', 'Enter'] });
  });

  test('stay in order behind one that has to wait again', async () => {
    const acts: string[] = [];
    let isLoaded = false;
    const keys: KeyQueue<string> = new KeyQueue({
      write: () => false,
      take: (key) => {
        if (key === 'v' && !isLoaded) keys.wait(key);
        else acts.push(key);
      },
      settled: async () => undefined,
    });
    keys.wait('w');
    keys.add('v');
    keys.add('x');
    await keys.replay();
    expect(acts).toEqual(['w']);
    expect(keys.isActive).toBe(true);
    isLoaded = true;
    await keys.replay();
    expect(acts).toEqual(['w', 'v', 'x']);
    expect(keys.isActive).toBe(false);
  });

  test('do not block later keys, and are dropped if the commands cannot be loaded', async () => {
    const { state, keys } = page();
    keys.add('/');
    expect(keys.catchUp()).toBe(true);
    keys.clear();
    expect(keys.isActive).toBe(false);
    await keys.replay();
    expect(state.acts).toEqual([]);
  });

  test('hold back none of those after them once something else has done them', async () => {
    const { state, keys, settle } = page();
    const isEscape = (key: string) => key === 'Escape';
    keys.wait('Escape');
    expect(keys.drop(isEscape)).toBe(true);
    expect(keys.isActive).toBe(false);
    keys.wait('Escape');
    keys.add('j');
    expect(keys.drop(isEscape)).toBe(false);
    const replayed = keys.replay();
    expect(keys.drop(isEscape), 'while keys are replayed those that come wait').toBe(false);
    while (keys.isActive) await settle();
    await replayed;
    expect(state.acts).toEqual(['j']);
  });
});
