import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localOwnerCommand } from '../../../src/server/boot/admin/local-owner.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { freshDatabase } from '../postgres.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '' });
  await store.db.insert(companies).values({ name: 'Example' });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

async function makeOwner(email: string): Promise<void> {
  const key = `k1:${randomBytes(32).toString('base64')}`;
  const { config, problems } = readConfig({ DATABASE_URL: database.url, WHEELHOUSE_SECRET_KEY: key });
  if (config === null) throw new Error(problems.join(' '));
  await localOwnerCommand({ config, say: () => undefined }, email, 'Example');
}

it('an account that somebody else may have made for an address does not become an Owner', async () => {
  const [account] = await store.db
    .insert(users)
    .values({ name: 'Kim', email: 'kim@example.org', passwordHash: 'of whoever made it' })
    .returning();
  await expect(makeOwner('kim@example.org')).rejects.toThrow('somebody else may have created it');
  expect(await store.db.select().from(memberships)).toEqual([]);

  await store.db
    .update(users)
    .set({ emailProvenAt: new Date().toISOString() })
    .where(eq(users.email, 'kim@example.org'));
  await makeOwner('kim@example.org');
  expect(await store.db.select().from(memberships)).toMatchObject([
    { userId: account?.id, orgRole: 1, state: 'active', isLocal: true },
  ]);
  // An address that nobody has is the operator's to hand over.
  await makeOwner('new@example.org');
  expect(await store.db.select().from(memberships)).toHaveLength(2);
});
