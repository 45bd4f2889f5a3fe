import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restoredCommand } from '../../../src/server/boot/admin/restored.ts';
import { links } from '../../../src/server/store/schema/accounts.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { apiTokens } from '../../../src/server/store/schema/tokens.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** Output of the command. */
async function restored(argument?: string): Promise<readonly string[]> {
  const said: string[] = [];
  const { config } = console.services;
  await restoredCommand({ config, say: (sentence) => said.push(sentence) }, argument);
  return said;
}

/** Somebody with a session, an API token and a link that is not used. */
async function personWithToken(companyId: number, name: string): Promise<TestPerson> {
  const person = await console.person({ companyId });
  await console.store.db.insert(apiTokens).values({
    tokenHash: randomBytes(32),
    userId: person.id,
    companyId,
    name,
    scopes: [],
    expiresAt: tomorrow(),
  });
  await console.store.db
    .insert(links)
    .values({ tokenHash: randomBytes(32), purpose: 'reset', userId: person.id, expiresAt: tomorrow() });
  return person;
}

const isIn = async ({ client }: TestPerson) => (await client.call('isAuthenticated', {})).isAuthenticated;
const openTokens = async () =>
  (await console.store.db.select().from(apiTokens)).filter(({ revokedAt }) => revokedAt === null);

it('after a restore sessions and links end; API tokens are revoked, or with --keep-tokens listed by name', async () => {
  const companyId = await console.company();
  const person = await personWithToken(companyId, 'deploys');
  expect(await isIn(person)).toBe(true);
  await expect(restored('--keep')).rejects.toThrow('"--keep" is not an argument of this command');
  expect(await isIn(person)).toBe(true);

  const kept = await restored('--keep-tokens');
  expect(kept.join('\n')).toContain(`deploys, of ${person.email}`);
  expect(await isIn(person)).toBe(false);
  expect(await openTokens()).toHaveLength(1);
  const open = (await console.store.db.select().from(links)).filter(
    ({ expiresAt }) => Date.parse(expiresAt) > Date.now(),
  );
  expect(open).toEqual([]);

  const other = await personWithToken(companyId, 'reports');
  const said = await restored();
  expect(said).toContain('Sessions ended: 1. Everybody has to sign in again.');
  expect(said).toContain('API tokens revoked: 2. People who need one have to create another.');
  expect(await isIn(other)).toBe(false);
  expect(await openTokens()).toEqual([]);

  const rows = await console.store.db
    .select()
    .from(audit)
    .where(eq(audit.action, 'restored'))
    .orderBy(audit.id);
  expect(rows.map((row) => [row.companyId, row.subject])).toEqual([
    [null, { sessions: 1, tokens: 0 }],
    [companyId, { areTokensKept: true }],
    [null, { sessions: 1, tokens: 2 }],
    [companyId, { areTokensKept: false }],
  ]);
});
