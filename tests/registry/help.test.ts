import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { ContextKeys } from '../../src/registry/commands/when.ts';
import { routedRegistry } from './routed.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'page',
  kind: 'none',
  row: 'none',
  entry: 'none',
  cluster: 'none',
  tiles: 'one',
  tabs: 'one',
  closed: 'none',
  change: 'none',
  role: 'admin',
  team: 'managed',
  help: 'none',
  billing: 'none',
  route: 'none',
};

test.each([
  ['none', false],
  ['named', true],
] as const)('where help is %s, in the palette as in the top bar, Help is there: %s', (help, isThere) => {
  const registry = routedRegistry(commands);
  const here = { ...context, help };
  const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);
  expect(ids(registry.available(here, () => true)).includes('help.community')).toBe(isThere);
  expect(ids(registry.at('topbar', here, () => true)).includes('help.community')).toBe(isThere);
});
