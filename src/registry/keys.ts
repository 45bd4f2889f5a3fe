/** One key press: modifiers and the key, named by the character that it produces, in lower case (`g`, `?`, `enter`). */
export type Stroke = string;

/** The parts of a keyboard event that this layer reads. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const keyNames: Readonly<Record<string, string>> = {
  ' ': 'space',
  escape: 'esc',
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
};
const modifierKeys = new Set(['control', 'shift', 'alt', 'meta', 'altgraph', 'capslock', 'dead', 'process']);

/** Splits declared keys (`'g p'`, `'mod+k'`) into strokes with modifiers in the order mod, alt, shift. */
export function parseKeys(keys: string): readonly Stroke[] {
  const steps = keys.trim().split(/\s+/);
  if (steps.length > 2) throw new Error(`The keys "${keys}" have more than two steps.`);
  return steps.map((step) => {
    const parts = step === '+' ? ['+'] : step.split(/\+(?!$)/).map((part) => part.toLowerCase());
    const key = parts.at(-1) ?? '';
    const order = ['mod', 'alt', 'shift'].filter((modifier) => parts.slice(0, -1).includes(modifier));
    return [...order, key].join('+');
  });
}

const signs: Readonly<Record<string, string>> = {
  Backslash: '\\',
  Slash: '/',
  Comma: ',',
  Period: '.',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  BracketLeft: '[',
  BracketRight: ']',
  Minus: '-',
  Equal: '=',
};

/** The character at a key's position on a US keyboard: letters, digits and signs. */
function latinKey(code: string): string | undefined {
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase() ?? signs[code];
}

/**
 * The stroke of a key press; undefined for a modifier alone. `mod` is Cmd on macOS, Ctrl elsewhere. A printable key is
 * named by its character, so `?` needs no shift; letters keep `shift+`. With `mod` on a non-Latin layout the key's
 * position decides.
 */
export function strokeOf(press: KeyPress, isMac: boolean): Stroke | undefined {
  let key = press.key.toLowerCase();
  if (modifierKeys.has(key) || key === '' || key === 'unidentified') return undefined;
  key = keyNames[key] ?? key;
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const latin = latinKey(press.code);
  // For another script, or a character that Option produces on a Mac, the key's position identifies it.
  const isForeign =
    key.length === 1 && /[^ -~]/.test(key) && ((isMac && press.altKey) || !/\p{Script=Latin}/u.test(key));
  if ((mod || press.altKey) && latin !== undefined && isForeign) key = latin;
  const parts: string[] = [];
  if (mod) parts.push('mod');
  if (press.altKey) parts.push('alt');
  if (press.shiftKey && (key.length > 1 || /^\p{L}$/u.test(key))) parts.push('shift');
  parts.push(key);
  return parts.join('+');
}

/** Whether a stroke has a modifier and may therefore act while somebody types. */
export function isChord(stroke: Stroke): boolean {
  return /^(mod|alt)\+./.test(stroke);
}
