import type { KeyOverride } from '../contract/keymap.ts';
import type { Command } from './command.ts';
import { isChord, parseKeys, type Stroke } from './keys.ts';
import { anyViewFocus, type ContextKeys, implies, matches, overlaps, viewFocus, type When } from './when.ts';

/** One way to a command by keys. */
export interface Binding {
  readonly command: Command;
  readonly strokes: readonly Stroke[];
  readonly when: When | undefined;
  /** The person's own: before every default. */
  readonly isOwn?: true;
  /** Where the person took these keys away. */
  readonly hidden?: readonly When[];
}

/** The command that gives the next key to the console while a terminal has them all. */
export const leaderCommand = 'keys.leader';

const withDefault = (when: When | undefined, strokes: readonly Stroke[], command: Command): When => {
  const list: readonly When[] = when === undefined ? [{}] : Array.isArray(when) ? when : [when];
  // Plain keys never fire while someone types, and in a terminal nothing does, unless the command says so. Beside a text
  // they never act on an object: the letter may have been meant for the text.
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

/** Every binding of the commands, with the implied conditions written out. */
export function bindingsOf(commands: readonly Command[]): readonly Binding[] {
  return commands.flatMap((command) =>
    declaredKeys(command).map((one) => {
      const strokes = parseKeys(one);
      return { command, strokes, when: withDefault(command.when, strokes, command) };
    }),
  );
}

const isSame = (a: readonly Stroke[], b: readonly Stroke[]) => a.join(' ') === b.join(' ');

/** Strokes of keys somebody wrote by hand; undefined where they are none. */
export function strokesOf(keys: string): readonly Stroke[] | undefined {
  try {
    const strokes = parseKeys(keys);
    return strokes.every((stroke) => stroke !== '') ? strokes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The bindings a person works with: the defaults without what they took away, after their own. A line whose command
 * or keys this version does not know does nothing. Without a `when` a line holds where its command exists.
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
    // Names are compared with the context's when they are asked for: an unknown one never holds.
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

/** The keys that lead to a command, the person's own first; those that can never reach it any more are left out. */
export function keysOfCommand(bindings: readonly Binding[], id: string): readonly string[] {
  const own = bindings.filter((one) => one.isOwn === true);
  return bindings
    .filter((one) => {
      if (one.command.id !== id) return false;
      if (one.hidden?.some((when) => implies(one.when, when)) === true) return false;
      // Of the person's own the later line wins, and each of them wins over a default.
      const rivals = one.isOwn === true ? own.slice(own.indexOf(one) + 1) : own;
      return !rivals.some(
        (other) =>
          other.command.id !== id && isSame(other.strokes, one.strokes) && implies(one.when, other.when),
      );
    })
    .map((one) => one.strokes.join(' '))
    .filter((keys, index, all) => all.indexOf(keys) === index);
}

/** What the pressed strokes lead to. */
export type Resolution =
  | { readonly type: 'run'; readonly command: Command }
  /** More keys may follow: these bindings begin so. */
  | { readonly type: 'pending'; readonly bindings: readonly Binding[] }
  | { readonly type: 'none' };

const startsWith = (binding: Binding, strokes: readonly Stroke[]) =>
  strokes.every((stroke, index) => binding.strokes[index] === stroke);

const holdsIn = (binding: Binding, context: ContextKeys) =>
  matches(binding.when, context) && binding.hidden?.some((when) => matches(when, context)) !== true;

/**
 * Resolves strokes in a context. The person's own bindings come before the defaults, the later before the earlier; of
 * several defaults the more specific one wins.
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

/** Whether two bindings stand in each other's way: equal or prefix keys under conditions that can hold together. */
export function collide(a: Binding, b: Binding): boolean {
  const shorter = Math.min(a.strokes.length, b.strokes.length);
  return isSame(a.strokes.slice(0, shorter), b.strokes.slice(0, shorter)) && overlaps(a.when, b.when);
}

/** Pairs of bindings that stand in each other's way, neither being more specific on the very same keys. */
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
 * Whether keys belong to browsers, which never hand them on or do something else with them as well; Ctrl+Alt with a
 * character is AltGr on many keyboards.
 */
export function isReserved(stroke: Stroke): boolean {
  return reserved.has(stroke) || /^mod\+alt\+(?:shift\+)?.$/u.test(stroke);
}
