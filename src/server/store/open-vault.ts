import { and, eq } from 'drizzle-orm';
import type { Config } from '../kit/config.ts';
import { StartError } from '../kit/start-error.ts';
import { createKeyFile, keyFileName, loadKeyRing } from './keyring.ts';
import { type ResealLog, resealAll } from './reseal.ts';
import { installation } from './schema/installation.ts';
import type { Store } from './store.ts';
import { createVault, sealedKeyId, type Vault } from './vault.ts';

const checkKey = 'vault-check';
const checkContext = `installation/${checkKey}`;
const checkText = 'Wheelhouse';

/**
 * Opens the vault of a store: with WHEELHOUSE_SECRET_KEY, else with the key file, which the very first start makes.
 * A check value in the store tells whether the keys are the store's own; values under an older key are sealed anew, and
 * one that cannot be opened is left as it is, with a warning.
 * Throws StartError when the keys do not fit the check value: nothing could be read, and new values would mix two
 * installations.
 */
export async function openVault(
  config: Pick<Config, 'dataDir' | 'secretKey'>,
  store: Pick<Store, 'db'>,
  log: ResealLog = { warn: () => undefined },
): Promise<Vault> {
  const [known] = await store.db.select().from(installation).where(eq(installation.key, checkKey));
  let ring = await loadKeyRing(config);
  if (ring === null && known !== undefined)
    throw new StartError(
      `The key file ${keyFileName} is missing from ${config.dataDir}, and the database holds secrets encrypted with it. Restore it from your back-up.`,
    );
  ring ??= await createKeyFile(config.dataDir);
  const vault = createVault(ring);
  if (known === undefined) {
    const value = vault.seal(checkText, checkContext).toString('base64');
    // Another server may do the same at this moment: the second one must match the first.
    const [stored] = await store.db
      .insert(installation)
      .values({ key: checkKey, value })
      .onConflictDoNothing()
      .returning();
    return stored === undefined ? openVault(config, store, log) : vault;
  }
  openCheck(vault, known.value, config);
  await resealAll(store, vault, ring.current, log);
  await resealCheck(store, vault, known.value, ring.current);
  return vault;
}

/** Throws StartError where the keys do not open the check value of a store. */
function openCheck(vault: Vault, known: string, config: Pick<Config, 'dataDir' | 'secretKey'>): void {
  const source =
    config.secretKey === null ? `the key file ${keyFileName} in ${config.dataDir}` : 'WHEELHOUSE_SECRET_KEY';
  try {
    vault.open(Buffer.from(known, 'base64'), checkContext);
  } catch (error) {
    throw new StartError(
      `The database was encrypted with another key than the one in ${source} (${(error as Error).message}) ` +
        'Start with the key that belongs to this database; to change keys, append the new one and keep the old.',
      { cause: error },
    );
  }
}

/**
 * Throws StartError where the rows of a store were sealed with other keys than those that there are. Without a key file
 * nothing is compared: it may be put there later.
 */
export async function requireKeysFit(
  config: Pick<Config, 'dataDir' | 'secretKey'>,
  db: Pick<Store['db'], 'select'>,
): Promise<void> {
  const ring = await loadKeyRing(config);
  const [known] = await db.select().from(installation).where(eq(installation.key, checkKey));
  if (ring !== null && known !== undefined) openCheck(createVault(ring), known.value, config);
}

/** Last of a rotation: while the check value names the old key, the old key is still needed. */
async function resealCheck(
  store: Pick<Store, 'db'>,
  vault: Vault,
  known: string,
  current: string,
): Promise<void> {
  if (sealedKeyId(Buffer.from(known, 'base64')) === current) return;
  await store.db
    .update(installation)
    .set({ value: vault.seal(checkText, checkContext).toString('base64') })
    .where(and(eq(installation.key, checkKey), eq(installation.value, known)));
}
