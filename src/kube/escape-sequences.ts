/** Escape sequences by their syntax (ECMA-48), of 8-bit ones only colours; for use with the flag `u`. */
export const escapeSequence = [
  String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-9;:]*m`,
  String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?`,
  String.raw`\u001b[PX^_][^\u001b]*(?:\u001b\\)?`,
  // Of an escape character before a letter that no terminal knows, the letter is text.
  String.raw`\u001b(?:[ -/]+[0-~]|[78=>c@-Z\\^_])`,
].join('|');

/** The escape character as programs spell it in messages. */
const spelled = String.raw`(?:\\u001[bB]|\\x1[bB]|\\033|\\0?33|\\e|\^\[|\u241b|\ufffd)`;
const spelledSequence = new RegExp(
  String.raw`${spelled}(?:\[[0-9;:?]*[A-Za-z]|\][0-9]{1,2};[^\s\\]*(?:\\u0007|\\x07|\\a|\\\\|\\|\^G)?)`,
  'gu',
);

/**
 * Colours whose escape character was lost. A single `[31m` may be anything, such as a duration in brackets: a text is
 * coloured if it also ends a colour, or names several attributes at once.
 */
const colourEvidence = /\[0{1,2}m(?![\]:,])|\[m(?![\w\]:,])|\[\d{1,3}(?:[;:]\d{1,3})+m/;
const lostColour = /\[m(?!\w)|\[\d{1,3}(?:[;:]\d{1,3})*m(?![\]:,])|\[[0-3]?[KJ](?![\w\]:,])/g;
/** Links and titles whose escape character was lost: `]8;;https://example.org\`. */
const lostCommand = /\](?:8;[^;\s]*;[^\s\\\]]*|[0-2];[^\s\\\]]*)\\|\]8;;(?=\s|$)/g;

/** A text without escape sequences whose escape character is lost already. */
export function withoutSequenceRests(text: string): string {
  const linked = text.includes(']') ? text.replace(lostCommand, '') : text;
  return colourEvidence.test(linked) ? linked.replace(lostColour, '') : linked;
}

/**
 * A message without what is left of escape sequences, of which the escape character is lost or spelled (`\x1b[31m`). For
 * messages alone: in a file or a script such a text is meant.
 */
export function plainMessage(text: string): string {
  if (!text.includes('[') && !text.includes(']')) return text;
  return withoutSequenceRests(text.replace(spelledSequence, ''));
}
