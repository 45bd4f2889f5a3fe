import * as z from 'zod/mini';

// Control characters, bidirectional overrides and invisible formatting, which make one name look like another.
const invisibleCharacters = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const invisibleInLines =
  /[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
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
