/**
 * Stands in the place of a value that is not shown. It is no base64, so that no API server takes it for the data of a
 * Secret, wherever a text with it in it may get to.
 */
export const maskedText = '<masked>';

const maskPattern = /^<masked(?: [0-9a-f]{6})?>$/;

/** A mark that tells two masked values apart without telling anything of them. @param tag six hexadecimal digits */
export const maskedWith = (tag: string): string => `<masked ${tag}>`;

/** Whether a text stands for a value that was not shown. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && maskPattern.test(value.trim());
}
