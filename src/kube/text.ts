/**
 * Control characters except tab and newline, bidirectional marks and other invisible formatting; for use inside `[…]`.
 */
export const invisibleCharacters = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff`;
const unwantedPattern = new RegExp(`[${invisibleCharacters}]`, 'g');
/** Everything that cleaning changes, including carriage returns. */
const uncleanPattern = new RegExp(`[${invisibleCharacters}\r]`);

/**
 * Removes unsafe characters from a cluster's text: control characters (and with them escape sequences), bidirectional
 * overrides and other invisible formatting. Keeps tab and newline. A carriage return also ends a line, so that lines
 * from other systems are neither joined nor doubled.
 */
export function cleanText(text: string): string {
  // Nearly every text is clean, and lists clean about ten for each object.
  return !uncleanPattern.test(text) ? text : text.replaceAll(/\r\n?/g, '\n').replace(unwantedPattern, '');
}
