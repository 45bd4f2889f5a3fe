import { cutText } from '../../kube/text.ts';

/** Shares of the room that the beginning of a shortened text has: a whole part before a colon, or some words. */
const openingShare = 0.6;
const headShare = 0.4;

/** The longest end of a text that fits, from a colon on where that leaves most of the room used, else from a word on. */
function endOf(text: string, limit: number): string {
  const rest = text.slice(-limit);
  const isWhole = /\s/.test(text.slice(-limit - 1, -limit));
  const atWord = isWhole ? rest : rest.replace(/^\S*\s+/, '');
  const atColon = /: (.+)$/s.exec(atWord)?.[1] ?? '';
  return atColon.length > limit / 2 ? atColon : atWord;
}

/**
 * A text of at most this many characters, without its middle where it was longer: it begins with the thing that it is
 * about, and errors that wrap each other have their cause at the end.
 */
export function shortened(text: string, limit: number): string {
  const plain = text.trim();
  if (plain.length <= limit) return plain;
  const opening = plain.slice(0, plain.indexOf(': ') + 1);
  const isWhole = opening !== '' && opening.length <= limit * openingShare;
  const head = isWhole ? `${opening} …` : cutText(plain, Math.floor(limit * headShare));
  return `${head} ${endOf(plain, limit - head.length - 1)}`;
}
