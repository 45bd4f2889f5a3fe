import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Maximum number of lines in a person’s keymap: enough to remove and reassign each of about 160 keys. */
export const keymapLimit = 500;

const word = z.string().check(z.minLength(1), z.maxLength(120));
/**
 * When a line applies: context keys and values, as in the registry's `when`. Names that this version does not know are
 * kept for newer versions; such a line never applies.
 */
const clauseSchema = z
  .record(
    z.string().check(z.regex(/^[a-z][a-zA-Z]{0,30}$/)),
    z.union([word, z.array(word).check(z.minLength(1), z.maxLength(50))]),
  )
  .check(z.refine((clause) => Object.keys(clause).length <= 20, 'At most 20 conditions.'));

/** One line of a person's keymap: keys for a command, or for nothing (`null` unbinds). */
export const keyOverrideSchema = z.strictObject({
  /** In the syntax of commands: `mod+k`, `g p`. */
  keys: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  /** A command's id. Ids that this version does not know are kept. */
  command: z.nullable(word),
  when: z.optional(z.union([clauseSchema, z.array(clauseSchema).check(z.minLength(1), z.maxLength(8))])),
});
export type KeyOverride = z.infer<typeof keyOverrideSchema>;

const keymapSchema = z
  .array(keyOverrideSchema)
  .check(z.maxLength(keymapLimit, `A keymap has at most ${keymapLimit} lines.`));

/** The person's own keys, stored on the server. */
export const keymapEndpoints = {
  keymap: endpoint({
    method: 'GET',
    path: '/api/profile/keymap',
    summary: 'The signed-in person’s own keys, which override the defaults',
    access: 'member',
    response: z.object({ keymap: keymapSchema }),
  }),
  saveKeymap: endpoint({
    method: 'PUT',
    path: '/api/profile/keymap',
    summary: 'Replaces the signed-in person’s own keys; all their open pages apply them',
    audited: 'change their keys',
    isRoutine: true,
    access: 'member',
    body: z.strictObject({ keymap: keymapSchema }),
    response: z.object({ keymap: keymapSchema }),
  }),
} as const;
