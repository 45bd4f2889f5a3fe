import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resetLinkCommand } from '../../../src/server/boot/admin/reset-link.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const next = 'a quite different passphrase';

/** Output of the command. */
async function resetLink(email: string): Promise<readonly string[]> {
  const config = { ...console.services.config, url: new URL('https://console.example.org') };
  const said: string[] = [];
  await resetLinkCommand({ config, say: (sentence) => said.push(sentence) }, email);
  return said;
}

it('gives the operator a link by which a person of an unproven address chooses a password, once, and records it', async () => {
  const companyId = await console.company();
  const person = await console.person({ companyId, password: testPassword });
  const [hint, link] = await resetLink(` ${person.email.toUpperCase()} `);
  expect(hint).toContain('works once, within 60 minutes');
  expect(link).toMatch(/^https:\/\/console\.example\.org\/login#reset=\S+$/);
  const token = link?.split('#reset=')[1] ?? '';
  const use = () => console.visitor().send('POST', '/api/auth/reset/password', { token, password: next });
  expect((await use()).status).toBe(200);
  expect((await use()).status).toBe(410);
  expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
  const signIn = (password: string) =>
    console.visitor().send('POST', '/api/auth/login', { email: person.email, password });
  expect((await signIn(testPassword)).status).toBe(401);
  expect((await signIn(next)).status).toBe(200);
  const rows = await console.store.db
    .select()
    .from(audit)
    .orderBy(audit.id)
    .where(eq(audit.action, 'resetLink'));
  expect(rows).toMatchObject([{ companyId, actor: 'operator', subject: { userId: person.id } }]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('says so for an address that nobody has', async () => {
  await expect(resetLink('nobody@example.org')).rejects.toThrow(
    'No account has the email address nobody@example.org here.',
  );
});
