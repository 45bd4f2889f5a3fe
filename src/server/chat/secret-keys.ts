import { redacted, redactText } from '../kit/redact-text.ts';

/** Words that name a secret where they are a whole word of a key: `pin`, `DOOR_CODE`, `apiKey`. */
const secretKeyWords = new Set(
  `pin pins code codes token tokens key keys secret secrets password passwords passwd pwd passphrase passcode otp cvv cvc
  iban credential credentials`.split(/\s+/),
);
/** Words before or within a key with which it names no secret: `exit code`, `status_code`, `keyFile`. */
const harmlessWords = new Set(
  `exit status error return response http reason result file path name names ref url uri type kind count size length ttl
  seconds algorithm format pair public`.split(/\s+/),
);

const wordsOf = (key: string): readonly string[] =>
  key
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Whether a key of settings names a secret by one of its words. */
export function isSecretKey(key: string): boolean {
  const words = wordsOf(key);
  return words.some((word) => secretKeyWords.has(word)) && !words.some((word) => harmlessWords.has(word));
}

/** A key with its value: `pin=1234`, `"pin": "12 34"`, `--door-code=7`. */
const keyedValue =
  /(?<![\w.-])((?:--?)?[A-Za-z][\w.-]{0,80})((?:\\*["'])?[^\S\n]{0,20}(?:=>|[:=])[^\S\n]{0,20})(\\*"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s,;{}[\]"'\\]+)/g;
/** YAML: a key with a block below it, and one with a bare value, which may have blanks. */
const keyedBlock =
  /^([ \t]*)((?:- )?)([\w.-]{1,80}):[ \t]*[|>][^\n]*(?:\n(?:\1[ \t]+[^\n]*|[ \t]*(?=\n)))+/gm;
const keyedLine = /^([ \t]*(?:- )?)([\w.-]{1,80}):[ \t]+(?![|>[{"'])[^\n]+/gm;
/** An argument with its value behind it: `--pin 1234`. */
const flagValue = /(?<![\w.-])(--?[A-Za-z][\w.-]{0,80})([^\S\n]+)(?!-)(\S+)/g;
/** The word before a key. */
const wordBefore = /([A-Za-z]+)[\s_]{1,3}$/;

/**
 * A text of settings, arguments or logs without the values of keys that name secrets. Redact what looks like a secret
 * before: a value is the first word behind its key here.
 */
export function withoutKeyedSecrets(text: string): string {
  const replaced = (all: string, key: string, sign: string, _value: string, at: number, whole: string) => {
    const before = wordBefore.exec(whole.slice(Math.max(0, at - 30), at))?.[1]?.toLowerCase();
    const isHarmless = before !== undefined && harmlessWords.has(before);
    return isSecretKey(key) && !isHarmless ? `${key}${sign}${redacted}` : all;
  };
  return text
    .replaceAll(keyedBlock, (all, indent: string, dash: string, key: string) =>
      isSecretKey(key) ? `${indent}${dash}${key}: ${redacted}` : all,
    )
    .replaceAll(keyedLine, (all, start: string, key: string) =>
      isSecretKey(key) ? `${start}${key}: ${redacted}` : all,
    )
    .replaceAll(keyedValue, replaced)
    .replaceAll(flagValue, replaced);
}

/** The arguments of a program without the values of keys that name secrets. */
export function withoutArgumentSecrets(values: readonly unknown[]): unknown[] {
  return values.map((value, index) => {
    if (typeof value !== 'string') return value;
    const before = values[index - 1];
    const isValue =
      typeof before === 'string' &&
      /^--?[A-Za-z][\w.-]*$/.test(before) &&
      isSecretKey(before) &&
      !value.startsWith('-');
    return isValue ? redacted : withoutKeyedSecrets(redactText(value));
  });
}
