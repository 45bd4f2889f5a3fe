/** A text as a part of a regular expression that matches this very text; not within a class of characters. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
