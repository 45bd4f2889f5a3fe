import { isPlainObject } from './plain.ts';
import { isSecretManifest } from './parsed-values.ts';

/** A kind that is written so that its words do not tell: by an alias, an escape, a block, in base64. */
const veiledKind = /\bkind["']?\s*:\s*(?:[&!]\S*\s+)*(?:\*|[|>]|"[^"\n]*\\)|!!?(?:\S*[:!])?binary\b/i;

/** Whether a text that no parser can read yet may be a Secret, whose kind its words do not tell. */
export function mayBecomeSecret(text: string): boolean {
  return mayBeSecret(text) || veiledKind.test(text);
}

/**
 * Whether a text may be, or become, a Secret: by its words, since it need not be complete. `values` are what a parser
 * read of it, where one could.
 */
export function mayBeSecret(text: string, values: readonly unknown[] = []): boolean {
  return (
    /\bkind["']?\s*:\s*(?:[&!][^\s]*\s+)*["']?secret/i.test(text) ||
    /\bstringData\b/i.test(text) ||
    values.some(hasSecret)
  );
}

/** Whether a value is a Secret or has one in it, as a List does. */
export function hasSecret(root: unknown): boolean {
  let level = [root];
  while (level.length > 0) {
    if (level.some(isSecretManifest)) return true;
    level = level.flatMap((one) => (Array.isArray(one) || isPlainObject(one) ? Object.values(one) : []));
  }
  return false;
}
