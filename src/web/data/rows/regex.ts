/** A regular expression that was read. */
export interface Regex {
  /** Whether a text contains what it describes. */
  test(text: string): boolean;
  /**
   * The places of its matches in a text, ascending and apart, as offsets in UTF-16. The first ones: after `most`, or once
   * finding them costs too much, the rest is left out.
   */
  ranges(text: string, most: number): readonly (readonly [from: number, to: number])[];
}

/** Reads a regular expression; a sentence where it cannot be read. Each expression is read once. */
export type CompileRegex = (source: string) => Regex | string;
