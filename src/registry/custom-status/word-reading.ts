import { fieldAt, textIn } from './fields.ts';
import type { WordRule } from './rule.ts';
import { ratioIn, readWord, type Saying } from './words.ts';

/** What a status word says. */
export interface WordHealth {
  /** Undefined for an unknown word. */
  readonly says: Saying | undefined;
  readonly label: string;
  readonly message: string | undefined;
}

/** Reads one status word of an object; undefined if it is missing or does not count now. */
export type WordReader = (object: object) => WordHealth | undefined;

/** Paths of explanations for words whose rule has no path of its own. */
const explanations = [
  'status.message',
  'status.reason',
  'status.phaseReason',
  'status.error',
  'status.errorMessage',
  'status.validationErrors',
  'status.errors',
].map(fieldAt);

/** A text, or the first one of a list. */
const firstText = (value: unknown): string | undefined => textIn(Array.isArray(value) ? value[0] : value);

function explanationOf(object: object): string | undefined {
  for (const read of explanations) {
    const text = firstText(read(object));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Tone and label of a value; undefined if it is no word, flag, or ratio. */
function reading(
  value: unknown,
  name: string,
  tones: Readonly<Record<string, Saying>> | undefined,
): readonly [says: Saying | undefined, label: string] | undefined {
  if (typeof value === 'boolean') {
    const spoken = name.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
    const label = value ? `${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}` : `Not ${spoken}`;
    return [tones?.[String(value)] ?? (value ? 'ok' : 'soft'), label];
  }
  // Numbers are words only where a family says so.
  const word = typeof value === 'number' && tones?.[value] !== undefined ? String(value) : textIn(value);
  return word === undefined ? undefined : (ratioIn(word) ?? [readWord(word, tones), word]);
}

/** Compiles the reader of a status word. @param shared what words say if the field's rule has no `tones` */
export function wordReader(
  { at, tones, unless, message }: WordRule,
  shared: Readonly<Record<string, Saying>> | undefined,
): WordReader {
  const read = fieldAt(at);
  const readOther = unless === undefined ? undefined : fieldAt(unless.at);
  const readMessage = message === undefined ? explanationOf : fieldAt(message);
  const name = at.slice(at.lastIndexOf('.') + 1);

  return (object) => {
    const found = reading(read(object), name, tones ?? shared);
    if (found === undefined) return undefined;
    if (readOther !== undefined && unless?.is.includes(textIn(readOther(object)) ?? '') === true)
      return undefined;
    const [says, label] = found;
    return { says, label, message: says === 'ok' ? undefined : textIn(readMessage(object)) };
  };
}
