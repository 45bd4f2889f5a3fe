import { cutText } from '../../kube/text.ts';

/** Share of the room that the beginning of a shortened text has, where nothing else is said. */
const usualShare = 0.55;

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
 * @param headShare share of the room that the beginning has
 */
export function shortened(text: string, limit: number, headShare = usualShare): string {
  const plain = text.trim();
  if (plain.length <= limit) return plain;
  const head = cutText(plain, Math.floor(limit * headShare));
  return `${head} ${endOf(plain, limit - head.length - 1)}`;
}
