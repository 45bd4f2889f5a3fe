import { sql } from 'drizzle-orm';
import type { KeyRing } from '../../kit/key-ring.ts';
import { StartError } from '../../kit/start-error.ts';
import { createKeyFile, loadKeyRing } from '../../store/keyring.ts';
import { findLostValues, giveUp, type LostValue } from '../../store/lost-values.ts';
import { counted } from '../../store/needed-keys.ts';
import { sourceOfKeys } from '../../store/open-vault.ts';
import { type OpenStore, openStore } from '../../store/open.ts';
import { auditRows } from '../../store/schema/audit.ts';
import { companies } from '../../store/schema/companies.ts';
import { servers } from '../../store/schema/servers.ts';
import { keyIdOf, createVault, type Vault } from '../../store/vault.ts';
import { openCheck, readCheck, replaceCheck, sealCheck, storeCheck } from '../../store/vault-check.ts';
import type { AdminContext } from './context.ts';
import { firstLine } from './first-line.ts';

/** Stored values that the keys at hand do not open. */
interface Lost {
  readonly values: readonly LostValue[];
  /** Whether the check value is one of them. */
  readonly isCheckLost: boolean;
}

/**
 * `lost-keys`: lists by name what cannot be opened with the keys at hand. `lost-keys give-up` gives up exactly that, once
 * the number of values was typed. Throws StartError where another sentence was typed, and where a server lives: it may
 * have the keys.
 * @param input The first line is what was typed.
 */
export async function lostKeysCommand(
  { config, say }: AdminContext,
  task: string | undefined,
  input: NodeJS.ReadableStream,
): Promise<void> {
  if (task !== undefined && task !== 'give-up')
    throw new StartError(`There is no "lost-keys ${task}". There are: lost-keys, and lost-keys give-up.`);
  const store = await openStore(config);
  try {
    const ring = await loadKeyRing(config);
    const lost = await findLost(store, ring);
    const count = lost.values.length;
    if (count === 0 && !lost.isCheckLost) {
      say(`Every stored value can be opened with the keys in ${sourceOfKeys(config)}. Nothing is lost.`);
      return;
    }
    await list(store, lost.values, say);
    const phrase = `give up ${count} values`;
    if (task === undefined) {
      say(
        'If the keys are lost for good, stop all servers and run npm run admin -- lost-keys give-up. It asks you to type this sentence:',
      );
      say(`  ${phrase}`);
      return;
    }
    await requireNoServer(store);
    say(`This cannot be undone. Type this sentence to go on: ${phrase}`);
    if ((await firstLine(input)).trim() !== phrase)
      throw new StartError(`Nothing was given up: "${phrase}" was not typed.`);
    const keys = ring ?? (await createKeyFile(config.dataDir));
    await giveUpAll(store, lost, createVault(keys));
    say(`Values given up: ${count}. The next start uses the keys in ${sourceOfKeys(config)}.`);
  } finally {
    await store.close();
  }
}

async function findLost({ db }: Pick<OpenStore, 'db'>, ring: KeyRing | null): Promise<Lost> {
  const vault = createVault(ring ?? { current: '', keys: new Map() });
  const values = await findLostValues(db, vault);
  const check = await readCheck(db);
  if (check === undefined) return { values, isCheckLost: false };
  try {
    openCheck(vault, check);
    return { values, isCheckLost: false };
  } catch {
    return { values, isCheckLost: true };
  }
}

/** Says what is lost, by organisation and by the key that it needs. */
async function list(
  { db }: Pick<OpenStore, 'db'>,
  lost: readonly LostValue[],
  say: AdminContext['say'],
): Promise<void> {
  const all = await db.select({ id: companies.id, name: companies.name }).from(companies);
  const names = new Map(all.map(({ id, name }) => [id, `${name} (${id})`]));
  const byCompany = Map.groupBy(lost, ({ value }) => value.companyId);
  say(`Values that cannot be opened with the keys at hand: ${lost.length}.`);
  for (const [companyId, values] of byCompany) {
    say(companyId === null ? 'The installation:' : `${names.get(companyId) ?? `Organisation ${companyId}`}:`);
    for (const { column, value, reason } of values)
      say(
        `  ${column.title}: ${value.name === '' ? JSON.stringify(value.key) : value.name} (${whyOf(value.head, reason)})`,
      );
  }
}

function whyOf(head: Buffer, reason: LostValue['reason']): string {
  const id = keyIdOf(head);
  if (id === null || reason === 'format') return 'it is damaged';
  return reason === 'key'
    ? `its key "${id}" is missing`
    : `the key "${id}" at hand is another one, or it was changed`;
}

async function requireNoServer({ db }: Pick<OpenStore, 'db'>): Promise<void> {
  const living = await db.$count(servers, sql`${servers.seenAt} > now() - interval '20 seconds'`);
  if (living > 0)
    throw new StartError(
      'A server is running on this database, or was within the last 20 seconds, and may have the keys. Stop all servers, wait 20 seconds, and try again.',
    );
}

/** Gives everything up in one transaction, and records it with each organisation that it belongs to. */
async function giveUpAll(store: OpenStore, { values, isCheckLost }: Lost, vault: Vault): Promise<void> {
  await store.db.transaction(async (tx) => {
    await giveUp(tx, values);
    if (isCheckLost) await replaceCheck(tx, sealCheck(vault));
    else await storeCheck(tx, sealCheck(vault));
    const byCompany = Map.groupBy(values, ({ value }) => value.companyId);
    for (const [companyId, lost] of byCompany) {
      const titles = Map.groupBy(lost, ({ column }) => column.title);
      await tx.insert(auditRows).values({
        companyId,
        actor: 'operator',
        action: 'giveUpLostKeys',
        subject: {
          values: [...titles].map(([title, some]) =>
            counted(
              title,
              some.map(({ value }) => value.name),
            ),
          ),
        },
        address: 'console',
        requestId: 'operator',
        finishedAt: sql`now()`,
        status: 200,
      });
    }
  });
}
