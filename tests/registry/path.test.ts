import { describe, expect, test } from 'vitest';
import { fillPath, matchPath, ownPath, paramNames, splitHref } from '../../src/registry/path.ts';

describe('paths', () => {
  test('parameters are decoded, and a path of another length does not fit', () => {
    expect(matchPath('/clusters/:clusterId/pods', '/clusters/7/pods')).toEqual({ clusterId: '7' });
    expect(matchPath('/a/:name', '/a/x%2Fy')).toEqual({ name: 'x/y' });
    expect(matchPath('/a/:name', '/a')).toBeUndefined();
    expect(matchPath('/a/:name', '/a/b/c')).toBeUndefined();
    expect(matchPath('/a/:name', '/a/%zz')).toBeUndefined();
    expect(matchPath('/', '/')).toEqual({});
  });

  test('filling in encodes, and a missing parameter is a mistake', () => {
    expect(fillPath('/a/:name/b', { name: 'x/y z' })).toBe('/a/x%2Fy%20z/b');
    expect(() => fillPath('/a/:name', {})).toThrow('needs name');
    expect(paramNames('/a/:b/c/:d')).toEqual(['b', 'd']);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'pods',
    '',
    null,
  ])('%j is no path of this console', (href) => expect(ownPath(href)).toBeUndefined());

  test('own paths keep search and hash', () => {
    expect(ownPath('/clusters/1/pods?ns=a')).toBe('/clusters/1/pods?ns=a');
    expect(splitHref('/a?b=c#d')).toEqual({ pathname: '/a', search: '?b=c', hash: '#d' });
    expect(splitHref('/a#d?b')).toEqual({ pathname: '/a', search: '', hash: '#d?b' });
  });
});
