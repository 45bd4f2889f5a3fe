import type { CastEvent } from '../../../contract/asciicast.ts';

/** What a recorded shell showed as plain text, for searching. */
export interface ShownText {
  /**
   * The index of the event with which a text is complete: the first at or after `from`, else the first of all.
   * Upper and lower case are alike. Undefined where it is never shown.
   */
  find(text: string, from: number): number | undefined;
}

/** Sequences that move the cursor, colour, or talk to the terminal: OSC and other strings, CSI, and short ones. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const sequences = /\u001b(?:[\]PX^_].*?(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/gs;
// oxlint-disable-next-line no-control-regex -- all but the end of a line
const controls = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

/** Takes the text out of events; one place may come in several events, as keys do that are echoed. */
export function createShownText(events: readonly CastEvent[]): ShownText {
  const ends: number[] = [];
  let text = '';
  for (const [, code, data] of events) {
    if (code === 'o') text += data.replaceAll(sequences, '').replaceAll(controls, '').toLowerCase();
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
