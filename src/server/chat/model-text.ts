import { cleanText } from '../../kube/text.ts';
import { redactText } from '../kit/redact-text.ts';

/** A finished piece of what a model wrote. */
export interface ModelSaying {
  readonly text: string;
  /** Ids that it cites, of those that were given out. */
  readonly cites: readonly string[];
}

/** Where a piece may end: at a line, or a sentence. */
const pieceEnds = /\n|[.!?](?=\s)/g;
/** The first line of a block of code, with the marks that end it. */
const fenceLine = /^\s*(`{3,16}|~{3,16})[^\n`~]*\n/;
/** Maximum length of a piece without an end, characters, and how far strong text and code of a line may reach. */
const maxPieceLength = 2_000;
const maxMarkLength = 500;

/** Cuts what a model writes into finished sentences, lines and blocks of code, as it comes. */
export class Sentences {
  #rest = '';

  /** Adds what came; gives what is finished by it. */
  add(text: string): string[] {
    const done: string[] = [];
    let left = text;
    do {
      // No more is looked at than a piece may have, however much comes at once: the work grows with the length alone.
      const fitting = maxPieceLength - this.#rest.length;
      this.#rest += left.slice(0, fitting);
      left = left.slice(fitting);
      for (;;) {
        const piece = this.#block() ?? this.#sentence();
        if (piece === undefined) break;
        done.push(piece);
      }
    } while (left !== '');
    return done;
  }

  /** A block of code that is whole, or as much of it as a piece may have; '' while it is open. */
  #block(): string | undefined {
    const opened = fenceLine.exec(this.#rest);
    const marks = opened?.[1];
    if (opened === null || marks === undefined) return undefined;
    const closed = new RegExp(`^[ \\t]*${marks}[ \\t]*\\n`, 'm').exec(this.#rest.slice(opened[0].length));
    if (closed !== null) return this.#take(opened[0].length + closed.index + closed[0].length);
    if (this.#rest.length < maxPieceLength) return undefined;
    const piece = this.#take(maxPieceLength);
    this.#rest = `${marks}\n${this.#rest}`;
    return `${piece}\n${marks}`;
  }

  #sentence(): string | undefined {
    const isLong = this.#rest.length >= maxPieceLength;
    if (fenceLine.test(this.#rest)) return undefined;
    const found = sentenceEnd(this.#rest);
    if (found === undefined && !isLong) return undefined;
    const end = found ?? this.#rest.length;
    // Citations behind the full stop belong to the sentence; they may be still to come.
    const cited = /^(?:\s*\[\s*e\d+(?:\s*,\s*e\d+)*\s*\])*/.exec(this.#rest.slice(end))?.[0].length ?? 0;
    const isOpen =
      this.#rest[end - 1] !== '\n' && /^\s*(?:\[[^\]]{0,200})?$/.test(this.#rest.slice(end + cited));
    return isOpen && !isLong ? undefined : this.#take(end + cited);
  }

  #take(length: number): string {
    // A character of two halves stays whole.
    const end = length > 1 && /[\uD800-\uDBFF]/.test(this.#rest.charAt(length - 1)) ? length - 1 : length;
    const piece = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end);
    return piece;
  }

  /** What is left when nothing more comes. */
  end(): string[] {
    const last = this.#rest;
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}

/** Where the first sentence or line ends; neither within a mark that is still open, nor behind the number of a list. */
function sentenceEnd(text: string): number | undefined {
  /** Marks of code and of strong text up to `counted`. */
  let codes = 0;
  let strongs = 0;
  let counted = 0;
  for (const { 0: mark, index } of text.matchAll(pieceEnds)) {
    if (mark === '\n' || index > maxMarkLength) return index + 1;
    const more = text.slice(counted, index);
    codes += more.split('`').length - 1;
    strongs += more.split('**').length - 1;
    counted = index;
    const isMarkOpen = codes % 2 === 1 || strongs % 2 === 1;
    if (!isMarkOpen && !/^\s*\d{1,3}$/.test(text.slice(0, index))) return index + 1;
  }
  return undefined;
}

/**
 * A piece as people see it: without links, images and HTML, with the evidence that it cites of what was given out; what
 * was not is dropped. Undefined where nothing is left.
 */
export function sayingOf(piece: string, isKnown: (id: string) => boolean): ModelSaying | undefined {
  const cites: string[] = [];
  const clean = redactText(cleanText(piece));
  const text = fenceLine.test(clean)
    ? clean.trim()
    : clean
        .split(/(`[^`\n]+`)/)
        // Code stays as it is written: it is shown as text.
        .map((part, place) => (place % 2 === 1 ? part : withoutMarkup(part, cites, isKnown)))
        .join('')
        .trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  return { text, cites: [...new Set(cites)] };
}

/** Text outside of code, without links, images and HTML; what it cites is added to `cites`. */
const withoutMarkup = (text: string, cites: string[], isKnown: (id: string) => boolean): string =>
  text
    .replaceAll(/\[\s*e\d+(?:\s*,\s*e\d+)*\s*\]/g, (group) => {
      cites.push(...(group.match(/e\d+/g) ?? []).filter(isKnown));
      return '';
    })
    // An image tells its address that the answer was read.
    .replaceAll(/!\[[^[\]]{0,500}\]\([^)[]{0,2000}\)/g, '')
    .replaceAll(/\[([^[\]]{0,500})\]\([^)[]{0,2000}\)/g, '$1')
    .replaceAll(/<\/?[a-z!][^<>]{0,2000}>/gi, '')
    .replaceAll(/\s{1,8}([.!?,;])/g, '$1');
