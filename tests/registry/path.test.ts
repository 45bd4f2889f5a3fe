import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPath, ownPath, paramNames, splitHref } from '../../src/registry/path.ts';
import { hostileReturns } from '../hostile-returns.ts';
import { rounds, seed } from '../prove.ts';

const base = 'https://console.test';

describe('paths', () => {
  test('filling in a path encodes parameters and throws for a missing one', () => {
    expect(fillPath('/a/:name/b', { name: 'x/y z' })).toBe('/a/x%2Fy%20z/b');
    expect(() => fillPath('/a/:name', {})).toThrow('needs name');
    expect(paramNames('/a/:b/c/:d')).toEqual(['b', 'd']);
  });

  test.each([...hostileReturns, 'pods', '', null])('%j is not a path of this console', (href) =>
    expect(ownPath(href)).toBeUndefined(),
  );

  test.each([
    '/%5cevil.test',
    '/%2f/evil.test',
    '/a//evil.test',
    '/@evil.test',
    '/user:password@evil.test/',
    '/https://evil.test',
    '/...//x',
    '/.well-known',
    '/a?returnUrl=/..//evil.test',
    '/a#/..//evil.test',
  ])('%j is a path of this console, also after a browser has normalised it', (href) => {
    expect(ownPath(href)).toBe(href);
    expect(new URL(href, base)).toMatchObject({ origin: base });
  });

  test('no browser resolves a path of this console to another origin, or to a path that begins with two slashes', () => {
    const part = constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E',
      '%5c',
      '%2f',
      '\t',
      '\n',
      '\0',
      '?',
      '#',
      '@',
      ':',
      'a',
    );
    const href = array(part, { maxLength: 12 }).map((parts) => `/${parts.join('')}`);
    assert(
      property(href, (text) => {
        const own = ownPath(text);
        if (own === undefined) return;
        const url = new URL(own, base);
        expect(url.origin).toBe(base);
        expect(url.pathname).not.toMatch(/^\/[/\\]/);
        // The path that a browser makes of it resolves to the same place again.
        expect(new URL(url.pathname, base).pathname).toBe(url.pathname);
        expect(url.pathname).toBe(splitHref(own).pathname);
      }),
      { numRuns: rounds(2_000, 100_000), seed },
    );
  });

  test('a path of this console keeps its search and hash', () => {
    expect(ownPath('/clusters/1/pods?ns=a')).toBe('/clusters/1/pods?ns=a');
    expect(splitHref('/a?b=c#d')).toEqual({ pathname: '/a', search: '?b=c', hash: '#d' });
    expect(splitHref('/a#d?b')).toEqual({ pathname: '/a', search: '', hash: '#d?b' });
  });
});
