import { describe, expect, test } from 'vitest';
import { distanceOf } from '../../src/registry/edit-distance.ts';
import { nearWord } from '../../src/web/features/list/near-word.ts';

describe('how far words are apart', () => {
  test.each([
    ['checkout', 'checkout', 0],
    ['chekout', 'checkout', 1],
    ['checkuot', 'checkout', 1],
    ['checkoutt', 'checkout', 1],
    ['chockout', 'checkout', 1],
    ['ckeckuot', 'checkout', 2],
    ['', 'cart', 4],
  ])('%s and %s: %i', (a, b, distance) => {
    expect(distanceOf(a, b, 9)).toBe(distance);
    expect(distanceOf(b, a, 9)).toBe(distance);
  });

  test('a distance over the limit is not computed to its end', () => {
    expect(distanceOf('checkout', 'alertmanager', 2)).toBe(3);
    expect(distanceOf('storefront', 'searchable', 2)).toBe(3);
  });
});

describe('the suggestion for a filter that finds nothing', () => {
  const names = [
    'checkout-d59ff784-45gtb',
    'catalog-api-577785495-4gqjx',
    'cart-0',
    'psp-gateway-784b48c6d6-b5nl2',
  ];

  test.each([
    ['chekout', 'checkout'],
    ['catalgo', 'catalog'],
    ['catalog-apo', 'catalog-api'],
    ['gatway', 'gateway'],
    ['crat', 'cart'],
  ])('%s: %s', (filter, meant) => {
    expect(nearWord(filter, names)).toBe(meant);
  });

  test.each(['zookeeper', 'cat', 'status:bad', '!chekout', 'chekout shop', '', 'gtb4', 'Chekout'])(
    'nothing for %j: a name that is not near, too short a word, or more than a word',
    (filter) => {
      expect(nearWord(filter, names)).toBeUndefined();
    },
  );

  test('of two the nearer one', () => {
    expect(nearWord('payments', ['payment-0', 'paymentz-0'])).toBe('payment');
    expect(nearWord('storfront', ['storefronts-1', 'storefront-1'])).toBe('storefront');
  });
});
