/** A field of CSV (RFC 4180). A text that a spreadsheet would read as a formula is marked as text by an apostrophe. */
export function csvField(text: string): string {
  const plain = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A line of CSV with its end. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(csvField).join(',')}\r\n`;
}
