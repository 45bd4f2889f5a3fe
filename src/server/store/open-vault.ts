import type { Config } from '../kit/config.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { StartError } from '../kit/start-error.ts';
import { createKeyFile, keyFileName, loadKeyRing } from './keyring.ts';
import { requireNeededKeys } from './needed-keys.ts';
import type { ResealLog } from './reseal.ts';
import { leaveServers, SharedKeys } from './shared-keys.ts';
import type { Database, Store } from './store.ts';
import { createVault, type Vault } from './vault.ts';
import { openCheck, readCheck, sealCheck, storeCheck } from './vault-check.ts';

type KeyConfig = Pick<Config, 'dataDir' | 'secretKey'>;

const silentLog: ResealLog = { warn: () => undefined, info: () => undefined };

/** Inputs of opening a server's keys. */
export interface OpenKeysOptions {
  readonly log?: ResealLog;
  /** Id of the server, which takes part in rotations from now on; without it nobody waits for it. */
  readonly server?: string;
  /** Called once where all others have moved to a key that this server does not have. */
  readonly onUnfit?: ((error: StartError) => void) | undefined;
}

/**
 * Opens the keys of a store: WHEELHOUSE_SECRET_KEY, else the key file, which the very first start makes. A check value in
 * the store says whether the keys are the store's own; values under an older key are sealed anew, and one that cannot be
 * opened, though its key is there, is left as it is with a warning.
 * Throws StartError when the keys do not fit the check value, or any stored value needs a key that is not among them:
 * nothing is written then.
 */
export async function openKeys(
  config: KeyConfig,
  store: Pick<Store, 'db'>,
  { log = silentLog, server, onUnfit }: OpenKeysOptions = {},
): Promise<SharedKeys> {
  const known = await readCheck(store.db);
  let ring = await loadKeyRing(config);
  if (ring === null && known !== undefined)
    throw new StartError(
      `The key file ${keyFileName} is missing from ${config.dataDir}, and the database holds secrets encrypted with it. Restore it from your backup. If it is lost, npm run admin -- lost-keys lists what cannot be opened, and can give it up.`,
    );
  ring ??= await createKeyFile(config.dataDir);
  // Another server may do the same at this moment: the second one must match the first.
  const isFirst = known === undefined && (await storeCheck(store.db, sealCheck(createVault(ring))));
  const isOvertaken = known === undefined && !isFirst;
  const keys = new SharedKeys({ store, ring, log, onUnfit });
  try {
    await keys.begin(server, (check, tx) => requireFit(config, tx, { ring, check, isOvertaken }));
  } catch (error) {
    if (server !== undefined) await leaveServers(store, server).catch(() => undefined);
    throw error;
  }
  return keys;
}

/** The vault of a store, as `openKeys` opens it, for whoever is no server. */
export async function openVault(
  config: KeyConfig,
  store: Pick<Store, 'db'>,
  log: ResealLog = silentLog,
): Promise<Vault> {
  return (await openKeys(config, store, { log })).vault;
}

/**
 * Throws StartError where rows of a store were sealed with other keys than those that there are. Without a key file
 * nothing is compared: it may be put there later.
 */
export async function requireKeysFit(
  config: KeyConfig,
  db: Pick<Database, 'select' | 'execute'>,
): Promise<void> {
  const ring = await loadKeyRing(config);
  const check = await readCheck(db);
  if (ring !== null && check !== undefined) await requireFit(config, db, { ring, check, isOvertaken: false });
}

/** Where the keys of an installation are. */
export function sourceOfKeys(config: KeyConfig): string {
  return config.secretKey === null
    ? `the key file ${keyFileName} in ${config.dataDir}`
    : 'WHEELHOUSE_SECRET_KEY';
}

async function requireFit(
  config: KeyConfig,
  db: Pick<Database, 'execute'>,
  {
    ring,
    check,
    isOvertaken,
  }: { readonly ring: KeyRing; readonly check: Buffer; readonly isOvertaken: boolean },
): Promise<void> {
  const source = sourceOfKeys(config);
  await requireNeededKeys(db, ring, source);
  try {
    openCheck(createVault(ring), check);
  } catch (error) {
    throw new StartError(
      isOvertaken
        ? `Another server that started at the same time has other keys than those in ${source}, and was first. Start all servers with the same keys.`
        : `The database was encrypted with another key than the one in ${source} (${(error as Error).message}) ` +
            'Start with the key that belongs to this database; to change keys, append the new one and keep the old. ' +
            'If it is lost, npm run admin -- lost-keys lists what cannot be opened, and can give it up.',
      { cause: error },
    );
  }
}
