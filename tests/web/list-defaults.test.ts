import { describe, expect, test } from 'vitest';
import { searchOfSort, sortOfSearch } from '../../src/web/features/list/sort-in-address.ts';

describe('the order of a list', () => {
  test('is the one in the address, else the one that the person’s lists begin with', () => {
    expect(sortOfSearch('-name', 'age')).toBe('-name');
    expect(sortOfSearch(undefined, 'age')).toBe('age');
    expect(sortOfSearch(undefined, undefined)).toBeUndefined();
  });

  test('is worst first again for somebody whose lists begin otherwise', () => {
    const inAddress = searchOfSort(undefined, 'age');
    expect(inAddress).toBe('worst');
    expect(sortOfSearch(inAddress, 'age')).toBeUndefined();
    expect(searchOfSort(undefined, undefined)).toBeUndefined();
    expect(searchOfSort('name', 'age')).toBe('name');
  });
});
