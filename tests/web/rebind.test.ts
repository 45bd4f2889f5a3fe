import { describe, expect, test } from 'vitest';
import { keyOverrideSchema } from '../../src/contract/keymap.ts';
import { action } from '../../src/registry/commands/command.ts';
import { keymapOf, keysOfCommand } from '../../src/registry/keys/keymap.ts';
import { isChanged, keymapText, rebind, withoutOwn } from '../../src/web/screens/Settings/rebind.ts';

const close = action({
  id: 'close',
  title: 'Close',
  group: 'Workspace',
  keys: ['x', 'mod+x'],
  when: { shell: 'app', focus: ['table', 'page'] },
  run: () => {},
});
const other = action({ id: 'other', title: 'Other', group: 'Workspace', keys: 'o', run: () => {} });
const keysOf = (keymap: Parameters<typeof keymapOf>[1], id: string) =>
  keysOfCommand(keymapOf([close, other], keymap), id);

describe('changing the keys of one command', () => {
  test('these keys, and no others, lead to it; all else is left alone', () => {
    const keymap = rebind([{ keys: 'mod+e', command: 'of.tomorrow' }], close, 'shift+q');
    expect(keysOf(keymap, 'close')).toEqual(['shift+q']);
    expect(keysOf(keymap, 'other')).toEqual(['o']);
    expect(keymap[0]).toEqual({ keys: 'mod+e', command: 'of.tomorrow' });
    for (const line of keymap) expect(keyOverrideSchema.parse(line)).toEqual(line);
  });

  test('again: the earlier change is gone', () => {
    const keymap = rebind(rebind([], close, 'shift+q'), close, 'g q');
    expect(keysOf(keymap, 'close')).toEqual(['g q']);
    expect(keymap).toHaveLength(3);
  });

  test('one of its default keys alone stays a default', () => {
    const keymap = rebind([], close, 'mod+X');
    expect(keysOf(keymap, 'close')).toEqual(['mod+x']);
    expect(keymap.map((line) => line.command)).toEqual([null]);
  });

  test('without keys none lead to it, and it can be reset, in whatever order a store gives names back', () => {
    const keymap = rebind([], close, undefined);
    expect(keysOf(keymap, 'close')).toEqual([]);
    const stored = keymap.map((line) => ({
      command: line.command,
      when: { focus: ['table', 'page'], shell: 'app' },
      keys: line.keys,
    }));
    expect(isChanged(stored, close)).toBe(true);
    expect(withoutOwn(stored, close)).toEqual([]);
    expect(isChanged([], close)).toBe(false);
  });

  test('a keymap is written one entry a line', () => {
    expect(keymapText([])).toBe('[]');
    expect(keymapText([{ keys: 'x', command: null }])).toBe('[\n  {"keys":"x","command":null}\n]');
  });
});
