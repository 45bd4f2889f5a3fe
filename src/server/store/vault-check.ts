import { eq } from 'drizzle-orm';
import { installation } from './schema/installation.ts';
import type { Database } from './store.ts';
import type { Vault } from './vault.ts';

const key = 'vault-check';
const context = `installation/${key}`;
const text = 'Wheelhouse';

/** The row of the check value. */
export const isCheck = eq(installation.key, key);

/**
 * The check value of a store: by it a server knows whether its keys are the store's own, and the key that sealed it is
 * the one that all servers seal with.
 */
export async function readCheck(db: Pick<Database, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select({ value: installation.value }).from(installation).where(isCheck);
  return row === undefined ? undefined : Buffer.from(row.value, 'base64');
}

/** The check value sealed by a vault. */
export const sealCheck = (vault: Pick<Vault, 'seal'>): string => vault.seal(text, context).toString('base64');

/** Throws SealError where a vault does not open a check value. */
export const openCheck = (vault: Pick<Vault, 'open'>, check: Buffer): void => void vault.open(check, context);

/** Stores the first check value of a store. Says whether there was none. */
export async function storeCheck(db: Pick<Database, 'insert'>, value: string): Promise<boolean> {
  const stored = await db.insert(installation).values({ key, value }).onConflictDoNothing().returning();
  return stored.length > 0;
}

/** Replaces the check value of a store. */
export async function replaceCheck(db: Pick<Database, 'update'>, value: string): Promise<void> {
  await db.update(installation).set({ value }).where(isCheck);
}
