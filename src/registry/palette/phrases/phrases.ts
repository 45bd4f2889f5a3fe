/**
 * Phrases by which people find commands and pages beside their titles and keywords, separated by commas, by the ids of
 * the commands. Of several ids the first is always found by them, the others where they act on what is at hand.
 */
export type Phrases = Readonly<Record<string, string>>;

/** The phrases of one text. */
export const phrasesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
