import { and, eq } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { createKeyFile, keyFileName, loadKeyRing } from './keyring.ts';
import { clusters, installation } from './schema.ts';
import type { Store } from './store.ts';
import { createVault, sealedKeyId, type Vault } from './vault.ts';

const checkKey = 'vault-check';
const checkContext = `installation/${checkKey}`;
const checkText = 'Wheelhouse';

/**
 * Opens the vault of a store: with WHEELHOUSE_SECRET_KEY, else with the key file, which the very first start makes.
 * A value sealed in the store tells whether the keys are its own; values under an older key are sealed anew.
 * Throws StartError when the keys do not fit: nothing could be read, and new values would mix two installations.
 */
export async function openVault(
  config: Pick<Config, 'dataDir' | 'secretKey'>,
  store: Pick<Store, 'db'>,
): Promise<Vault> {
  const [known] = await store.db.select().from(installation).where(eq(installation.key, checkKey));
  const source =
    config.secretKey === null ? `the key file ${keyFileName} in ${config.dataDir}` : 'WHEELHOUSE_SECRET_KEY';
  let ring = await loadKeyRing(config);
  if (ring === null && known !== undefined)
    throw new StartError(
      `The key file ${keyFileName} is missing from ${config.dataDir}, and the database holds secrets sealed with it. Restore it from your back-up.`,
    );
  ring ??= await createKeyFile(config.dataDir);
  const vault = createVault(ring);
  if (known === undefined) {
    const value = vault.seal(checkText, checkContext).toString('base64');
    // Another server may be as far at this moment: whoever comes second must fit the first.
    const [stored] = await store.db
      .insert(installation)
      .values({ key: checkKey, value })
      .onConflictDoNothing()
      .returning();
    return stored === undefined ? openVault(config, store) : vault;
  }
  try {
    vault.open(Buffer.from(known.value, 'base64'), checkContext);
  } catch (error) {
    throw new StartError(
      `The database was sealed with another key than the one in ${source} (${(error as Error).message}) ` +
        'Start with the key that belongs to this database; to change keys, append the new one and keep the old.',
      { cause: error },
    );
  }
  await resealOld(store, vault, ring.current);
  return vault;
}

/** Seals anew what an older key of the ring sealed, so that the key can be dropped later. */
async function resealOld(store: Pick<Store, 'db'>, vault: Vault, current: string): Promise<void> {
  const [check] = await store.db.select().from(installation).where(eq(installation.key, checkKey));
  const rows = await store.db.select({ id: clusters.id, kubeconfig: clusters.kubeconfig }).from(clusters);
  for (const { id, kubeconfig } of rows) {
    if (kubeconfig === null || sealedKeyId(kubeconfig) === current) continue;
    const context = `clusters/${id}/kubeconfig`;
    // Only if it is still the value that was read: a replaced credential is newer than ours.
    await store.db
      .update(clusters)
      .set({ kubeconfig: vault.seal(vault.open(kubeconfig, context), context) })
      .where(and(eq(clusters.id, id), eq(clusters.kubeconfig, kubeconfig)));
  }
  // Last: while this value names the old key, the old key is still needed.
  if (check !== undefined && sealedKeyId(Buffer.from(check.value, 'base64')) !== current)
    await store.db
      .update(installation)
      .set({ value: vault.seal(checkText, checkContext).toString('base64') })
      .where(eq(installation.key, checkKey));
}
