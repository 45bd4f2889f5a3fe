import { assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../../src/web/workspace/search.ts';
import { rounds, seed } from '../../prove.ts';

describe('the search of an address', () => {
  test('has plain strings as values, also those that look like something else', () => {
    expect(parseSearch('?ns=true&q=1e3')).toEqual({ ns: 'true', q: '1e3' });
    expect(stringifySearch({ ns: 'true', q: '1e3' })).toBe('?ns=true&q=1e3');
    expect(stringifySearch({ ns: 'a b', q: '', sort: undefined })).toBe('?ns=a+b');
    expect(stringifySearch({})).toBe('');
  });

  test('keeps the layout readable, and behind the values of the focused tab', () => {
    const layout = '1mr50-50(*,c25-75(/clusters/1/pods?ns=a~26b,/clusters))';
    const search = `?ns=shop&_w=${layout}`;
    expect(parseSearch(search)).toEqual({ ns: 'shop', _w: layout });
    expect(stringifySearch(parseSearch(search))).toBe(search);
    expect(stringifySearch(parseSearch(`?_w=${encodeURIComponent(layout)}&ns=shop`))).toBe(search);
  });

  test('comes back as it was written, and no value can add another or a hash', () => {
    const name = constantFrom('ns', 'q', '_w', 'to');
    const value = string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) =>
      text.isWellFormed(),
    );
    assert(
      property(dictionary(name, value), (search) => {
        const text = stringifySearch(search);
        expect(parseSearch(text)).toEqual({ ...search });
        expect(text).not.toContain('#');
      }),
      { numRuns: rounds(1_000, 50_000), seed },
    );
  });
});
