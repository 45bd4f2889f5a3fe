import type { KeyOverride } from '../../contract/keymap.ts';
import type { Command } from '../commands/command.ts';
import { isChord, parseKeys, type Stroke } from './keys.ts';
import {
  anyViewFocus,
  type ContextKeys,
  implies,
  matches,
  overlaps,
  viewFocus,
  type When,
} from '../commands/when.ts';

/** A key sequence that runs a command. */
export interface Binding {
  readonly command: Command;
  readonly strokes: readonly Stroke[];
  readonly when: When | undefined;
  /** Set by the person; wins over every default. */
  readonly isOwn?: true;
  /** Conditions in which the person removed these keys. */
  readonly hidden?: readonly When[];
}

/** The command that sends the next key to the console while a terminal has the keyboard. */
export const leaderCommand = 'keys.leader';

const withDefault = (when: When | undefined, strokes: readonly Stroke[], command: Command): When => {
  const list: readonly When[] = when === undefined ? [{}] : Array.isArray(when) ? when : [when];
  // While somebody types, keys without modifiers do nothing, and in a terminal no key does, unless the command says
  // otherwise. Beside a text they never act on objects, because the key may have been meant for the text.
  const actsOnObjects = command.type === 'action' && command.actsOn !== undefined;
  const focus = isChord(strokes[0] ?? '')
    ? ([...anyViewFocus, 'input', 'none'] as const)
    : ([...(actsOnObjects ? viewFocus : anyViewFocus), 'none'] as const);
  return (list as readonly Extract<When, { readonly focus?: unknown }>[]).map((clause) => ({
    ...(clause.overlay === undefined ? { overlay: 'none' as const } : {}),
    ...(clause.focus === undefined ? { focus } : {}),
    ...clause,
  }));
};

/** Keys as declared on a command: none, one or several. */
export function declaredKeys({ keys }: Pick<Command, 'keys'>): readonly string[] {
  return keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;
}

/** All bindings of the commands, with implied conditions added. */
export function bindingsOf(commands: readonly Command[]): readonly Binding[] {
  return commands.flatMap((command) =>
    declaredKeys(command).map((one) => {
      const strokes = parseKeys(one);
      return { command, strokes, when: withDefault(command.keysWhen ?? command.when, strokes, command) };
    }),
  );
}

const isSame = (a: readonly Stroke[], b: readonly Stroke[]) => a.join(' ') === b.join(' ');

/** Parses hand-written keys into strokes; undefined if they are invalid. */
export function strokesOf(keys: string): readonly Stroke[] | undefined {
  try {
    const strokes = parseKeys(keys);
    return strokes.every((stroke) => stroke !== '') ? strokes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The bindings in effect for a person: their own first, then the defaults that they did not remove. Lines with an
 * unknown command or unknown keys have no effect. A line without `when` applies wherever its command exists.
 */
export function keymapOf(
  commands: readonly Command[],
  overrides: readonly KeyOverride[],
): readonly Binding[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const taken: { readonly strokes: readonly Stroke[]; readonly when: When }[] = [];
  const own: Binding[] = [];
  for (const line of overrides) {
    const strokes = strokesOf(line.keys);
    if (strokes === undefined) continue;
    // `matches` compares the names with the context's; an unknown name never matches.
    const when = line.when as When | undefined;
    const command = line.command === null ? undefined : byId.get(line.command);
    if (line.command === null) taken.push({ strokes, when: when ?? {} });
    else if (command !== undefined)
      own.push({ command, strokes, when: withDefault(when ?? command.when, strokes, command), isOwn: true });
  }
  const defaults = bindingsOf(commands).map((binding): Binding => {
    const hidden = taken.filter((one) => isSame(one.strokes, binding.strokes)).map((one) => one.when);
    return hidden.length === 0 ? binding : { ...binding, hidden };
  });
  return [...own, ...defaults];
}

/** The keys that run a command, the person's own first, without those that other bindings always override. */
export function keysOfCommand(bindings: readonly Binding[], id: string): readonly string[] {
  const own = bindings.filter((one) => one.isOwn === true);
  return bindings
    .filter((one) => {
      if (one.command.id !== id) return false;
      if (one.hidden?.some((when) => implies(one.when, when)) === true) return false;
      // A later line of the person's own overrides an earlier one, and each of them overrides every default.
      const rivals = one.isOwn === true ? own.slice(own.indexOf(one) + 1) : own;
      return !rivals.some(
        (other) =>
          other.command.id !== id && isSame(other.strokes, one.strokes) && implies(one.when, other.when),
      );
    })
    .map((one) => one.strokes.join(' '))
    .filter((keys, index, all) => all.indexOf(keys) === index);
}

/** The result of resolving pressed strokes. */
export type Resolution =
  | { readonly type: 'run'; readonly command: Command }
  /** More strokes may follow: these bindings begin with the pressed ones. */
  | { readonly type: 'pending'; readonly bindings: readonly Binding[] }
  | { readonly type: 'none' };

const startsWith = (binding: Binding, strokes: readonly Stroke[]) =>
  strokes.every((stroke, index) => binding.strokes[index] === stroke);

const holdsIn = (binding: Binding, context: ContextKeys) =>
  matches(binding.when, context) && binding.hidden?.some((when) => matches(when, context)) !== true;

/**
 * Resolves strokes in a context. The person's own bindings win over the defaults, later ones over earlier ones; among
 * defaults the more specific one wins.
 */
export function resolveKeys(
  bindings: readonly Binding[],
  strokes: readonly Stroke[],
  context: ContextKeys,
): Resolution {
  const open = bindings.filter((one) => startsWith(one, strokes) && holdsIn(one, context));
  const isComplete = (one: Binding) => one.strokes.length === strokes.length;
  const own = open.filter((one) => one.isOwn === true);
  const ownComplete = own.findLast(isComplete);
  if (ownComplete !== undefined) return { type: 'run', command: ownComplete.command };
  const longer = open.filter((one) => !isComplete(one));
  if (own.length > 0) return { type: 'pending', bindings: longer };
  const complete = open.filter(isComplete);
  const best = complete.find((one) =>
    complete.every((other) => other === one || implies(one.when, other.when)),
  );
  if (best !== undefined) return { type: 'run', command: best.command };
  const first = complete[0];
  if (first !== undefined) return { type: 'run', command: first.command };
  return longer.length > 0 ? { type: 'pending', bindings: longer } : { type: 'none' };
}

/**
 * Whether two bindings conflict: equal keys, or one the prefix of the other, under conditions that can hold together.
 */
export function collide(a: Binding, b: Binding): boolean {
  const shorter = Math.min(a.strokes.length, b.strokes.length);
  return isSame(a.strokes.slice(0, shorter), b.strokes.slice(0, shorter)) && overlaps(a.when, b.when);
}

/** Conflicting pairs of bindings, without pairs on the same keys of which one is more specific. */
export function conflictsOf(bindings: readonly Binding[]): readonly (readonly [Binding, Binding])[] {
  return bindings.flatMap((a, index) =>
    bindings.slice(index + 1).flatMap((b): readonly (readonly [Binding, Binding])[] => {
      if (!collide(a, b)) return [];
      const specific = implies(a.when, b.when) !== implies(b.when, a.when);
      return specific && a.strokes.length === b.strokes.length ? [] : [[a, b]];
    }),
  );
}

const reserved: ReadonlySet<string> = new Set([
  ...['t', 'n', 'w', 'l', 'r', 'p', 'q'].map((key) => `mod+${key}`),
  ...['n', 't', 'w', 'q', 'tab'].map((key) => `mod+shift+${key}`),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `mod+${digit}`),
  ...['left', 'right', 'up', 'down', 'f4'].map((key) => `alt+${key}`),
  ...['f4', 'f5', 'tab'].map((key) => `mod+${key}`),
  'f5',
  'f11',
  'f12',
  'shift+f5',
  'tab',
  'shift+tab',
]);

/**
 * Whether a browser reserves these keys: it never passes them on, or also acts on them itself. Ctrl+Alt with a
 * character counts, because it is AltGr on many keyboards.
 */
export function isReserved(stroke: Stroke): boolean {
  return reserved.has(stroke) || /^mod\+alt\+(?:shift\+)?.$/u.test(stroke);
}
