/** The end of a string of a terminal: the control characters ST, spelled by an escape character or of 8 bits. */
const stringEnd = String.raw`\u001b\\|\u009c`;
/** A character of such a string. */
const stringCharacter = String.raw`[^\u0007\u001b\u0080-\u009f]`;
/** Of a string without an end, the rest of the line is lost, as in a terminal. */
const lineCharacter = String.raw`[^\u0007\u001b\u0080-\u009f\n]`;

/** Escape sequences by their syntax (ECMA-48), of 8-bit ones only colours and strings that end; for use with the flag `u`. */
export const escapeSequence = [
  String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-9;:]*m`,
  String.raw`\u001b\](?:${stringCharacter}*(?:\u0007|${stringEnd})|${lineCharacter}*)`,
  String.raw`\u001b[PX^_](?:${stringCharacter}*(?:${stringEnd})|${lineCharacter}*)`,
  String.raw`[\u0090\u0098\u009d-\u009f]${stringCharacter}*(?:\u0007|${stringEnd})`,
  // Of an escape character before a letter that no terminal knows, the letter is text.
  String.raw`\u001b(?:[ -/]+[0-~]|[78=>c@-Z\\^_])`,
].join('|');

/** The escape character as programs and collectors of logs spell it. */
const spelled = String.raw`(?:\\+(?:u001[bB]|x1[bB]|0?33|e)|\^\[|\u241b|\ufffd|#033|<0?x?1[bB]>|<ESC>|%1[bB]|&#(?:27|[xX]1[bB]);)`;
/** The end of a string of a terminal as they spell it. */
const spelledEnd = String.raw`(?:\\u0007|\\x07|\\0{0,2}7|\\a|\^G|${spelled}\\{1,2})`;
const spelledSequence = new RegExp(
  [
    String.raw`${spelled}\[[0-9;:?]*[A-Za-z]`,
    String.raw`${spelled}\][0-9]{1,4};(?:[^\n]{0,512}?${spelledEnd}|[^\s\\]*\\{0,2})`,
    String.raw`${spelled}[PX^_][^\n]{0,512}?${spelled}\\{1,2}`,
    String.raw`${spelled}\([0AB]`,
  ].join('|'),
  'gu',
);
/** Texts without any of these characters have no rests. */
const mayHaveRests = /[[\]\\^\u241b\ufffd]/;

/**
 * Colours whose escape character was lost. A single `[31m` may be anything, such as a duration in brackets: a text is
 * coloured if it also ends a colour (all, or the one that it set), or names several attributes at once.
 */
const colourEvidence =
  /\[0{1,2}m(?![\]:,])|\[m(?![\w\]:,])|\[\d{1,3}(?:[;:]\d{1,3})+m|\[(?:[1-9]|[349]\d|10[0-7])m(?![\]:,])[^\n]{0,512}?\[(?:2[2-9]|[345]9)m(?![\]:,])/;
const lostColour = new RegExp(
  String.raw`${spelled}?(?:\[m(?!\w)|\[\d{1,3}(?:[;:]\d{1,3})*m(?![\]:,])|\[[0-3]?[KJ](?![\w\]:,])|\[\?\d{1,4}[hl])`,
  'gu',
);
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
  if (!mayHaveRests.test(text)) return text;
  return withoutSequenceRests(text.replace(spelledSequence, ''));
}
