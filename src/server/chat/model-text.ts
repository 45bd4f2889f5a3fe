import { cleanText } from '../../kube/text.ts';
import { redactText } from '../kit/redact-text.ts';

/** A finished piece of what a model wrote. */
export interface ModelSaying {
  readonly text: string;
  /** Ids that it cites, of those that were given out. */
  readonly cites: readonly string[];
}

/** Where a piece ends: a line, or a sentence. */
const pieceEnd = /\n|[.!?](?=\s)/;
/** Maximum length of a piece without an end, characters. */
const maxPieceLength = 2_000;

/** Cuts what a model writes into finished sentences and lines, as it comes. */
export class Sentences {
  #rest = '';

  /** Adds what came; gives what is finished by it. */
  add(text: string): string[] {
    this.#rest += text;
    const done: string[] = [];
    for (;;) {
      const found = pieceEnd.exec(this.#rest);
      const end = found === null ? this.#rest.length : found.index + 1;
      if (found === null && this.#rest.length < maxPieceLength) return done;
      // Citations behind the full stop belong to the sentence; they may be still to come.
      const cited = /^(?:\s*\[\s*e\d+(?:\s*,\s*e\d+)*\s*\])*/.exec(this.#rest.slice(end))?.[0].length ?? 0;
      if (this.#rest[end - 1] !== '\n' && /^\s*(?:\[[^\]]*)?$/.test(this.#rest.slice(end + cited))) {
        if (this.#rest.length < maxPieceLength) return done;
      }
      done.push(this.#rest.slice(0, end + cited));
      this.#rest = this.#rest.slice(end + cited);
    }
  }

  /** What is left when nothing more comes. */
  end(): string[] {
    const last = this.#rest;
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}

/**
 * A piece as people see it: without links, images and HTML, with the evidence that it cites of what was given out; what
 * was not is dropped. Undefined where nothing is left.
 */
export function sayingOf(piece: string, isKnown: (id: string) => boolean): ModelSaying | undefined {
  const cites: string[] = [];
  const text = redactText(cleanText(piece))
    .replaceAll(/\[\s*e\d+(?:\s*,\s*e\d+)*\s*\]/g, (group) => {
      cites.push(...(group.match(/e\d+/g) ?? []).filter(isKnown));
      return '';
    })
    // An image tells its address that the answer was read.
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z!][^>]*>/gi, '')
    .replaceAll(/\s+([.!?,;])/g, '$1')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  return { text, cites: [...new Set(cites)] };
}
