/**
 * Replaces a value that must stay hidden. It is not valid base64, so no API server accepts it as data of a Secret,
 * wherever a text with it ends up.
 */
export const maskedText = '<masked>';

const maskPattern = /^<masked(?: [0-9a-f]{6})?>$/;

/**
 * A mask that distinguishes two hidden values without revealing anything about them. @param tag six hexadecimal digits
 */
export const maskedWith = (tag: string): string => `<masked ${tag}>`;

/** Whether a text is the mask of a hidden value. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && maskPattern.test(value.trim());
}
