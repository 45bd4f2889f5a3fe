import { cleanText } from '../../kube/text.ts';
import { redactText } from '../kit/redact-text.ts';

/** A finished piece of what a model wrote. */
export interface ModelSaying {
  readonly text: string;
  /** Ids that it cites, of those that were given out. */
  readonly cites: readonly string[];
  /** Whether it goes on in the line of the piece before. */
  readonly continues?: true;
}

/** What a model wrote, as it is cut. */
export interface ModelPiece {
  readonly text: string;
  /** Whether it goes on in the line of the piece before. */
  readonly continues: boolean;
}

/** Ids of evidence as a model cites them. */
const citation = String.raw`\[\s*e\d+(?:\s*,\s*e\d+)*\s*\]`;
/** Citations right behind a piece. */
const citedInLine = new RegExp(`^(?:[^\\S\n]*${citation})*`);
/** Lines behind a piece that hold nothing but citations. */
const citedBelow = new RegExp(`^(?:[^\\S\n]*\n)*(?:[^\\S\n]*${citation})+[^\\S\n]*\n`);
/** What may become citations of the piece before. */
const maybeCited = new RegExp(`^\\s*(?:${citation}\\s*)*(?:\\[[^\\]]{0,200})?$`);

/** Where a piece may end: at a line, or a sentence. */
const pieceEnds = /\n|[.!?](?=\s)/g;
/** The first line of a block of code, which may begin an item of a list, with the marks that end it. */
const fenceLine = /^\s*(?:(?:[*+-]|\d{1,9}[.)])[ \t]{1,4})?(`{3,16}|~{3,16})[^\n`~]*\n/;
/** Maximum length of a piece without an end, characters, and how far strong text and code of a line may reach. */
const maxPieceLength = 2_000;
const maxMarkLength = 500;

/** Cuts what a model writes into finished sentences, lines and blocks of code, as it comes. */
export class Sentences {
  #rest = '';
  /** Whether the line of the last piece goes on. */
  #isLineOpen = false;

  /** Adds what came; gives what is finished by it. */
  add(text: string): ModelPiece[] {
    const done: ModelPiece[] = [];
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

  /** A block of code that is whole with its citations, or as much of it as a piece may have; undefined while it is open. */
  #block(): ModelPiece | undefined {
    const opened = fenceLine.exec(this.#rest);
    const marks = opened?.[1];
    if (opened === null || marks === undefined) return undefined;
    const end = new RegExp(`^[ \\t]*${marks}[ \\t]*(?:${citation}[ \\t]*)*\\n`, 'm');
    const closed = end.exec(this.#rest.slice(opened[0].length));
    if (closed !== null) return this.#takeCited(opened[0].length + closed.index + closed[0].length);
    if (this.#rest.length < maxPieceLength) return undefined;
    const { text, continues } = this.#take(maxPieceLength);
    this.#rest = `${marks}\n${this.#rest}`;
    this.#isLineOpen = false;
    return { text: `${text}\n${marks}`, continues };
  }

  #sentence(): ModelPiece | undefined {
    if (fenceLine.test(this.#rest)) return undefined;
    const found = sentenceEnd(this.#rest);
    if (found === undefined && this.#rest.length < maxPieceLength) return undefined;
    return this.#takeCited(found ?? this.#rest.length);
  }

  /** What ends at a place, with the citations behind it; undefined while some may be still to come. */
  #takeCited(end: number): ModelPiece | undefined {
    const behind = this.#rest.slice(end);
    const isLong = this.#rest.length >= maxPieceLength;
    if (maybeCited.test(behind) && !isLong) return undefined;
    const isLine = this.#rest[end - 1] === '\n';
    const own = isLine ? 0 : (citedInLine.exec(behind)?.[0].length ?? 0);
    const below = behind.slice(own);
    const isBelow = isLine || /^[^\S\n]*\n/.test(below);
    return this.#take(end + own + (isBelow ? (citedBelow.exec(below)?.[0].length ?? 0) : 0));
  }

  #take(length: number): ModelPiece {
    // A character of two halves stays whole.
    const end = length > 1 && /[\uD800-\uDBFF]/.test(this.#rest.charAt(length - 1)) ? length - 1 : length;
    const text = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end);
    const continues = this.#isLineOpen;
    this.#isLineOpen = !text.endsWith('\n');
    return { text, continues };
  }

  /** What is left when nothing more comes. */
  end(): ModelPiece[] {
    const last = { text: this.#rest, continues: this.#isLineOpen };
    this.#rest = '';
    this.#isLineOpen = false;
    return last.text === '' ? [] : [last];
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

/** The end of a block of code with what it cites. */
const codeEnd = new RegExp(`(\\n[ \\t]*(?:\`{3,16}|~{3,16}))((?:\\s*${citation})+)\\s*$`);

/**
 * A piece as people see it: without links, images and HTML, with the evidence that it cites of what was given out; what
 * was not is dropped. The indentation of a line stays: it says what belongs to an item of a list. Undefined where nothing
 * is left.
 */
export function sayingOf(
  { text: piece, continues }: ModelPiece,
  isKnown: (id: string) => boolean,
): ModelSaying | undefined {
  const cites: string[] = [];
  const clean = redactText(cleanText(piece));
  const shown = fenceLine.test(clean)
    ? clean.replace(codeEnd, (_all, end: string, cited: string) => {
        cites.push(...citedIn(cited, isKnown));
        return end;
      })
    : clean
        .split(/(`[^`\n]+`)/)
        // Code stays as it is written: it is shown as text.
        .map((part, place) => (place % 2 === 1 ? part : withoutMarkup(part, cites, isKnown)))
        .join('');
  if (!/[\p{L}\p{N}]/u.test(shown)) return undefined;
  const [, indentation = ''] = /^(?:[^\S\n]*\n)*([^\S\n]*)/.exec(clean) ?? [];
  return {
    text: `${continues ? '' : indentation}${shown.trim()}`,
    cites: [...new Set(cites)],
    ...(continues ? { continues: true } : {}),
  };
}

const citedIn = (text: string, isKnown: (id: string) => boolean): string[] =>
  (text.match(/e\d+/g) ?? []).filter(isKnown);

/** Text outside of code, without links, images and HTML; what it cites is added to `cites`. */
const withoutMarkup = (text: string, cites: string[], isKnown: (id: string) => boolean): string =>
  text
    .replaceAll(new RegExp(citation, 'g'), (group) => {
      cites.push(...citedIn(group, isKnown));
      return '';
    })
    // An image tells its address that the answer was read.
    .replaceAll(/!\[[^[\]]{0,500}\]\([^)[]{0,2000}\)/g, '')
    .replaceAll(/\[([^[\]]{0,500})\]\([^)[]{0,2000}\)/g, '$1')
    .replaceAll(/<\/?[a-z!][^<>]{0,2000}>/gi, '')
    .replaceAll(/\s{1,8}([.!?,;])/g, '$1');
