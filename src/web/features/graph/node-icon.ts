import { kindIcon } from '../../../registry/kind-commands.ts';
import { kindById } from '../../core/kinds/declared.ts';

/** The icon of a kind by its id or name; that of any object for a kind without a file. */
export function iconOf(kind: string | undefined): string {
  const declared = kind === undefined ? undefined : kindById(kind);
  return declared === undefined ? 'object' : kindIcon(declared);
}
