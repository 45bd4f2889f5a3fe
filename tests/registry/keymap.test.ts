import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { action, type Command } from '../../src/registry/command.ts';
import { bindingsOf, conflictsOf, reservedKeys, resolveKeys } from '../../src/registry/keymap.ts';
import { type ContextKeys, matches, type When } from '../../src/registry/when.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'pod',
  row: 'plain',
  cluster: 'selected',
  role: 'member',
};
const command = (id: string, keys: string, when?: When): Command =>
  action({ id, title: id, group: 'List', keys, run: () => {}, ...(when === undefined ? {} : { when }) });

describe('the default keys', () => {
  const bindings = bindingsOf(commands);

  test('do what every object can have done on kinds without a file, and nothing of any one kind', () => {
    const ids = (kind: string) =>
      bindings.filter((one) => matches(one.command.when, { ...context, kind })).map((one) => one.command.id);
    const here = ids('~').filter((id) => !ids('none').includes(id));
    expect(here.toSorted()).toEqual(['object.delete', 'object.yaml']);
  });

  test('stand in nobody’s way', () => {
    const names = conflictsOf(bindings).map(([a, b]) => `${a.command.id} and ${b.command.id}`);
    expect(names).toEqual([]);
  });

  test('leave the browser its own', () => {
    expect(
      bindings.filter((one) => reservedKeys.has(one.strokes[0] ?? '')).map((one) => one.command.id),
    ).toEqual([]);
  });

  test.each([
    ['/', 'table.filter'],
    ['j', 'table.down'],
    ['k', 'table.up'],
    ['shift+g', 'table.last'],
    ['x', 'workspace.closeTab'],
  ])('%s is %s in a list', (keys, id) => {
    expect(resolveKeys(bindings, [keys], context)).toMatchObject({ type: 'run', command: { id } });
  });

  test('g waits for a second key, and g g is the first row', () => {
    expect(resolveKeys(bindings, ['g'], context).type).toBe('pending');
    expect(resolveKeys(bindings, ['g', 'g'], context)).toMatchObject({ command: { id: 'table.first' } });
    expect(resolveKeys(bindings, ['g', 'ü'], context).type).toBe('none');
  });
});

describe('keys and conditions', () => {
  test('plain keys rest while someone types, chords do not', () => {
    const bindings = bindingsOf([command('a', 'r'), command('b', 'mod+k')]);
    const typing: ContextKeys = { ...context, focus: 'input' };
    expect(resolveKeys(bindings, ['r'], typing).type).toBe('none');
    expect(resolveKeys(bindings, ['mod+k'], typing).type).toBe('run');
  });

  test('everything rests under a menu or dialog that does not ask for it', () => {
    const bindings = bindingsOf([command('a', 'r'), command('b', 'q', { overlay: 'dialog' })]);
    expect(resolveKeys(bindings, ['r'], { ...context, overlay: 'dialog' }).type).toBe('none');
    expect(resolveKeys(bindings, ['q'], { ...context, overlay: 'dialog' }).type).toBe('run');
  });

  test('of two commands on one key the more specific one runs, and they are no conflict', () => {
    const bindings = bindingsOf([
      command('wide', 'r', { focus: 'table' }),
      command('pods', 'r', { focus: 'table', kind: 'pod' }),
    ]);
    expect(conflictsOf(bindings)).toEqual([]);
    expect(resolveKeys(bindings, ['r'], context)).toMatchObject({ command: { id: 'pods' } });
    expect(resolveKeys(bindings, ['r'], { ...context, kind: 'node' })).toMatchObject({
      command: { id: 'wide' },
    });
  });

  test('a key that begins another of the same place is a conflict', () => {
    expect(conflictsOf(bindingsOf([command('a', 'g'), command('b', 'g p')]))).toHaveLength(1);
    expect(conflictsOf(bindingsOf([command('a', 'r'), command('b', 'r')]))).toHaveLength(1);
    expect(
      conflictsOf(bindingsOf([command('a', 'r', { focus: 'table' }), command('b', 'r', { focus: 'page' })])),
    ).toEqual([]);
  });
});
