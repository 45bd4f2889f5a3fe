import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { bindingsOf, keymapOf } from '../../src/registry/keys/keymap.ts';
import type { May } from '../../src/registry/commands/registry.ts';
import { whyNot } from '../../src/registry/keys/why-not.ts';
import type { ContextKeys } from '../../src/registry/commands/when.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'node',
  row: 'opens',
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
const bindings = bindingsOf(commands);
const kindTitle = (id: string) => kinds.find((kind) => kind.id === id)?.title;
const everything = () => true;
const why = (keys: string, at: Partial<ContextKeys> = {}, may: May | 'unknown' = everything) =>
  whyNot(bindings, keys.split(' '), {
    context: { ...context, ...at },
    may: may === 'unknown' ? undefined : may,
    kindTitle,
  })?.text;

describe('the reason why bound keys do nothing here', () => {
  test('is the kind', () => {
    expect(why('r')).toMatch(/^“Restart” is for .*deployments.*, not for nodes\.$/);
    expect(why('r', { focus: 'page', kind: 'none' })).toMatch(/^“Restart” is for .*deployments.*\.$/);
  });

  test('is the view', () => {
    expect(why('/', { focus: 'page', kind: 'none' })).toMatch(
      /^“(?:Filter|Search the log)” works in a (?:list|log)\.$/,
    );
    expect(why('f')).toBe('“Follow the log” works in a log.');
  });

  test('is the text of an editor or a terminal, for which letters are meant', () => {
    expect(why('r', { focus: 'text', kind: 'deployment' })).toBe(
      '“Restart” does nothing beside an editor or a terminal. Go to another view of the object first.',
    );
  });

  test('is that there is only one tile', () => {
    expect(why('w h')).toBe('“Go to the tile on the left” needs a second tile. Split this one first.');
  });

  test('is that no cluster is selected', () => {
    expect(why('g p', { cluster: 'none', focus: 'page', kind: 'none' })).toBe(
      '“Pods” needs a cluster. Choose one first.',
    );
  });

  test('is that there is no row, or that the row has no page', () => {
    expect(why('enter', { row: 'none' })).toBe('There is no row to act on.');
    expect(why('enter', { row: 'plain' })).toBe('This row has no page of its own.');
  });

  test('is a permission that is missing or not known yet', () => {
    expect(why('r', { kind: 'deployment' }, () => false)).toBe(
      '“Restart” needs deployments.manage, which you do not have here. “Why can I not …” in the palette shows who can grant it.',
    );
    expect(why('r', { kind: 'deployment' }, 'unknown')).toBe(
      'Your permissions on this cluster are still loading. Try again in a moment.',
    );
  });

  test('is not given for unbound keys, for keys that pages handle, and while somebody types', () => {
    expect(why('ö')).toBeUndefined();
    expect(why('down', { focus: 'log', kind: 'pod' })).toBeUndefined();
    expect(why('r', { focus: 'input' })).toBeUndefined();
    expect(why('r', { overlay: 'dialog' })).toBeUndefined();
    expect(why('r', { shell: 'public' })).toBeUndefined();
  });

  test('is not given for keys that the person removed', () => {
    const own = keymapOf(commands, [{ keys: 'r', command: null }]);
    expect(whyNot(own, ['r'], { context, may: everything, kindTitle })).toBeUndefined();
  });
});
