import * as z from 'zod/mini';

// Bidirectional overrides, invisible formatting and letters without a shape, which make one name look like another.
const unseenCharacters = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}`;
const invisibleCharacters = new RegExp(String.raw`[\p{Cc}${unseenCharacters}]`, 'u');
const invisibleInLines = new RegExp(String.raw`[^\P{Cc}\n\t]|[${unseenCharacters}]`, 'u');
const refusal = 'Leave out invisible characters: they can make one text look like another.';

/** A name that a person gives to something: one visible line, trimmed. @param empty the message for an empty name */
export const nameOfSchema = (empty: string) =>
  z.string().check(
    z.trim(),
    z.minLength(1, empty),
    z.maxLength(100),
    z.refine((text) => !invisibleCharacters.test(text), refusal),
  );

/** Free text of several lines, trimmed. @param longest maximum length in characters */
export const freeTextSchema = (longest: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(longest),
    z.refine((text) => !invisibleInLines.test(text), refusal),
  );
