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
  /** As of a keyboard event; without it AltGr is not pressed. */
  readonly getModifierState?: (modifier: string) => boolean;
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

/** The character at a key's position on a US keyboard: letters in lower case, digits, signs and `space`. */
function latinKey(code: string, isShifted: boolean): string | undefined {
  if (code === 'Space') return 'space';
  const digit = isShifted ? /^Digit(\d)$/.exec(code)?.[1] : undefined;
  if (digit !== undefined) return ')!@#$%^&*('.charAt(Number(digit));
  const plain = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase();
  return plain ?? (isShifted ? shiftedSigns[code] : signs[code]);
}

const isSingle = (key: string) => /^.$/u.test(key);
/** Printed by a key without any character of ASCII; some keys write several at once, as that of the Arabic lam-alef. */
const isBeyondAscii = (key: string) => /^[^ -~]{1,8}$/u.test(key);
const isAsciiSign = (key: string) => /^[!-/:-@[-`{-~]$/.test(key);
const isLatin = (key: string) => /\p{Script=Latin}/u.test(key);
/** A letter, a mark, a digit or a sign of another script, and not one of all scripts, as `µ`. */
const isOfOtherScript = (key: string) =>
  isBeyondAscii(key) && /(?=[\p{L}\p{M}\p{Nd}\p{P}])\P{Script_Extensions=Common}/u.test(key) && !isLatin(key);

/**
 * Whether a key press shows that the layout has no Latin letters, or that it has; undefined for a press that shows
 * neither, as of a sign or a digit.
 */
export function showsOtherScript({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean | undefined {
  // With Ctrl some layouts give Latin letters.
  if (ctrlKey || metaKey || altKey) return undefined;
  if (isOfOtherScript(key)) return true;
  // With Shift or Caps Lock the Hebrew layout gives Latin letters.
  return isSingle(key) && isLatin(key) && key === key.toLowerCase() ? false : undefined;
}

/**
 * Whether a sign stands where the US layout has another key, on a layout without Latin letters: at the place of a letter,
 * as `/` of the Hebrew and `÷` of the Arabic one, or on the key of `/`, where the Cyrillic ones have full stop and comma.
 * Signs of ASCII on keys of digits and signs are what is printed on them.
 */
function isMovedSign({ key, code }: KeyPress, isOtherScript: boolean | undefined): boolean {
  if (isOtherScript !== false && code === 'Slash' && (key === '.' || key === ',')) return true;
  if (isOtherScript !== true) return false;
  return (
    key === 'Dead' || (isBeyondAscii(key) && !isLatin(key)) || (code.startsWith('Key') && isAsciiSign(key))
  );
}

/** Whether AltGr makes this character: it is no modifier of a chord then. On a Mac Firefox gives that name to Option. */
export const isByAltGr = (press: KeyPress, isMac: boolean): boolean =>
  !isMac && press.getModifierState?.('AltGraph') === true;

/** Whether Option on a Mac makes a sign that is at another place of its keyboard, as brackets on many layouts. */
export const isSignByOption = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): boolean =>
  altKey && !ctrlKey && !metaKey && isAsciiSign(key) && key !== latinKey(code, shiftKey);

/**
 * The stroke of a key press; undefined for a modifier alone, and for what AltGr makes that is no sign of ASCII. `mod` is
 * Cmd on macOS, Ctrl elsewhere. A printable key is named by its character, so `?` needs no shift; letters keep `shift+`.
 * On a layout without Latin letters the key's position decides.
 * @param isOtherScript whether the layout has no Latin letters, by `showsOtherScript`; undefined while that is not known
 */
export function strokeOf(press: KeyPress, isMac: boolean, isOtherScript?: boolean): Stroke | undefined {
  // Turkish has a capital of `i` that is two characters in lower case.
  let key = press.key.toLowerCase().replace('\u0307', '');
  const isDead = key === 'dead' && isOtherScript === true;
  if ((modifierKeys.has(key) && !isDead) || key === '' || key === 'unidentified') return undefined;
  // Brackets need AltGr, or Option on a Mac, on many layouts.
  if (isByAltGr(press, isMac) || (isMac && isSignByOption(press))) return isAsciiSign(key) ? key : undefined;
  key = keyNames[key] ?? key;
  const mod = isMac ? press.metaKey : press.ctrlKey;
  // For another script, or a character that Option produces on a Mac, the key's position identifies it.
  const isForeign =
    mod || press.altKey
      ? isBeyondAscii(key) && ((isMac && press.altKey) || !isLatin(key))
      : isOfOtherScript(key) || isMovedSign(press, isOtherScript);
  if (isForeign) key = latinKey(press.code, press.shiftKey && !mod && !press.altKey) ?? key;
  if (key === 'dead') return undefined;
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
