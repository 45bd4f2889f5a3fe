import { afterEach, describe, expect, test, vi } from 'vitest';
import { cell, observed } from '../../src/web/core/state/state.ts';

afterEach(() => vi.unstubAllGlobals());

describe.each([
  ['an observable of plain data', observed],
  ['an observable of an opaque value', cell],
] as const)('%s', (_name, make) => {
  test('calls its listeners at once and in their order, and not for an equal value', () => {
    const theme = make('dark');
    const heard: string[] = [];
    theme.subscribe(() => heard.push(`first ${theme.get()}`));
    theme.subscribe(() => heard.push(`second ${theme.get()}`));
    theme.set('dark');
    expect(heard).toEqual([]);
    theme.set('light');
    expect(heard).toEqual(['first light', 'second light']);
    theme.update((value) => `very ${value}`);
    expect(heard.slice(2)).toEqual(['first very light', 'second very light']);
  });

  test('a listener that throws silences no other, neither now nor later, and its error is reported', () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const columns = make({ wide: 1 });
    const other = make({ theme: 1 });
    const heard: string[] = [];
    const failure = new Error('The storage is full.');
    columns.subscribe(() => {
      throw failure;
    });
    columns.subscribe(() => heard.push(`columns ${columns.get().wide}`));
    other.subscribe(() => heard.push(`other ${other.get().theme}`));
    columns.set({ wide: 2 });
    columns.set({ wide: 3 });
    other.set({ theme: 2 });
    expect(heard).toEqual(['columns 2', 'columns 3', 'other 2']);
    expect(reported).toEqual([failure, failure]);
  });

  test('a change that a listener makes is heard before the listener goes on', () => {
    const place = make(1);
    const title = make('one');
    const heard: string[] = [];
    place.subscribe(() => {
      title.set('two');
      heard.push('place');
    });
    title.subscribe(() => heard.push(`title ${title.get()}`));
    place.set(2);
    expect(heard).toEqual(['title two', 'place']);
  });

  test('a listener that ends meanwhile hears no more, and the same function may listen twice', () => {
    const focus = make('a');
    let count = 0;
    const listener = () => (count += 1);
    const ends = [focus.subscribe(listener), focus.subscribe(listener)];
    focus.set('b');
    expect(count).toBe(2);
    focus.subscribe(() => ends[1]?.());
    const late = focus.subscribe(() => heardLate.push(focus.get()));
    const heardLate: string[] = [];
    focus.subscribe(() => late());
    ends[0]?.();
    focus.set('c');
    expect(count).toBe(3);
    focus.set('d');
    expect([count, heardLate]).toEqual([3, ['c']]);
  });

  test('an object may give way to nothing, to text and to a frozen object', () => {
    const value = make<unknown>({ a: 1 });
    let count = 0;
    value.subscribe(() => (count += 1));
    for (const next of [
      undefined,
      { a: 2 },
      'text',
      Object.freeze({ b: [Object.freeze({ c: 1 })] }),
      null,
      0,
    ]) {
      value.set(next);
      expect(value.get()).toBe(next);
    }
    expect(count).toBe(6);
  });
});

test('functions, Maps and promises are kept as they are, and every new reference is a change', () => {
  const run = vi.fn();
  const values = [run, new Map([['a', 1]]), new Set(['a']), Promise.resolve(1), { get: run }, { get: run }];
  const value = cell<unknown>(() => run());
  let count = 0;
  value.subscribe(() => (count += 1));
  for (const next of values) {
    value.set(next);
    expect(value.get()).toBe(next);
  }
  expect(count).toBe(values.length);
  expect(run).not.toHaveBeenCalled();
});

describe('plain data', () => {
  test.each([
    ['a member that went', { a: 1, b: 2 }, { a: 1 }],
    ['a member that came', { a: 1 }, { a: 1, b: undefined as undefined | number }],
    ['a member that was undefined', { theme: 'x', isOpen: undefined }, { theme: 'x', isOpen: true }],
    ['another order', [{ id: 1 }, { id: 2 }].slice(), [{ id: 2 }, { id: 1 }]],
    ['a shorter list', [1, 2, 3], [1, 2]],
    ['a longer list', [1, 2], [1, 2, 3]],
    ['an empty list', [1], []],
  ])('%s is a change', (_what, before: unknown, after: unknown) => {
    const value = observed<unknown>(before);
    let count = 0;
    value.subscribe(() => (count += 1));
    value.set(after);
    expect([count, value.get()]).toEqual([1, after]);
  });
});
