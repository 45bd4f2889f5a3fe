import type { Command } from './command.ts';
import { isChord, parseKeys, type Stroke } from './keys.ts';
import { type ContextKeys, implies, matches, overlaps, type When } from './when.ts';

/** One way to a command by keys. */
export interface Binding {
  readonly command: Command;
  readonly strokes: readonly Stroke[];
  readonly when: When | undefined;
}

const withDefault = (when: When | undefined, strokes: readonly Stroke[]): When => {
  const list: readonly When[] = when === undefined ? [{}] : Array.isArray(when) ? when : [when];
  const first = strokes[0] ?? '';
  return (list as readonly Extract<When, { readonly focus?: unknown }>[]).map((clause) => ({
    ...(clause.overlay === undefined ? { overlay: 'none' as const } : {}),
    // Plain keys never fire while someone types, unless the command says so.
    ...(clause.focus === undefined && !isChord(first) ? { focus: ['table', 'page', 'none'] as const } : {}),
    ...clause,
  }));
};

/** Every binding of the commands, with the implied conditions written out. */
export function bindingsOf(commands: readonly Command[]): readonly Binding[] {
  return commands.flatMap((command) => {
    const keys =
      command.keys === undefined ? [] : typeof command.keys === 'string' ? [command.keys] : command.keys;
    return keys.map((one) => {
      const strokes = parseKeys(one);
      return { command, strokes, when: withDefault(command.when, strokes) };
    });
  });
}

/** What the pressed strokes lead to. */
export type Resolution =
  | { readonly type: 'run'; readonly command: Command }
  /** More keys may follow: these bindings begin so. */
  | { readonly type: 'pending'; readonly bindings: readonly Binding[] }
  | { readonly type: 'none' };

const startsWith = (binding: Binding, strokes: readonly Stroke[]) =>
  strokes.every((stroke, index) => binding.strokes[index] === stroke);

/** Resolves strokes in a context; of several complete bindings the more specific one wins. */
export function resolveKeys(
  bindings: readonly Binding[],
  strokes: readonly Stroke[],
  context: ContextKeys,
): Resolution {
  const open = bindings.filter((one) => startsWith(one, strokes) && matches(one.when, context));
  const complete = open.filter((one) => one.strokes.length === strokes.length);
  const best = complete.find((one) =>
    complete.every((other) => other === one || implies(one.when, other.when)),
  );
  if (best !== undefined) return { type: 'run', command: best.command };
  const first = complete[0];
  if (first !== undefined) return { type: 'run', command: first.command };
  return open.length > 0 ? { type: 'pending', bindings: open } : { type: 'none' };
}

/** Pairs of bindings that stand in each other's way: equal or prefix keys, overlapping conditions, neither more specific. */
export function conflictsOf(bindings: readonly Binding[]): readonly (readonly [Binding, Binding])[] {
  return bindings.flatMap((a, index) =>
    bindings.slice(index + 1).flatMap((b): readonly (readonly [Binding, Binding])[] => {
      if (!startsWith(a, b.strokes.slice(0, a.strokes.length)) && !startsWith(b, a.strokes)) return [];
      const shorter = Math.min(a.strokes.length, b.strokes.length);
      if (!a.strokes.slice(0, shorter).every((stroke, at) => b.strokes[at] === stroke)) return [];
      if (!overlaps(a.when, b.when)) return [];
      const specific = implies(a.when, b.when) !== implies(b.when, a.when);
      return specific && a.strokes.length === b.strokes.length ? [] : [[a, b]];
    }),
  );
}

/** Keys that browsers keep for themselves. */
export const reservedKeys: ReadonlySet<string> = new Set([
  ...['t', 'n', 'w', 'l', 'r', 'p'].map((key) => `mod+${key}`),
  'mod+shift+n',
  'mod+shift+t',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `mod+${digit}`),
  'alt+left',
  'alt+right',
  'alt+up',
  'alt+down',
  'f5',
  'mod+tab',
]);
