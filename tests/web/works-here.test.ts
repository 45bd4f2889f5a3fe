import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/registry/commands/command.ts';
import type { ObjectRef, Subject } from '../../src/registry/commands/invocation.ts';
import { declaredKeys, keymapOf } from '../../src/registry/keys/keymap.ts';
import type { ContextKeys } from '../../src/registry/commands/when.ts';
import { numberedNamespaces } from '../../src/registry/commands/numbered-namespaces.ts';
import { foldNumbered, harshLast, sheetLine } from '../../src/web/keyboard/sheet-lines.ts';
import { keysHere } from '../../src/web/keyboard/works-here.ts';

const pod: ObjectRef = { cluster: '1', kind: 'pod', namespace: 'shop', name: 'a' };
const row: Subject = { type: 'objects', refs: [pod], from: 'row' };
const bindings = keymapOf(commands, []);
const view: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'pod',
  row: 'opens',
  entry: 'none',
  cluster: 'selected',
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

/** Ids of the commands whose keys the sheet names first. */
const here = (context: Partial<ContextKeys>, subject: Subject = row, mayDo = true) =>
  new Set(
    commands.flatMap((command) => {
      const moment = { bindings, context: { ...view, ...context }, may: () => mayDo, subject };
      return keysHere(command, declaredKeys(command), moment).length > 0 ? [command.id] : [];
    }),
  );

describe('the keys that work here', () => {
  test.each<{
    name: string;
    context: Partial<ContextKeys>;
    subject?: Subject;
    mayDo?: boolean;
    has: readonly string[];
    lacks: readonly string[];
  }>([
    {
      name: 'of a list act on its rows',
      context: {},
      has: ['object.logs', 'object.yaml', 'object.copyName', 'pod.shell'],
      lacks: ['yaml.fold', 'diff.next', 'workspace.closeTab', 'palette.open', 'changes.undo'],
    },
    {
      name: 'of pods sort by their restarts, CPU and memory',
      context: {},
      has: ['table.sortByRestarts', 'table.sortByCPU', 'table.sortByMemory', 'table.sortByAge'],
      lacks: [],
    },
    {
      name: 'of a list without those columns do not sort by them',
      context: { kind: 'configmap' },
      has: ['table.sortByName', 'table.sortByAge'],
      lacks: ['table.sortByRestarts', 'table.sortByCPU', 'table.sortByMemory'],
    },
    {
      name: 'undo a change while it is held',
      context: { change: 'held' },
      has: ['changes.undo'],
      lacks: [],
    },
    {
      name: 'of a list without a row do nothing to rows',
      context: { row: 'none' },
      subject: { type: 'none' },
      has: [],
      lacks: ['object.logs', 'object.copyName'],
    },
    {
      name: 'leave out what the person may not do',
      context: {},
      mayDo: false,
      has: ['object.yaml'],
      lacks: ['pod.shell', 'object.logs'],
    },
    {
      name: 'of a comparison walk its differences',
      context: { focus: 'diff', kind: 'deployment', row: 'none' },
      has: ['diff.next'],
      lacks: ['yaml.fold', 'pod.shell'],
    },
    {
      name: 'of YAML fold it',
      context: { focus: 'yaml', kind: 'deployment', row: 'none' },
      has: ['yaml.fold', 'yaml.copy'],
      lacks: ['diff.next', 'pod.shell'],
    },
  ])('$name', ({ context, subject, mayDo, has, lacks }) => {
    const ids = here(context, subject, mayDo);
    expect([...has].filter((id) => !ids.has(id))).toEqual([]);
    expect(lacks.filter((id) => ids.has(id))).toEqual([]);
  });
});

describe('the sheet of keys', () => {
  const numbers = commands.filter(({ id }) => numberedNamespaces.includes(id));
  const linesOf = (shown: readonly Command[], own?: string) =>
    shown.map((command) => sheetLine(command, declaredKeys(command), command.id === own));

  test('has one line for the namespaces by number, where the first of them stood', () => {
    const [before, after] = [commands.find(({ id }) => id === 'cluster.allNamespaces'), commands.at(-1)];
    if (before === undefined || after === undefined) throw new Error('No such command.');
    const folded = foldNumbered(linesOf([before, ...numbers, after]));
    expect(folded).toHaveLength(3);
    expect(folded[1]).toMatchObject({ title: 'Show namespace 1 to 9', keys: ['1', '9'], isRange: true });
  });

  test('ends with what destroys something', () => {
    const [first, ...others] = ['object.delete', 'object.logs', 'object.yaml'].map((id) =>
      commands.find((command) => command.id === id),
    );
    const shown = [first, ...others].filter((command) => command !== undefined);
    expect(harshLast(linesOf(shown)).map(({ command }) => command.id)).toEqual([
      'object.logs',
      'object.yaml',
      'object.delete',
    ]);
  });

  test('keeps them apart when a search leaves some out, or one has keys of its own', () => {
    expect(foldNumbered(linesOf(numbers.slice(2, 4)))).toHaveLength(2);
    expect(foldNumbered(linesOf(numbers, 'cluster.namespaceFive'))).toHaveLength(9);
  });
});
