import type { CastEvent } from '../../../contract/asciicast.ts';

/** What a recorded shell showed as plain text, for searching. */
export interface ShownText {
  /**
   * The index of the event with which a text is complete: the first at or after `from`, else the first of all.
   * Upper and lower case are alike. Undefined where it is never shown.
   */
  find(text: string, from: number): number | undefined;
}

/** `]PX^_`: characters after ESC that begin a string, such as a title, which goes on to its terminator. */
const stringStarts = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const escape = 0x1b;
/** BEL, CAN, SUB and ST in one character; ST in two begins with ESC. */
const stringEnds = new Set([0x07, 0x18, 0x1a, 0x9c]);
const lineFeed = 0x0a;

/**
 * Leaves out control characters and the sequences that move the cursor, colour, or talk to the terminal: OSC and other
 * strings, CSI, and short ones. Each character is looked at once, whatever a shell wrote; a sequence may come in several
 * pieces.
 */
class PlainText {
  #state: 'text' | 'escape' | 'control' | 'string' = 'text';

  /** The text in the next piece of output. */
  read(data: string): string {
    let text = '';
    let from = 0;
    for (let at = 0; at < data.length; at += 1) {
      if (this.#isText(data.charCodeAt(at))) continue;
      if (at > from) text += data.slice(from, at);
      from = at + 1;
    }
    return text + data.slice(from);
  }

  #isText(code: number): boolean {
    if (code === escape) this.#state = 'escape';
    else if (this.#state === 'string') {
      if (stringEnds.has(code)) this.#state = 'text';
    } else if (code < 0x20 || code === 0x7f) return code === lineFeed;
    else if (this.#state === 'text') return true;
    else this.#inSequence(code);
    return false;
  }

  /** A character of an escape sequence: its last one is a letter or a sign behind it. */
  #inSequence(code: number): void {
    if (this.#state === 'escape' && code === 0x5b) this.#state = 'control';
    else if (this.#state === 'escape' && stringStarts.has(code)) this.#state = 'string';
    else if (code >= (this.#state === 'control' ? 0x40 : 0x30)) this.#state = 'text';
  }
}

/** Takes the text out of events; one place may come in several events, as keys do that are echoed. */
export function createShownText(events: readonly CastEvent[]): ShownText {
  const plain = new PlainText();
  const ends: number[] = [];
  let text = '';
  for (const [, code, data] of events) {
    if (code === 'o') text += plain.read(data).toLowerCase();
    ends.push(text.length);
  }
  const eventAt = (end: number): number => ends.findIndex((length) => length >= end);
  return {
    find(asked, from) {
      const wanted = asked.toLowerCase();
      if (wanted === '') return undefined;
      const shown = from === 0 ? 0 : (ends[from - 1] ?? 0);
      const start = Math.max(0, shown - wanted.length + 1);
      const at = [text.indexOf(wanted, start), text.indexOf(wanted)].find((index) => index !== -1);
      return at === undefined ? undefined : eventAt(at + wanted.length);
    },
  };
}
