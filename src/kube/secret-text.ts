import { isPlainObject } from './plain.ts';
import { isSecretManifest } from './parsed-values.ts';

/** A kind whose notation hides the word: an alias, an escape, a block scalar, base64. */
const veiledKind = /\bkind["']?\s*:\s*(?:[&!]\S*\s+)*(?:\*|[|>]|"[^"\n]*\\)|!!?(?:\S*[:!])?binary\b/i;

/** Whether an incomplete text may become a Secret, because its kind cannot be read yet. */
export function mayBecomeSecret(text: string): boolean {
  return mayBeSecret(text) || veiledKind.test(text);
}

/**
 * Whether a text may be or become a Secret. Searches the text itself, as it may be incomplete; `values` are the parsed
 * values, if there are any.
 */
export function mayBeSecret(text: string, values: readonly unknown[] = []): boolean {
  return (
    /\bkind["']?\s*:\s*(?:[&!][^\s]*\s+)*["']?secret/i.test(text) ||
    /\bstringData\b/i.test(text) ||
    values.some(hasSecret)
  );
}

/** Whether a value is a Secret or contains one, as a List may. */
export function hasSecret(root: unknown): boolean {
  let level = [root];
  while (level.length > 0) {
    if (level.some(isSecretManifest)) return true;
    level = level.flatMap((one) => (Array.isArray(one) || isPlainObject(one) ? Object.values(one) : []));
  }
  return false;
}
