import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsageStore } from '../../src/web/features/metrics/usage-store.ts';
import { usageRange } from '../../src/web/core/state/usage-range.ts';
import { usageWords } from '../../src/web/features/metrics/usage-words.ts';

describe('a cell of usage', () => {
  test('says its share of the limit, else of the request, and warns near the limit', () => {
    expect(usageWords([0.5, 0.25, 2], String)).toEqual({
      used: 0.5,
      share: '25%',
      bar: { share: 0.25, mark: 0.125, isPlain: false },
      tone: '',
      sentence: '0.5 used, 25% of the most it may use, 2, 200% of the request 0.25',
    });
    expect(usageWords([1.7, null, 2], String)).toMatchObject({ share: '85%', tone: 'warn' });
    expect(usageWords([2, null, 2], String)).toMatchObject({ share: '100%', tone: 'bad' });
    expect(usageWords([1, 4, null], String)).toMatchObject({
      share: '25%',
      bar: { share: 0.25, mark: undefined, isPlain: true },
      tone: '',
    });
    expect(usageWords(3, String)).toMatchObject({ share: '', bar: undefined, sentence: '3 used' });
  });

  test('says nothing where nothing was measured', () => {
    expect(usageWords(null, String)).toBeUndefined();
    expect(usageWords([null, 1, 2], String)).toBeUndefined();
  });
});

describe('the time that charts show', () => {
  test('is kept with its version', () => {
    const text = usageRange.write(3_600);
    expect(text).toBe('{"version":1,"seconds":3600}');
    expect(usageRange.read(text)).toBe(3_600);
    expect(usageRange.read(usageRange.write(900))).toBe(900);
  });

  test.each([null, '{', '7', '{"version":2,"seconds":3600}', '{"version":1,"seconds":60}'])(
    'is the usual one where %s is stored',
    (text) => expect(usageRange.read(text)).toBe(900),
  );
});

describe('the samples of the rows in sight', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => vi.useRealTimers());

  function asked(status: 'live' | 'absent' = 'live') {
    const calls: string[][] = [];
    const store = createUsageStore('3 pod', {
      usageOf: (call) => {
        calls.push(call.body.objects.map(({ namespace = '', name }) => `${namespace}/${name}`));
        return Promise.resolve({
          status,
          message: status === 'live' ? null : 'prod has no metrics.',
          times: [1, 2],
          objects: call.body.objects.map(() => ({ cpu: [1, null], memory: [2, 3] })),
        });
      },
    });
    return { calls, store };
  }

  test('are asked for together, again every 15 seconds, and no more once no row is left', async () => {
    const { calls, store } = asked();
    const ends = ['shop/a', 'shop/b'].map((place) => store.watch(place, () => {}));
    await vi.advanceTimersByTimeAsync(200);
    expect(calls).toEqual([['shop/a', 'shop/b']]);
    expect(store.of('shop/a')).toEqual({ times: [1, 2], cpu: [1, null], memory: [2, 3], message: null });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(calls).toHaveLength(2);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(2);
  });

  test('are asked for a hundred at a time', async () => {
    const { calls, store } = asked();
    const ends = Array.from({ length: 130 }, (_, index) => store.watch(`shop/p${index}`, () => {}));
    await vi.advanceTimersByTimeAsync(200);
    expect(calls.map((call) => call.length)).toEqual([100, 30]);
    for (const end of ends) end();
  });

  test('say why there are none', async () => {
    const { store } = asked('absent');
    const end = store.watch('shop/a', () => {});
    await vi.advanceTimersByTimeAsync(200);
    expect(store.message()).toBe('prod has no metrics.');
    end();
  });
});
