import type { Store } from './store.ts';
import { type SealedValue, sealedColumns } from './sealed.ts';
import { SealError, sealedKeyId, type Vault } from './vault.ts';

/** Log messages of `resealAll`. */
export interface ResealLog {
  warn(details: object, message: string): void;
}

/**
 * Seals anew every value that an older key of the ring sealed, so that the key can be dropped later. A value that
 * cannot be opened costs a warning and stays as it is: its key may come back, and nothing else depends on it.
 * Throws when the store fails.
 */
export async function resealAll(
  store: Pick<Store, 'db'>,
  vault: Vault,
  current: string,
  log: ResealLog,
): Promise<void> {
  for (const column of sealedColumns) {
    for (const value of await column.values(store.db)) {
      const isCurrent = keyIdOf(value.head) === current;
      if (isCurrent && !column.isCheckedAtStart) continue;
      const sealed = await value.read();
      if (sealed === null) continue;
      const text = open(vault, sealed, value);
      if (text instanceof SealError)
        log.warn(
          { ...value.row, reason: text.reason },
          `${column.title} cannot be opened. It is left as it is, and the server starts without it.`,
        );
      else if (!isCurrent) await value.replace(sealed, vault.seal(text, value.context));
    }
  }
}

function open(vault: Vault, sealed: Buffer, { context }: SealedValue): string | SealError {
  try {
    return vault.open(sealed, context);
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
}

function keyIdOf(head: Buffer): string | null {
  try {
    return sealedKeyId(head);
  } catch {
    return null;
  }
}
