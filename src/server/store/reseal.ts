import { type SealedValue, sealedColumns } from './sealed.ts';
import type { Store } from './store.ts';
import { keyIdOf, SealError, type Vault } from './vault.ts';

/** Log messages of `resealAll`. */
export interface ResealLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/**
 * Seals anew every value that an earlier key of the ring sealed, so that that key can be dropped later. What a later one
 * sealed is left alone: another server has moved to it just now. A value that cannot be opened costs a warning and stays as
 * it is. Throws when the store fails.
 * @param ids ids of the ring's keys, in its order
 * @param current id of the key that the vault seals with
 * @param isStart opens few and small values even where they are sealed with the current key
 * @returns how many values of earlier or unknown keys could not be opened
 */
export async function resealAll(
  store: Pick<Store, 'db'>,
  vault: Vault,
  {
    ids,
    current,
    isStart,
    log,
  }: {
    readonly ids: readonly string[];
    readonly current: string;
    readonly isStart: boolean;
    readonly log: ResealLog;
  },
): Promise<number> {
  let left = 0;
  for (const column of sealedColumns) {
    for (const value of await column.values(store.db)) {
      const isCurrent = ids.indexOf(keyIdOf(value.head) ?? '') >= ids.indexOf(current);
      if (isCurrent && !(isStart && column.isCheckedAtStart)) continue;
      const sealed = await value.read();
      if (sealed === null) continue;
      const text = openValue(vault, sealed, value);
      if (text instanceof SealError) {
        if (!isCurrent) left += 1;
        log.warn(
          { ...value.row, reason: text.reason },
          `${column.title} cannot be opened. It is left as it is, and the server works without it.`,
        );
      } else if (!isCurrent) await value.replace(sealed, vault.seal(text, value.context));
    }
  }
  return left;
}

/** The text of a stored value, or why it cannot be opened. */
export function openValue(
  vault: Vault,
  sealed: Buffer,
  { context }: Pick<SealedValue, 'context'>,
): string | SealError {
  try {
    return vault.open(sealed, context);
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
}
