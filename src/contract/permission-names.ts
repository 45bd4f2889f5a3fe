import * as z from 'zod/mini';
import { type Permission, permissionNamed } from './permissions.ts';

/**
 * A text that names one of some things in any spelling of the specification; it is read as that thing.
 * @param named the thing, or undefined for a text that names none
 */
export function spelled<T>(named: (text: string) => T | undefined, refusal: string) {
  return z.pipe(
    z.string().check(z.maxLength(100)),
    z.transform((text, context): T => {
      const thing = named(text);
      if (thing !== undefined) return thing;
      context.issues.push({ code: 'custom', input: text, message: refusal });
      return z.NEVER;
    }),
  );
}

/**
 * A permission by any of its spellings, in every call that takes one: `persistent-volumes.view` is
 * `persistentvolumes.view`.
 */
export const permissionNameSchema = spelled<Permission>(permissionNamed, 'There is no such permission.');
