import * as z from 'zod/mini';
import { unseenCharacters } from './unseen-characters.ts';

const invisibleCharacters = new RegExp(String.raw`[\p{Cc}${unseenCharacters}]`, 'u');
const invisibleInLines = new RegExp(String.raw`[^\P{Cc}\n\t]|[${unseenCharacters}]`, 'u');
const refusal = 'Remove the invisible characters: they can make one text look like another.';

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
