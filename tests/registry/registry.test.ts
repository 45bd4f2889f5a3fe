import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { action, plainTitle, route } from '../../src/registry/commands/command.ts';
import { type ContextKeys, matches } from '../../src/registry/commands/when.ts';
import { routedRegistry } from './routed.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'page',
  kind: 'none',
  row: 'none',
  entry: 'none',
  cluster: 'selected',
  role: 'member',
  team: 'none',
  help: 'none',
  billing: 'none',
  route: 'none',
  tiles: 'one',
  tabs: 'one',
  closed: 'none',
  change: 'none',
};
const load = () => Promise.resolve({ Screen: () => null });
const registry = routedRegistry(commands);

describe('a registry', () => {
  test('rejects two commands with one id, and two routes with one path', () => {
    const a = action({ id: 'a', title: 'A', group: 'List', run: () => {} });
    expect(() => routedRegistry([a, a])).toThrow('Two commands have the id a.');
    const one = route({ id: 'b', title: 'B', group: 'Go to', path: '/x/:a', load });
    const two = route({ id: 'c', title: 'C', group: 'Go to', path: '/x/:b', load });
    expect(() => routedRegistry([one, two])).toThrow('Two routes have the path /x/:b.');
  });

  test('has no command by key on pages without top bar and sidebar but the ways to places', () => {
    const alone: ContextKeys = { ...context, shell: 'public', focus: 'none', cluster: 'none' };
    const held = commands.filter(
      (one) => one.type === 'action' && one.keys !== undefined && matches(one.when, alone),
    );
    expect(held.map(({ id }) => id)).toEqual([]);
  });

  test('offers the Owners’ places to Owners only, in menus and the palette', () => {
    const admin: ContextKeys = { ...context, role: 'admin' };
    const places = ['user-menu', 'cluster-page'] as const;
    const idsAt = (place: string, who: ContextKeys) =>
      registry.at(place, who, () => true).map((command) => command.id);
    for (const place of places) {
      expect(idsAt(place, admin)).toContain('cluster.globalSettings');
      expect(idsAt(place, context)).not.toContain('cluster.globalSettings');
    }
    const offered = registry.available(context, () => true);
    const forOwners = registry.routes.filter(({ access }) => access === 'owner');
    expect(forOwners.length).toBeGreaterThan(0);
    expect(offered.filter((command) => command.type === 'route' && command.access === 'owner')).toEqual([]);
    // Each has a place that lists it, or stands below one that has: an address alone would not be found.
    const listed = forOwners.filter(({ places: own }) => own !== undefined).map(({ path }) => path);
    const isBelow = (path: string) => listed.some((one) => path.startsWith(`${one}/:`));
    expect(forOwners.filter(({ places: own, path }) => own === undefined && !isBelow(path))).toEqual([]);
  });

  test('lists the Cluster Settings in the sidebar for Owners, in the settings for everybody', () => {
    const idsAt = (place: string, role: ContextKeys['role']) =>
      registry.at(place, { ...context, role }, () => true).map((command) => command.id);
    expect(idsAt('Cluster', 'admin')).toContain('cluster.userSettings');
    expect(idsAt('Cluster', 'member')).not.toContain('cluster.userSettings');
    expect(idsAt('settings Account', 'member')).toContain('cluster.userSettings');
    expect(idsAt('cluster-settings', 'member')).toEqual(['cluster.userSettings']);
    const offered = registry.available(context, () => true).map(({ id }) => id);
    expect(offered).toContain('cluster.userSettings');
  });

  test('prefers a literal segment to a parameter', () => {
    const own = routedRegistry([
      route({ id: 'any', title: 'Any', group: 'Go to', path: '/x/:a', load }),
      route({ id: 'new', title: 'New', group: 'Go to', path: '/x/new', load }),
    ]);
    expect(own.match('/x/new')?.command.id).toBe('new');
    expect(own.match('/x/old?q=1')).toMatchObject({ command: { id: 'any' }, params: { a: 'old' } });
    expect(own.match('/y')).toBeUndefined();
  });

  test('hides commands whose permission is missing', () => {
    const none = registry.at('Resources', context, () => false).map((command) => command.id);
    const all = registry.at('Resources', context, () => true).map((command) => command.id);
    expect(none).toEqual([]);
    expect(all).toContain('pod.list');
  });

  test('throws for an unknown id', () => {
    expect(() => registry.get('nothing')).toThrow('There is no command nothing.');
    expect(() => registry.href('session.logout')).toThrow('has no path');
  });
});

describe('the console’s commands', () => {
  test.each([
    '/',
    '/login',
    '/setup-company',
    '/invite-not-found',
    '/invite-rejected',
    '/clusters',
    '/clusters/1',
  ])('%s has a screen', (path) => expect(registry.match(path)).toBeDefined());

  test('only sign-in, a confirmed identity, the invite pages, the callback of payments and the test pages are public', () => {
    const open = registry.routes
      .filter((command) => command.access === 'public')
      .map((command) => command.path);
    expect(open.sort()).toEqual([
      // Where the window of a provider ends.
      '/confirmed',
      '/invite-not-found',
      '/invite-rejected',
      '/login',
      '/subscription/callback',
      '/tests/action-button-test',
      '/tests/toast-test',
      // Only in development.
      '/tests/tokens',
    ]);
  });

  test('every kind has its list, its sidebar entry and its view permission', () => {
    for (const kind of kinds) {
      const list = registry.match(kind.paths.list.replace(':clusterId', '1'));
      expect(list?.command).toMatchObject({
        id: `${kind.id}.list`,
        kind: kind.id,
        needs: kind.permissions.view,
      });
      if (kind.sidebar === undefined) continue;
      const entries = registry.at(kind.sidebar.section, context, () => true);
      expect(entries.map((command) => command.id)).toContain(`${kind.id}.list`);
    }
  });

  test('every command has a dotted id and a title', () => {
    for (const command of commands) {
      expect(command.id).toMatch(/^[a-z][A-Za-z]*(\.[a-zA-Z]+)*$/);
      expect(plainTitle(command)).not.toBe('');
    }
  });
});
