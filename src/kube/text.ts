/** Control characters but tab and newline, bidirectional marks and other invisible formatting: inside of `[…]`. */
export const invisibleCharacters = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff`;
const unwantedPattern = new RegExp(`[${invisibleCharacters}]`, 'g');
/** What cleaning changes, a carriage return as well. */
const uncleanPattern = new RegExp(`[${invisibleCharacters}\r]`);

/**
 * Removes what a cluster's text must never bring along: control characters (escape sequences among them),
 * bidirectional overrides and other invisible formatting. Tab and newline stay; a carriage return ends a line as well,
 * so that lines of another system are neither glued together nor doubled.
 */
export function cleanText(text: string): string {
  // Nearly every text is clean, and lists clean some ten for each object.
  return !uncleanPattern.test(text) ? text : text.replaceAll(/\r\n?/g, '\n').replace(unwantedPattern, '');
}
