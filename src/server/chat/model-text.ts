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
const fenceLine = /^\s*(`{3,}|~{3,})[^\n]*\n/;
/** Maximum length of a piece without an end, characters. */
const maxPieceLength = 2_000;

/** Cuts what a model writes into finished sentences, lines and blocks of code, as it comes. */
export class Sentences {
  #rest = '';

  /** Adds what came; gives what is finished by it. */
  add(text: string): string[] {
    this.#rest += text;
    const done: string[] = [];
    for (;;) {
      const piece = this.#block() ?? this.#sentence();
      if (piece === undefined) return done;
      done.push(piece);
    }
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
    const isOpen = this.#rest[end - 1] !== '\n' && /^\s*(?:\[[^\]]*)?$/.test(this.#rest.slice(end + cited));
    return isOpen && !isLong ? undefined : this.#take(end + cited);
  }

  #take(length: number): string {
    const piece = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
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
  for (const { 0: mark, index } of text.matchAll(pieceEnds)) {
    const before = text.slice(0, index);
    const isInLine = mark !== '\n' && (/(?:^|\n)\s*\d{1,3}$/.test(before) || isMarkOpen(before));
    if (!isInLine) return index + 1;
  }
  return undefined;
}

/** Whether strong text or code of a line goes on. */
const isMarkOpen = (line: string): boolean =>
  line.split('`').length % 2 === 0 || line.split('**').length % 2 === 0;

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
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z!][^>]*>/gi, '')
    .replaceAll(/\s+([.!?,;])/g, '$1');
