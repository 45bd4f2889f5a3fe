import type { Tone } from '../tone.ts';
import { fieldAt, textIn } from './fields.ts';
import type { WordRule } from './rule.ts';
import { toneOfWord } from './words.ts';

/** What a status word says. */
export interface WordHealth {
  /** Undefined for an unknown word. */
  readonly tone: Tone | undefined;
  readonly label: string;
  readonly message: string | undefined;
  /** Whether the value is a flag, for which false is a problem only if no work is in progress. */
  readonly isFlag: boolean;
}

/** Reads one status word of an object; undefined if it is missing or does not count now. */
export type WordReader = (object: object) => WordHealth | undefined;

/** Paths of explanations for words whose rule has no path of its own. */
const explanations = ['status.message', 'status.reason', 'status.error', 'status.errorMessage'].map(fieldAt);

function explanationOf(object: object): string | undefined {
  for (const read of explanations) {
    const text = textIn(read(object));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Compiles the reader of a status word. */
export function wordReader({ at, tones, unless, message }: WordRule): WordReader {
  const read = fieldAt(at);
  const readOther = unless === undefined ? undefined : fieldAt(unless.at);
  const readMessage = message === undefined ? explanationOf : fieldAt(message);
  const name = at.slice(at.lastIndexOf('.') + 1);
  const flag = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

  return (object) => {
    const value = read(object);
    const isFlag = typeof value === 'boolean';
    const word = isFlag ? flag : textIn(value);
    if (word === undefined) return undefined;
    if (readOther !== undefined && unless?.is.includes(textIn(readOther(object)) ?? '') === true)
      return undefined;
    const tone = isFlag ? (value ? 'ok' : 'bad') : toneOfWord(word, tones);
    return {
      tone,
      label: value === false ? `Not ${name}` : word,
      message: tone === 'ok' ? undefined : textIn(readMessage(object)),
      isFlag,
    };
  };
}
