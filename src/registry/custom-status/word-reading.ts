import type { Tone } from '../tone.ts';
import { fieldAt, textIn } from './fields.ts';
import type { WordRule } from './rule.ts';
import { toneOfWord } from './words.ts';

/** What a word of an object says. */
export interface WordHealth {
  /** Undefined for a word that is not known. */
  readonly tone: Tone | undefined;
  readonly label: string;
  readonly message: string | undefined;
  /** Whether it is a flag: false alone is trouble only where nothing is under way. */
  readonly isFlag: boolean;
}

/** Reads one word of an object; undefined where it is not there, or does not count now. */
export type WordReader = (object: object) => WordHealth | undefined;

/** Where an explanation stands, for words whose rule names no place. */
const explanations = ['status.message', 'status.reason', 'status.error', 'status.errorMessage'].map(fieldAt);

function explanationOf(object: object): string | undefined {
  for (const read of explanations) {
    const text = textIn(read(object));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Prepares the reading of a word. */
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
