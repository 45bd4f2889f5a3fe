import { type KeyOverride, keymapLimit } from '../../contract/keymap.ts';
import { type Command, plainTitle } from '../commands/command.ts';
import { type Binding, bindingsOf, collide, isReserved, keymapOf, strokesOf } from './keymap.ts';
import { contextNames } from '../commands/when.ts';

/** A remark about one line of a keymap; errors prevent saving. */
export interface KeymapNote {
  /** Line index from 0; -1 for the whole keymap. */
  readonly line: number;
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
}

/** The result of reading a text as a keymap. */
export interface ReadKeymap {
  /** Undefined if the text has an error. */
  readonly keymap: readonly KeyOverride[] | undefined;
  readonly notes: readonly KeymapNote[];
}

const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= limit;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Describes what is wrong with the form of one line; undefined if it is valid. */
function faultOf(line: unknown): string | undefined {
  if (!isRecord(line)) return 'is not an object like { "keys": "g p", "command": "pod.list" }.';
  const { keys, command, when, ...rest } = line;
  const surplus = Object.keys(rest)[0];
  if (surplus !== undefined) return `has "${surplus}"; an entry has keys, command and when.`;
  if (!isText(keys, 60)) return 'needs "keys", like "mod+k" or "g p".';
  if (strokesOf(keys) === undefined)
    return `has the keys "${keys}", which are no keys or more than two steps.`;
  if (command === undefined) return 'needs a "command": an id, or null to take the keys away.';
  if (command !== null && !isText(command, 120)) return 'has a "command" that is neither an id nor null.';
  const clauses: readonly unknown[] = when === undefined ? [] : Array.isArray(when) ? when : [when];
  if (Array.isArray(when) && (when.length === 0 || when.length > 8))
    return 'has a "when" with no condition or more than eight.';
  for (const clause of clauses) {
    const isFine =
      isRecord(clause) &&
      Object.entries(clause).every(
        ([name, value]) =>
          /^[a-z][a-zA-Z]{0,30}$/.test(name) &&
          (isText(value, 120) ||
            (Array.isArray(value) && value.length > 0 && value.every((one) => isText(one, 120)))),
      );
    if (!isFine) return 'has a "when" that is not like { "focus": "table", "kind": ["pod", "node"] }.';
  }
  return undefined;
}

/** Reads a keymap text and lists its errors and its effects on other bindings. */
export function readKeymap(text: string, commands: readonly Command[]): ReadKeymap {
  const fail = (said: string): ReadKeymap => ({
    keymap: undefined,
    notes: [{ line: -1, level: 'error', text: said }],
  });
  let value: unknown;
  try {
    value = text.trim() === '' ? [] : JSON.parse(text);
  } catch (error) {
    return fail(`This is not valid JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) return fail('A keymap is a list: [{ "keys": "g p", "command": "pod.list" }].');
  if (value.length > keymapLimit) return fail(`A keymap has at most ${keymapLimit} lines.`);
  const faults = value.flatMap((line: unknown, index): KeymapNote[] => {
    const fault = faultOf(line);
    return fault === undefined ? [] : [{ line: index, level: 'error', text: `Entry ${index + 1} ${fault}` }];
  });
  if (faults.length > 0) return { keymap: undefined, notes: faults };
  const keymap = value as readonly KeyOverride[];
  return { keymap, notes: notesOn(keymap, commands) };
}

/** Remarks about a valid keymap: clashing keys, keys that browsers reserve, unknown command ids. */
export function notesOn(keymap: readonly KeyOverride[], commands: readonly Command[]): readonly KeymapNote[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  return keymap.flatMap((line, index): KeymapNote[] => {
    const say = (level: KeymapNote['level'], text: string): KeymapNote => ({ line: index, level, text });
    const notes: KeymapNote[] = [];
    const strokes = strokesOf(line.keys) ?? [];
    const clauses = line.when === undefined ? [] : Array.isArray(line.when) ? line.when : [line.when];
    const strange = clauses.flatMap((one) => Object.keys(one)).find((name) => !contextNames.has(name));
    if (strange !== undefined)
      notes.push(
        say(
          'info',
          `This version does not know the condition "${strange}": the line is kept and does nothing.`,
        ),
      );
    if (line.command === null) {
      const isUsed = bindingsOf(commands).some((one) => one.strokes.join(' ') === strokes.join(' '));
      if (!isUsed) notes.push(say('info', `No command is bound to "${line.keys}" by default.`));
      return notes;
    }
    if (!byId.has(line.command)) {
      notes.push(
        say('info', `This version has no command "${line.command}": the line is kept and does nothing.`),
      );
      return notes;
    }
    const reservedStroke = strokes.find(isReserved);
    if (reservedStroke !== undefined)
      notes.push(say('warning', `Browsers reserve "${reservedStroke}": the console may never receive it.`));
    const alone = keymapOf(commands, [line])[0];
    const others = keymapOf(
      commands,
      keymap.filter((_, at) => at !== index),
    );
    if (alone !== undefined) notes.push(...clashes(alone, others).map((text) => say('warning', text)));
    return notes;
  });
}

/** Describes which other bindings a person's binding overrides. */
function clashes(own: Binding, others: readonly Binding[]): readonly string[] {
  const keys = own.strokes.join(' ');
  const rivals = others.filter(
    (other) => other.command.id !== own.command.id && other.hidden === undefined && collide(own, other),
  );
  const nameOf = (other: Binding) => `"${other.strokes.join(' ')}" (${plainTitle(other.command)})`;
  const longer = rivals.filter((other) => other.strokes.length > own.strokes.length);
  const effects = rivals
    .filter((other) => other.strokes.length <= own.strokes.length)
    .map((other) => {
      if (other.strokes.length === own.strokes.length)
        return `"${keys}" is also "${plainTitle(other.command)}"${other.isOwn === true ? ': the later entry wins.' : ', which it replaces.'}`;
      return `${nameOf(other)} begins "${keys}"${other.isOwn === true ? ', which cannot be reached.' : ' and will wait for a second key.'}`;
    });
  if (longer.length === 0) return effects;
  const more = longer.length > 3 ? ` and ${longer.length - 3} more` : '';
  const names = longer.slice(0, 3).map(nameOf).join(', ');
  return [...effects, `"${keys}" begins ${names}${more}, which can no longer be reached.`];
}
