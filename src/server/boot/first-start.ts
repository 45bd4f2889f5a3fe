import { join } from 'node:path';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { createOwnerUnattended, createSetupLink, needsSetup } from '../access/accounts.ts';
import { Problem } from '../../contract/problem.ts';
import type { Config } from '../kit/config.ts';
import { StartError } from '../kit/start-error.ts';
import { keyFileName } from '../store/keyring.ts';
import type { OpenStore } from '../store/open.ts';
import { links } from '../store/schema/accounts.ts';
import type { Store } from '../store/store.ts';

/** Links of servers that started within so many minutes stay: several that start together print one each. */
const togetherMinutes = 5;

/** How the first Owner is created. */
export type FirstStart =
  | { readonly kind: 'none' }
  | { readonly kind: 'created'; readonly email: string; readonly companyId: number }
  | { readonly kind: 'link'; readonly url: string; readonly expiresAt: string };

/**
 * Readies an installation without people for its first Owner: by WHEELHOUSE_SETUP_EMAIL at once, else by a fresh
 * single-use link (those of earlier starts end). Does nothing once somebody has an account.
 * @param origin Where people open the console.
 */
export async function prepareFirstStart(
  store: Pick<Store, 'db'>,
  config: Pick<Config, 'setup'>,
  origin: string,
  now: number,
): Promise<FirstStart> {
  if (!(await needsSetup(store))) return { kind: 'none' };
  if (config.setup !== null) {
    const result = await createOwnerUnattended(store, config.setup).catch((error: unknown) => {
      throw error instanceof Problem ? new StartError(`WHEELHOUSE_SETUP_PASSWORD: ${error.title}`) : error;
    });
    return result.created
      ? { kind: 'created', email: config.setup.email, companyId: result.companyId }
      : { kind: 'none' };
  }
  await store.db
    .update(links)
    .set({ expiresAt: sql`now()` })
    .where(
      and(
        eq(links.purpose, 'setup'),
        isNull(links.usedAt),
        lt(links.createdAt, sql`now() - make_interval(mins => ${togetherMinutes})`),
      ),
    );
  return { kind: 'link', ...(await createSetupLink(store, origin, now)) };
}

/** Sentences on what the operator has to back up. */
export function backUpHint(config: Config, store: Pick<OpenStore, 'embedded'>): string[] {
  if (store.embedded === null)
    return [
      'Back up the database in DATABASE_URL and, apart from it, WHEELHOUSE_SECRET_KEY: neither can be restored without the other.',
    ];
  const moved = store.embedded.isMoved ? ` and ${store.embedded.files} (the database's files)` : '';
  const key =
    config.secretKey === null ? join(config.dataDir, keyFileName) : 'the key in WHEELHOUSE_SECRET_KEY';
  return [
    `Back up the folder ${config.dataDir}${moved} while the server is stopped, or run at any time: npm run admin -- export FILE`,
    `Back up ${key} apart from it: it decrypts the clusters' credentials in the database.`,
  ];
}
