import type { Tone } from '../tone.ts';
import { isPart, textIn } from './fields.ts';
import { toneOfWord } from './words.ts';

/** A word found in a status whose definition nobody here knows. */
export interface Found {
  readonly tone: Tone;
  readonly label: string;
  /** Of a part of the object, or of what was done last: trouble there need not be trouble of the whole. */
  readonly isAside: boolean;
  readonly message: string | undefined;
}

/** Fields of a status beyond this many are not looked at. */
const mostFields = 40;
/** Names of fields that hold such a word: `PostgresClusterStatus`, `jobState`, `certificateStatus`. */
const statusFieldSuffix = /(?:phase|state|status|health|stage)$/i;
/** What is wanted, or was, is not how it is. */
const otherTimePrefix = /^(?:desired|target|wanted|expected|previous|prior|old|next|spec)/i;
const pastPrefix = /^(?:last|latest|recent)/i;
/** Read as they are by the general rule. */
const generalStatusFields: ReadonlySet<string> = new Set(['phase', 'state', 'status', 'health']);
const nestedStatusFields = ['state', 'phase', 'status', 'health'] as const;

/** What one word says; nothing where it is not known. */
function wordIn(value: unknown, isAside: boolean, around: object): Found | undefined {
  const word = textIn(value);
  const tone = word === undefined ? undefined : toneOfWord(word);
  if (word === undefined || tone === undefined) return undefined;
  const { message, reason, error, description } = around as Readonly<Record<string, unknown>>;
  const said = textIn(message) ?? textIn(reason) ?? textIn(error) ?? textIn(description);
  return { tone, label: word, isAside, message: tone === 'ok' ? undefined : said };
}

/**
 * The words of a status that stand in fields of other names than usual, and the errors that it tells of. Looks at its
 * own fields and one level below.
 */
export function* wordsIn(status: object): Generator<Found> {
  let left = mostFields;
  for (const key in status) {
    left -= 1;
    if (left < 0) return;
    const value = (status as Readonly<Record<string, unknown>>)[key];
    if (typeof value === 'string') {
      if (key === 'error' && value !== '')
        yield { tone: 'bad', label: 'Error', isAside: true, message: value };
      else if (!generalStatusFields.has(key) && statusFieldSuffix.test(key) && !otherTimePrefix.test(key)) {
        const found = wordIn(value, pastPrefix.test(key), status);
        if (found !== undefined) yield found;
      }
    } else if (isPart(value) && !otherTimePrefix.test(key) && key !== 'health' && key !== 'sync') {
      const message = textIn(value['message']);
      if (key === 'error' && message !== undefined)
        yield { tone: 'bad', label: 'Error', isAside: true, message };
      for (const name of nestedStatusFields) {
        const found = wordIn(value[name], true, value);
        if (found !== undefined) yield found;
      }
    }
  }
}
