import { describe, expect, test } from 'vitest';
import {
  createBest,
  kindMatches,
  maskOf,
  matchRanges,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
} from '../../src/registry/palette/rank.ts';

interface Named {
  readonly name: string;
  readonly namespace?: string;
  readonly kind?: readonly string[];
}

function score(text: string, { name, namespace = '', kind = [] }: Named, boost = 0): number {
  const query = rankQuery(text);
  return scoreOf(query, rankable(name, namespace), kindMatches(query, kind), boost);
}

describe('ranking', () => {
  test.each([
    ['a name equal to the query', { name: 'api' }, 'the beginning of a name', { name: 'api-server' }],
    ['the beginning of a name', { name: 'api-server' }, 'the beginning of a word', { name: 'shop-api' }],
    ['the beginning of a word', { name: 'shop-api' }, 'the kind', { name: 'web', kind: ['api'] }],
    ['the kind', { name: 'web', kind: ['apiservice'] }, 'the middle of a word', { name: 'rapid' }],
    ['the middle of a word', { name: 'rapid' }, 'scattered letters', { name: 'a-pod-in' }],
  ] as const)('%s comes before %s', (_one, first, _two, second) => {
    expect(score('api', first)).toBeGreaterThan(score('api', second));
    expect(score('api', second)).toBeGreaterThan(0);
  });

  test('a namespace match counts beside another word, below a match of the kind and above one inside a word', () => {
    const kind = score('web shop', { name: 'web', kind: ['shop'] });
    const namespace = score('web shop', { name: 'web', namespace: 'shop' });
    const middle = score('web shop', { name: 'web-workshop' });
    expect(kind).toBeGreaterThan(namespace);
    expect(namespace).toBeGreaterThan(middle);
    expect(middle).toBeGreaterThan(0);
  });

  test.each(['shop', 'sho', 'shop sho'])('%s does not match by the namespace alone', (text) => {
    expect(score(text, { name: 'web', namespace: 'shop' })).toBe(0);
  });

  test('every word must match, in any order', () => {
    expect(score('gate pay', { name: 'payment-gateway' })).toBeGreaterThan(0);
    expect(score('gate pay extra', { name: 'payment-gateway' })).toBe(0);
  });

  test('a fully typed title ranks above matches of its words', () => {
    expect(score('switch cluster', { name: 'Switch cluster' })).toBeGreaterThan(
      score('switch cluster', { name: 'Cluster to switch' }),
    );
  });

  test('a subsequence match needs at least three letters', () => {
    expect(score('ap', { name: 'a-x-p' })).toBe(0);
    expect(score('axp', { name: 'a-x-p' })).toBeGreaterThan(0);
    expect(score('ckapi', { name: 'checkout-api' })).toBeGreaterThan(0);
  });

  test('a subsequence match begins at a word', () => {
    expect(score('cat', { name: 'Select all visible rows' })).toBe(0);
    expect(score('cat', { name: 'Close all tabs' })).toBeGreaterThan(0);
  });

  test('no boost lifts a match above a better tier', () => {
    expect(score('api', { name: 'shop-api' }, 1_000_000)).toBeLessThan(score('api', { name: 'api-x' }));
    expect(score('a b', { name: 'xa-xb' }, 1_000_000)).toBeLessThan(score('a b', { name: 'xa-b' }));
  });

  test('upper and lower case are equal', () => {
    expect(score('API', { name: 'Api' })).toBe(score('api', { name: 'api' }));
  });

  test('an empty query matches everything', () => {
    expect(score('', { name: 'anything' })).toBeGreaterThan(0);
  });

  test('among equal matches shorter names come first', () => {
    expect(shortBoost('api')).toBeGreaterThan(shortBoost('api-server-with-a-long-name'));
    expect(shortBoost('x'.repeat(200))).toBe(0);
  });
});

describe('the character mask', () => {
  test('a name has the bits of all its characters', () => {
    for (const name of ['payments-api-7d9f', 'a', 'x.y.z', '0123456789']) {
      for (let from = 0; from < name.length; from += 1) {
        expect(maskOf(name.slice(from)) & ~maskOf(name)).toBe(0);
      }
    }
  });

  test('names that lack a letter of the query are rejected by the mask alone', () => {
    let read = 0;
    const item = {
      get name() {
        read += 1;
        return 'alpha-beta';
      },
      namespace: '',
      mask: maskOf('alpha-beta'),
    };
    const query = rankQuery('zzz');
    expect(scoreOf(query, item, kindMatches(query, []))).toBe(0);
    expect(read).toBe(0);
  });
});

describe('the best of many items', () => {
  test('come out in order, equal scores in their own order', () => {
    const best = createBest<string>(3, (a, b) => (a < b ? -1 : 1));
    for (const [score, item] of [
      [1, 'd'],
      [5, 'b'],
      [3, 'c'],
      [5, 'a'],
      [0, 'e'],
    ] as const)
      best.offer(score, item);
    expect(best.result().map(({ item }) => item)).toEqual(['a', 'b', 'c']);
  });

  test('of 100,000 entries few are compared with each other', () => {
    let comparisons = 0;
    const best = createBest<number>(50, (a, b) => {
      comparisons += 1;
      return a - b;
    });
    const query = rankQuery('api');
    const isKind = kindMatches(query, ['pod']);
    let offered = 0;
    for (let at = 0; at < 100_000; at += 1) {
      const name = `service-${(at * 7919) % 100_000}-api`;
      const score = scoreOf(query, rankable(name), isKind, shortBoost(name));
      if (!best.wants(score)) continue;
      offered += 1;
      best.offer(score, at);
    }
    expect(best.result()).toHaveLength(50);
    expect(offered).toBeLessThan(100_000);
    // Sorting everything would take about 1,600,000.
    expect(comparisons).toBeLessThan(400_000);
  });
});

describe('the highlighted parts of a title', () => {
  test.each([
    ['checkout-api', 'check', [[0, 5]]],
    ['shop-api', 'api', [[5, 8]]],
    ['rapid-api', 'api', [[6, 9]]],
    [
      'payment-gateway',
      'gate pay',
      [
        [0, 3],
        [8, 12],
      ],
    ],
    ['web', 'zzz', []],
    ['anything', '', []],
  ] as const)('%s by “%s”', (title, text, ranges) => {
    expect(matchRanges(title, rankQuery(text))).toEqual(ranges);
  });
});
