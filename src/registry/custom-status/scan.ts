import type { Tone } from '../tone.ts';
import { isPart, textIn } from './fields.ts';
import { toneOfWord } from './words.ts';

/** A word found in a status without a known rule. */
export interface Found {
  readonly tone: Tone;
  readonly label: string;
  /**
   * The word is about a part of the object, or about its last operation: a problem there need not be one of the object.
   */
  readonly isAside: boolean;
  readonly message: string | undefined;
}

/** Maximum number of status fields that are read. */
const maxFields = 40;
/** Names of fields that hold a status word: `PostgresClusterStatus`, `jobState`, `certificateStatus`. */
const statusFieldSuffix = /(?:phase|state|status|health|stage)$/i;
/** Fields about a desired or earlier state do not tell the current one. */
const otherTimePrefix = /^(?:desired|target|wanted|expected|previous|prior|old|next|spec)/i;
const pastPrefix = /^(?:last|latest|recent)/i;
/** Fields that the general rule reads already. */
const generalStatusFields: ReadonlySet<string> = new Set(['phase', 'state', 'status', 'health']);
const nestedStatusFields = ['state', 'phase', 'status', 'health'] as const;

/** What one word says; undefined if it is unknown. */
function wordIn(value: unknown, isAside: boolean, around: object): Found | undefined {
  const word = textIn(value);
  const tone = word === undefined ? undefined : toneOfWord(word);
  if (word === undefined || tone === undefined) return undefined;
  const { message, reason, error, description } = around as Readonly<Record<string, unknown>>;
  const explanation = textIn(message) ?? textIn(reason) ?? textIn(error) ?? textIn(description);
  return { tone, label: word, isAside, message: tone === 'ok' ? undefined : explanation };
}

/**
 * The status words in fields with unusual names, and the errors that a status reports. Reads the status and one level
 * below it.
 */
export function* wordsIn(status: object): Generator<Found> {
  let left = maxFields;
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
