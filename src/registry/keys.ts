/** One key press: its modifiers and the key by the character it makes, lower-case (`g`, `?`, `enter`). */
export type Stroke = string;

/** The parts of a keyboard event this layer reads. */
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

/** Splits keys as declared (`'g p'`, `'mod+k'`) into strokes, modifiers in the order mod, alt, shift. */
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

/** What a US keyboard has at a place: letters, digits and signs. */
function latinKey(code: string): string | undefined {
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase() ?? signs[code];
}

/**
 * The stroke of a key press, or undefined for a modifier alone. `mod` is Cmd on macOS, Ctrl elsewhere.
 * A printable key is named by the character it makes, so `?` needs no shift; letters keep `shift+`.
 * With `mod` on a non-Latin layout the key's position decides.
 */
export function strokeOf(press: KeyPress, isMac: boolean): Stroke | undefined {
  let key = press.key.toLowerCase();
  if (modifierKeys.has(key) || key === '' || key === 'unidentified') return undefined;
  key = keyNames[key] ?? key;
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const latin = latinKey(press.code);
  // Another script, or what Option makes of a key on a Mac: then the place of the key says which one is meant.
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

/** Whether a stroke carries a modifier, so that it may pass while someone types. */
export function isChord(stroke: Stroke): boolean {
  return /^(mod|alt)\+./.test(stroke);
}
