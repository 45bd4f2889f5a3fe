import { unseenCharacters } from '../contract/unseen-characters.ts';
import { escapeSequence } from './escape-sequences.ts';

/** Control characters except tab and newline, and those that nobody sees; for use as `unseenCharacters`. */
export const invisibleCharacters = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f${unseenCharacters}`;
const unwantedPattern = new RegExp(`${escapeSequence}|[${invisibleCharacters}]`, 'gu');
/** Everything that cleaning changes, including carriage returns. */
const uncleanPattern = new RegExp(`[${invisibleCharacters}\r]`, 'u');

/**
 * Removes unsafe characters from a cluster's text: escape sequences, other control characters, bidirectional overrides
 * and other invisible formatting. Keeps tab and newline. A carriage return also ends a line, so that lines
 * from other systems are neither joined nor doubled.
 */
export function cleanText(text: string): string {
  // Nearly every text is clean, and lists clean about ten for each object.
  return !uncleanPattern.test(text) ? text : text.replaceAll(/\r\n?/g, '\n').replace(unwantedPattern, '');
}

/** Characters that part words; an address and most secrets have none of them. */
const word = String.raw`[^\s"'<>(),;]`;
const beginOfWord = new RegExp(`${word}{1,320}$`);
const restOfWord = new RegExp(`^${word}`);

/**
 * A text of at most this many characters, and an ellipsis where it was longer. It is cut between words: half an address or
 * half a secret is recognised by nobody who masks it afterwards. A word of more than 320 characters is cut all the same.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit);
  const isWithinWord = restOfWord.test(text.slice(limit, limit + 1));
  return `${isWithinWord ? kept.replace(beginOfWord, '') : kept}…`;
}

/** A message for the middle of a sentence: without its full stop, and without blanks around it. */
export const withoutStop = (message: string): string => message.trim().replace(/\.$/, '');
