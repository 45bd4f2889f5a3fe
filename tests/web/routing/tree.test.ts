import { createMemoryHistory } from '@tanstack/react-router';
import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { fillPath, paramNames } from '../../../src/registry/path.ts';
import { routesOf } from '../../../src/registry/commands/registry.ts';
import { createConsoleRouter, matchIn } from '../../../src/web/routing/router.ts';
import { rounds, seed } from '../../prove.ts';

const routes = routesOf(commands);
const router = createConsoleRouter(routes, createMemoryHistory());
const match = (href: string) => matchIn(router, href);
/** Ids of the routes from the root to the one that answers. */
const branchOf = (path: string) => router.getMatchedRoutes(path)[0].map(({ id }) => String(id));

describe('the tree of routes', () => {
  test('has a route for every declared path: its parameters come back as they were filled in', () => {
    const value = string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter(
      (text) => text.isWellFormed() && !/^\.{1,2}$/.test(text),
    );
    assert(
      property(constantFrom(...routes), value, value, (route, one, other) => {
        const names = paramNames(route.path);
        const params = Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? one : other]));
        const found = match(fillPath(route.path, params));
        // A literal segment wins where a parameter has its name.
        if (found?.command.id !== route.id) {
          const literals = routes.flatMap(({ path }) => path.split('/'));
          expect([one, other].some((text) => literals.includes(text))).toBe(true);
        } else expect({ ...found.params }).toEqual(params);
      }),
      { numRuns: rounds(500, 50_000), seed },
    );
  });

  test('has no route for a path that only begins like one, or is written in other letters', () => {
    for (const path of ['/clusters/1/pods/x/y/z', '/Clusters/1/pods', '/clusters/1/PODS', '/no/such', '/x'])
      expect(match(path), path).toBeUndefined();
  });

  test('empty segments, a slash at the end, search and hash count for nothing', () => {
    for (const path of [
      '/clusters//1/pods',
      '/clusters/1//pods/',
      '/clusters/1/pods?ns=a#b',
      '//clusters/1/pods',
    ])
      expect(match(path), path).toMatchObject({ command: { id: 'pod.list' }, params: { clusterId: '1' } });
  });

  test('a percent sign that encodes nothing leads to no route, and keeps the shell', () => {
    for (const path of ['/clusters/%E0%A4%A/pods', '/clusters/1/namespaces/a/pods/%zz', '/%'])
      expect([match(path), branchOf(path)], path).toEqual([undefined, ['__root__', '/tiles', '/tiles/$']]);
  });

  test('unknown paths are shown within the shell, screens without chrome outside of it', () => {
    expect(branchOf('/no/such/page')).toEqual(['__root__', '/tiles', '/tiles/$']);
    expect(branchOf('/clusters')).toEqual(['__root__', '/tiles', '/tiles/clusters']);
    expect(branchOf('/login')).toEqual(['__root__', '/login']);
  });

  test('every screen without chrome, and no other, stands outside the shell', () => {
    const outside = Object.values(router.routesById)
      .filter(({ id, parentRoute }) => parentRoute?.id === '__root__' && id !== '/tiles')
      .map(({ options }) => options.staticData?.command?.id);
    const bare = routes.filter((route) => route.bare === true).map(({ id }) => id);
    expect(new Set(outside)).toEqual(new Set(bare));
  });

  test('reads parameters and search as the plain strings that are declared', () => {
    const { options } = router.routesById['/tiles/clusters/$clusterId/pods'] ?? expect.unreachable();
    expect(options.params?.parse?.({ clusterId: '007' })).toEqual({ clusterId: '007' });
    const search = { ns: 'true', q: '1e3', _w: '1r50-50(*,/clusters)' };
    expect(options.validateSearch(search)).toEqual(search);
    expect(() => options.validateSearch({ ns: 1 })).toThrow();
  });
});
