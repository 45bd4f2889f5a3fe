import { expect, test } from 'vitest';
import { firstCommands } from '../../commands/first.ts';
import { commands } from '../../commands/index.ts';
import { routedRegistry } from './routed.ts';

test('what a page begins with are commands as they are later: none is replaced by another', () => {
  expect(firstCommands.filter((command) => !commands.includes(command))).toEqual([]);
});

test('a page begins with every route, and with everything that stands in the top bar', () => {
  const routes = commands.filter(({ type }) => type === 'route');
  expect(firstCommands.filter(({ type }) => type === 'route')).toEqual(routes);
  const inTopBar = commands.filter(({ places }) => places?.includes('topbar') === true);
  expect(inTopBar.filter((command) => !firstCommands.includes(command))).toEqual([]);
});

test('a registry takes the other commands later and keeps its routes', () => {
  const registry = routedRegistry(firstCommands, false);
  const { routes } = registry;
  expect(registry.isWhole).toBe(false);
  expect(registry.has('table.filter')).toBe(false);
  expect(() => registry.get('table.filter')).toThrow('There is no command table.filter.');
  registry.complete(commands);
  expect(registry.isWhole).toBe(true);
  expect(registry.get('table.filter').title).toBe('Filter');
  expect(registry.commands).toEqual(commands);
  expect(registry.routes).toBe(routes);
});
