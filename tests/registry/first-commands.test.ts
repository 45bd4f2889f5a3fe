import { expect, test } from 'vitest';
import { firstCommands } from '../../commands/first.ts';
import { commands } from '../../commands/index.ts';
import { areFirstCommandsCurrent } from '../../src/build/first-commands.ts';
import { loadsFirst } from '../../src/registry/commands/command.ts';
import { routedRegistry } from './routed.ts';

test('a page begins with all routes and the commands marked isFirst: npm run first writes them', async () => {
  expect(firstCommands).toEqual(commands.filter(loadsFirst));
  expect(await areFirstCommandsCurrent()).toBe(true);
});

test('the initial commands are the same objects in the complete list', () => {
  expect(firstCommands.filter((command) => !commands.includes(command))).toEqual([]);
});

test('everything in the top bar loads with the page', () => {
  const inTopBar = commands.filter(({ places }) => places?.includes('topbar') === true);
  expect(inTopBar.filter((command) => !loadsFirst(command))).toEqual([]);
});

test('a registry accepts the remaining commands later and keeps its routes', () => {
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
