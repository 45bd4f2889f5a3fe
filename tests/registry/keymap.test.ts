import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { action, type Command } from '../../src/registry/commands/command.ts';
import {
  bindingsOf,
  collide,
  conflictsOf,
  isReserved,
  keymapOf,
  keysOfCommand,
  leaderCommand,
  resolveKeys,
} from '../../src/registry/keys/keymap.ts';
import { readKeymap } from '../../src/registry/keys/keymap-check.ts';
import { isChord } from '../../src/registry/keys/keys.ts';
import { type ContextKeys, implies, matches, overlaps, type When } from '../../src/registry/commands/when.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'pod',
  row: 'plain',
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
const command = (id: string, keys: string, when?: When): Command =>
  action({ id, title: id, group: 'List', keys, run: () => {}, ...(when === undefined ? {} : { when }) });

describe('the default keys', () => {
  const bindings = bindingsOf(commands);

  test('run the actions of every object and the order by namespace on kinds without a file, and no action of a single kind', () => {
    const ids = (kind: string) =>
      bindings.filter((one) => matches(one.command.when, { ...context, kind })).map((one) => one.command.id);
    const here = ids('~').filter((id) => !ids('none').includes(id));
    expect(here.toSorted()).toEqual([
      'custom.scale',
      'object.ask',
      'object.compare',
      'object.copyKubectl',
      'object.copyLink',
      'object.copyName',
      'object.delete',
      'object.edit',
      'object.follow',
      'object.graph',
      'object.why',
      'object.yaml',
      'table.sortByNamespace',
    ]);
  });

  test('never act on objects by plain keys beside a text, whatever a person binds', () => {
    const onObjects = commands.filter((one) => one.type === 'action' && one.actsOn !== undefined);
    expect(onObjects.length).toBeGreaterThan(20);
    const own = onObjects.flatMap(({ id }) => [
      { keys: 'u', command: id },
      { keys: 'u', command: id, when: { shell: 'app' } },
    ]);
    const acting = keymapOf(commands, own).filter(
      ({ command: { type, id }, strokes, when }) =>
        type === 'action' &&
        onObjects.some((one) => one.id === id) &&
        !isChord(strokes[0] ?? '') &&
        overlaps(when, { focus: 'text' }),
    );
    expect(acting.map((one) => one.command.id)).toEqual([]);
  });

  test('do not conflict with each other', () => {
    const names = conflictsOf(bindings).map(
      ([a, b]) => `${a.strokes.join(' ')}: ${a.command.id} and ${b.command.id}`,
    );
    expect(names, 'Give one of the two other keys, or a `when` under which the other does not exist').toEqual(
      [],
    );
  });

  /** Commands that take over the keys of another one where both exist, because their `when` is narrower. */
  const takenOver = ['-: graph.zoomOut over workspace.lastTab'];

  test('are taken over by a command with a narrower `when` only where this is meant', () => {
    const pairs = bindings.flatMap((a, index) =>
      bindings
        .slice(index + 1)
        .filter((b) => collide(a, b) && conflictsOf([a, b]).length === 0)
        .map((b) => (implies(a.when, b.when) ? [a, b] : [b, a]))
        .map(
          ([narrow, broad]) =>
            `${narrow?.strokes.join(' ')}: ${narrow?.command.id} over ${broad?.command.id}`,
        ),
    );
    expect(
      [...new Set(pairs)],
      'A command took keys that another one has: choose others, or add the pair to `takenOver` in this file',
    ).toEqual(takenOver);
  });

  test('leave the browser’s own keys alone', () => {
    expect(bindings.filter((one) => one.strokes.some(isReserved)).map((one) => one.command.id)).toEqual([]);
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

  test('sort by namespace where objects are in namespaces, and nowhere else', () => {
    const found = (kind: string) => resolveKeys(bindings, ['shift+p'], { ...context, kind });
    expect(found('pod')).toMatchObject({ command: { id: 'table.sortByNamespace' } });
    expect(found('~')).toMatchObject({ command: { id: 'table.sortByNamespace' } });
    for (const kind of ['node', 'namespace', 'persistentvolume']) expect(found(kind).type, kind).toBe('none');
  });

  test('open every page of the settings that the settings’ own navigation lists', () => {
    const pages = commands.filter(
      ({ type, places }) =>
        type === 'route' &&
        places?.some((place) => typeof place === 'object' && 'settings' in place) === true,
    );
    expect(pages.length).toBeGreaterThan(12);
    const without = pages.filter(({ keys }) => keys === undefined);
    expect(without.map(({ id }) => `${id}: add keys to it in commands/routes`)).toEqual([]);
  });

  test('g waits for a second key, and g g goes to the first row', () => {
    expect(resolveKeys(bindings, ['g'], context).type).toBe('pending');
    expect(resolveKeys(bindings, ['g', 'g'], context)).toMatchObject({ command: { id: 'table.first' } });
    expect(resolveKeys(bindings, ['g', 'ü'], context).type).toBe('none');
  });
});

describe('keys and conditions', () => {
  test('plain keys do nothing while somebody types, chords still work', () => {
    const bindings = bindingsOf([command('a', 'r'), command('b', 'mod+k')]);
    const typing: ContextKeys = { ...context, focus: 'input' };
    expect(resolveKeys(bindings, ['r'], typing).type).toBe('none');
    expect(resolveKeys(bindings, ['mod+k'], typing).type).toBe('run');
  });

  test('no key works under a menu or dialog unless its command says so', () => {
    const bindings = bindingsOf([command('a', 'r'), command('b', 'q', { overlay: 'dialog' })]);
    expect(resolveKeys(bindings, ['r'], { ...context, overlay: 'dialog' }).type).toBe('none');
    expect(resolveKeys(bindings, ['q'], { ...context, overlay: 'dialog' }).type).toBe('run');
  });

  test('of two commands on one key the more specific one runs, which is no conflict', () => {
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

  test('a key that is the prefix of another in the same context is a conflict', () => {
    expect(conflictsOf(bindingsOf([command('a', 'g'), command('b', 'g p')]))).toHaveLength(1);
    expect(conflictsOf(bindingsOf([command('a', 'r'), command('b', 'r')]))).toHaveLength(1);
    expect(
      conflictsOf(bindingsOf([command('a', 'r', { focus: 'table' }), command('b', 'r', { focus: 'page' })])),
    ).toEqual([]);
  });
});

describe('a person’s own keys', () => {
  const all = [
    command('wide', 'r', { focus: 'table' }),
    command('other', 'q'),
    command('pods', 'g p'),
    command('free', 'shift+f'),
  ];
  const run = (
    keymap: Parameters<typeof keymapOf>[1],
    keys: readonly string[],
    at: ContextKeys = context,
  ) => {
    const found = resolveKeys(keymapOf(all, keymap), keys, at);
    return found.type === 'run' ? found.command.id : found.type;
  };

  test('win over the defaults, later ones over earlier ones', () => {
    expect(run([{ keys: 'r', command: 'other' }], ['r'])).toBe('other');
    expect(
      run(
        [
          { keys: 'r', command: 'other' },
          { keys: 'r', command: 'free' },
        ],
        ['r'],
      ),
    ).toBe('free');
  });

  test('are removed by null, everywhere or under its condition', () => {
    expect(run([{ keys: 'r', command: null }], ['r'])).toBe('none');
    expect(run([{ keys: 'g p', command: null }], ['g'])).toBe('none');
    const onPods = [{ keys: 'r', command: null, when: { kind: 'pod' } }];
    expect(run(onPods, ['r'])).toBe('none');
    expect(run(onPods, ['r'], { ...context, kind: 'node' })).toBe('wide');
  });

  test('apply only under their condition', () => {
    const inDialogs = [{ keys: 'r', command: 'other', when: { kind: 'node' } }];
    expect(run(inDialogs, ['r'])).toBe('wide');
    expect(run(inDialogs, ['r'], { ...context, kind: 'node' })).toBe('other');
  });

  test('hide defaults that begin with them, and wait where longer ones of their own begin with them', () => {
    expect(run([{ keys: 'g', command: 'other' }], ['g'])).toBe('other');
    expect(run([{ keys: 'r x', command: 'other' }], ['r'])).toBe('pending');
    expect(run([{ keys: 'r x', command: 'other' }], ['r', 'x'])).toBe('other');
  });

  test('have no effect with unknown commands, conditions or keys', () => {
    expect(run([{ keys: 'r', command: 'of.tomorrow' }], ['r'])).toBe('wide');
    expect(run([{ keys: 'r', command: 'other', when: { tomorrow: 'yes' } }], ['r'])).toBe('wide');
    expect(run([{ keys: 'a b c', command: 'other' }], ['a'])).toBe('none');
  });

  test('appear in menus and help, without keys that now run something else', () => {
    const keymap = keymapOf(all, [
      { keys: 'mod+e', command: 'wide' },
      { keys: 'q', command: null },
      { keys: 'shift+f', command: 'pods' },
    ]);
    expect(keysOfCommand(keymap, 'wide')).toEqual(['mod+e', 'r']);
    expect(keysOfCommand(keymap, 'other')).toEqual([]);
    expect(keysOfCommand(keymap, 'pods')).toEqual(['shift+f', 'g p']);
    expect(keysOfCommand(keymap, 'free')).toEqual([]);
  });
});

describe('in a terminal', () => {
  const bindings = bindingsOf(commands);
  const shell: ContextKeys = { ...context, focus: 'terminal' };

  test('only the leader key reaches the console', () => {
    const reached = bindings.filter(
      (one) => resolveKeys(bindings, [one.strokes[0] ?? ''], shell).type !== 'none',
    );
    expect(reached.map((one) => [one.command.id, one.strokes])).toEqual([
      [leaderCommand, ['mod+shift+space']],
    ]);
  });
});

describe('a keymap as text', () => {
  const read = (text: string) => readKeymap(text, commands);
  const said = (text: string) => read(text).notes.map((note) => `${note.level}: ${note.text}`);

  test.each([
    ['[', 'error: This is not valid JSON'],
    ['{}', 'error: A keymap is a list'],
    ['[1]', 'error: Entry 1 is not an object'],
    ['[{"keys":"x"}]', 'error: Entry 1 needs a "command"'],
    ['[{"command":"pod.list"}]', 'error: Entry 1 needs "keys"'],
    ['[{"keys":"a b c","command":null}]', 'more than two steps'],
    ['[{"keys":"a","command":5}]', 'neither an id nor null'],
    ['[{"keys":"a","command":null,"args":{}}]', 'Entry 1 has "args"'],
    ['[{"keys":"a","command":null,"when":"focus == table"}]', 'Entry 1 has a "when"'],
  ])('%s cannot be saved', (text, sentence) => {
    expect(read(text).keymap).toBeUndefined();
    expect(said(text).join(' ')).toContain(sentence);
  });

  test.each([
    ['[{"keys":"mod+t","command":"pod.list"}]', 'warning: Browsers reserve "mod+t"'],
    ['[{"keys":"mod+alt+q","command":"pod.list"}]', 'warning: Browsers reserve "mod+alt+q"'],
    ['[{"keys":"x","command":"table.filter"}]', 'warning: "x" is also "Close tab", which it replaces.'],
    ['[{"keys":"g","command":"table.filter"}]', 'more, which can no longer be reached.'],
    ['[{"keys":"j j","command":"table.filter"}]', '"j" (Next row) begins "j j" and will wait'],
    ['[{"keys":"mod+e","command":"of.tomorrow"}]', 'info: This version has no command "of.tomorrow"'],
    ['[{"keys":"mod+e","command":"pod.list","when":{"moon":"full"}}]', 'does not know the condition "moon"'],
    ['[{"keys":"mod+e","command":null}]', 'No command is bound to "mod+e" by default.'],
  ])('%s can be saved, and its effects are listed', (text, sentence) => {
    expect(read(text).keymap).toEqual(JSON.parse(text));
    expect(said(text).join(' ')).toContain(sentence);
  });

  test('keys that were removed first conflict with nothing', () => {
    expect(said('[{"keys":"x","command":null},{"keys":"x","command":"table.filter"}]')).toEqual([]);
  });

  test('an empty text is an empty keymap', () => {
    expect(read(' ')).toEqual({ keymap: [], notes: [] });
  });
});
