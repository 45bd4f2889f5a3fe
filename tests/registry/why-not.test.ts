import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { bindingsOf, keymapOf } from '../../src/registry/keymap.ts';
import type { May } from '../../src/registry/registry.ts';
import { whyNot } from '../../src/registry/why-not.ts';
import type { ContextKeys } from '../../src/registry/when.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'node',
  row: 'opens',
  entry: 'none',
  cluster: 'selected',
  role: 'member',
  help: 'none',
  tiles: 'one',
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

describe('why keys do nothing here', () => {
  test('the kind is another', () => {
    expect(why('r')).toMatch(/^“Restart” is for .*deployments.*, not for nodes\.$/);
    expect(why('r', { focus: 'page', kind: 'none' })).toMatch(/^“Restart” is for .*deployments.*\.$/);
  });

  test('the view is another', () => {
    expect(why('/', { focus: 'page', kind: 'none' })).toMatch(
      /^“(?:Filter|Search the log)” works in a (?:list|log)\.$/,
    );
    expect(why('f')).toBe('“Follow the log” works in a log.');
  });

  test('letters beside an editor or a terminal are meant for its text', () => {
    expect(why('r', { focus: 'text', kind: 'deployment' })).toBe(
      '“Restart” does nothing beside an editor or a terminal. Go to another view of the object first.',
    );
  });

  test('there is one tile', () => {
    expect(why('w h')).toBe('“Go to the tile on the left” needs a second tile. Split this one first.');
  });

  test('no cluster is chosen', () => {
    expect(why('g p', { cluster: 'none', focus: 'page', kind: 'none' })).toBe(
      '“Pods” needs a cluster. Choose one first.',
    );
  });

  test('there is no row, or the row leads nowhere', () => {
    expect(why('enter', { row: 'none' })).toBe('There is no row here to do this with.');
    expect(why('enter', { row: 'plain' })).toBe('This row has no page of its own.');
  });

  test('a permission is missing, or not known yet', () => {
    expect(why('r', { kind: 'deployment' }, () => false)).toBe(
      'You may not use “Restart” here. An Owner can grant it.',
    );
    expect(why('r', { kind: 'deployment' }, 'unknown')).toBe(
      'Your permissions on this cluster are still being read. Try again in a moment.',
    );
  });

  test('nothing is said of keys that nothing is bound to, that pages understand, or that somebody types', () => {
    expect(why('ö')).toBeUndefined();
    expect(why('down', { focus: 'log', kind: 'pod' })).toBeUndefined();
    expect(why('r', { focus: 'input' })).toBeUndefined();
    expect(why('r', { overlay: 'dialog' })).toBeUndefined();
    expect(why('r', { shell: 'public' })).toBeUndefined();
  });

  test('nor of keys that somebody took away', () => {
    const own = keymapOf(commands, [{ keys: 'r', command: null }]);
    expect(whyNot(own, ['r'], { context, may: everything, kindTitle })).toBeUndefined();
  });
});
