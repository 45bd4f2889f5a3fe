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

const shiftedSigns: Readonly<Record<string, string>> = {
  Backslash: '|',
  Slash: '?',
  Comma: '<',
  Period: '>',
  Semicolon: ':',
  Quote: '"',
  Backquote: '~',
  BracketLeft: '{',
  BracketRight: '}',
  Minus: '_',
  Equal: '+',
};

/** The character at a key's position on a US keyboard: letters in lower case, digits and signs. */
function latinKey(code: string, isShifted: boolean): string | undefined {
  const plain = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase();
  return plain ?? (isShifted ? shiftedSigns[code] : signs[code]);
}

const isSingle = (key: string) => /^.$/u.test(key);
/** Printed by a key without any character of ASCII; some keys write several at once, as that of the Arabic lam-alef. */
const isBeyondAscii = (key: string) => /^[^ -~]{1,8}$/u.test(key);
/** A letter, a mark, a digit or a sign of another script. */
const isOfOtherScript = (key: string) =>
  isBeyondAscii(key) &&
  /[\p{L}\p{M}\p{Nd}]|(?=\p{P})\P{Script_Extensions=Common}/u.test(key) &&
  !/\p{Script=Latin}/u.test(key);

/**
 * Whether a key press shows that the layout has no Latin letters, or that it has; undefined for a press that shows
 * neither, as of a sign or a digit.
 */
export function showsOtherScript({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean | undefined {
  // With Ctrl some layouts give Latin letters.
  if (ctrlKey || metaKey || altKey) return undefined;
  if (isOfOtherScript(key)) return true;
  return isSingle(key) && /\p{Script=Latin}/u.test(key) ? false : undefined;
}

/**
 * Whether a sign stands where the US layout has another key, on a layout without Latin letters: at the place of a letter,
 * as `/` of the Hebrew and `;` of the Greek one, or on the key of `/`, where the Cyrillic ones have full stop and comma
 * and no layout in use has another character that is a key of a command.
 */
const isMovedSign = ({ key, code }: KeyPress, isOtherScript: boolean): boolean =>
  (code === 'Slash' && (key === '.' || key === ',')) ||
  (isOtherScript && code.startsWith('Key') && /^[!-/:-@[-`{-~]$/.test(key));

/**
 * The stroke of a key press; undefined for a modifier alone. `mod` is Cmd on macOS, Ctrl elsewhere. A printable key is
 * named by its character, so `?` needs no shift; letters keep `shift+`. On a layout without Latin letters the key's
 * position decides.
 * @param isOtherScript the layout is known to have no Latin letters, by `showsOtherScript`
 */
export function strokeOf(press: KeyPress, isMac: boolean, isOtherScript = false): Stroke | undefined {
  let key = press.key.toLowerCase();
  if (modifierKeys.has(key) || key === '' || key === 'unidentified') return undefined;
  key = keyNames[key] ?? key;
  const mod = isMac ? press.metaKey : press.ctrlKey;
  // For another script, or a character that Option produces on a Mac, the key's position identifies it.
  const isForeign =
    mod || press.altKey
      ? isBeyondAscii(key) && ((isMac && press.altKey) || !/\p{Script=Latin}/u.test(key))
      : isOfOtherScript(key) || isMovedSign(press, isOtherScript);
  if (isForeign) key = latinKey(press.code, press.shiftKey && !mod && !press.altKey) ?? key;
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
