import { describe, expect, test } from 'vitest';
import { hasLongList, parseInSteps, stringifyInSteps } from '../../../src/server/kit/json-steps.ts';

/** Runs all steps, and counts the pauses. */
function run<T>(work: Generator<void, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

const parsed = (text: string) => run(parseInSteps(Buffer.from(text)));

/** An item of some 1,000 bytes, with everything in its texts that could be taken for structure. */
const item = (at: number) => ({
  metadata: { name: `web-${at}`, items: [1, 2], annotations: { odd: '"],}{[\\"items":[' } },
  spec: { text: '\\'.repeat(at % 7), käse: 'ü€😀'.repeat(80), list: [[], [{}], [null, true, -1.5e3]] },
});
const list = (length: number) => ({
  kind: 'PodList',
  metadata: { continue: 'next', resourceVersion: '7' },
  items: Array.from({ length }, (_, at) => item(at)),
});

describe('a list of a cluster', () => {
  test('is parsed in steps to the same value, whatever its texts and spaces', () => {
    const value = list(500);
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const { value: read, pauses } = parsed(text);
      expect(read).toEqual(value);
      expect(pauses).toBeGreaterThan(5);
    }
    const { items, ...rest } = value;
    expect(parsed(JSON.stringify({ items, ...rest })).value).toEqual(value);
  });

  test('keeps whole numbers of any size', () => {
    const text = JSON.stringify(list(300)).replace('{"kind"', '{"big":9007199254740993,"kind"');
    const inItem = text.replace('"name":"web-200"', '"name":"web-200","uid":9223372036854775807');
    expect(parsed(inItem).value).toMatchObject({ big: 9_007_199_254_740_993n });
    const { items } = parsed(inItem).value as { readonly items: readonly { readonly metadata: object }[] };
    expect(items[200]?.metadata).toMatchObject({ uid: 9_223_372_036_854_775_807n });
  });

  test('is parsed at once where it is small, has no items or is no list', () => {
    for (const value of [list(3), { text: 'x'.repeat(300_000) }, 7, null, ['a'], { items: {} }])
      expect(parsed(JSON.stringify(value)).value).toEqual(value);
    const large = { data: Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`key-${at}`, [at]])) };
    expect(parsed(JSON.stringify(large)).value).toEqual(large);
  });

  test('is refused where it is no JSON', () => {
    const text = JSON.stringify(list(500));
    const broken: readonly string[] = [
      text.slice(0, -1),
      text.slice(0, -2),
      text.slice(0, text.length / 2),
      `${text}}`,
      text.replace(/\]\}$/, ',]}'),
      text.replace('"items":[', '"items":[,'),
      text.replace('},{"metadata":{"name":"web-100"', '},,{"metadata":{"name":"web-100"'),
      text.replace('},{"metadata":{"name":"web-100"', '} {"metadata":{"name":"web-100"'),
      text.replace('"web-400"', 'web-400'),
      text.replace('{"kind"', '{kind'),
    ];
    for (const one of broken) expect(() => parsed(one), one.slice(0, 40)).toThrow(SyntaxError);
  });

  test('is refused for a comma wherever no item follows, also between two steps', () => {
    const items = Array.from({ length: 10 }, () => JSON.stringify('x'.repeat(30_000)));
    for (let at = 0; at <= items.length; at += 1) {
      const text = `{"items":[${items.slice(0, at).join(',')},${at === 0 ? '' : ','}${items.slice(at).join(',')}]}`;
      expect(() => parsed(text)).toThrow(SyntaxError);
    }
  });
});

describe('an answer with a long list', () => {
  test('is written in steps as JSON.stringify writes it', () => {
    const value = {
      items: Array.from({ length: 120 }, (_, at) => ({ at, 'k"': undefined, of: [undefined] })),
      odd: Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? undefined : at)),
      big: 9_007_199_254_740_993n,
      none: undefined,
      nothing: null,
      few: [1, 2],
      'a"b': { c: 'd' },
    };
    expect(hasLongList(value)).toBe(true);
    const { value: bytes, pauses } = run(stringifyInSteps(value));
    expect(bytes.toString()).toBe(JSON.stringify(value));
    expect(pauses).toBe(180);
  });

  test('is written from several pieces of texts in every script', () => {
    const value = { nothing: undefined, ...list(500), end: { of: '😀' } };
    expect(run(stringifyInSteps(value)).value.toString()).toBe(JSON.stringify(value));
    const nothing = { items: Array<undefined>(60).fill(undefined), left: undefined };
    expect(run(stringifyInSteps(nothing)).value.toString()).toBe(JSON.stringify(nothing));
    expect(run(stringifyInSteps({ left: undefined })).value.toString()).toBe('{}');
  });

  test('is told from others by its own lists', () => {
    expect(
      [{ items: [1] }, [], null, 'text', { deep: { items: Array(100).fill(1) } }].map(hasLongList),
    ).toEqual([false, false, false, false, false]);
  });
});
