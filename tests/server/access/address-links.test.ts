import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressLinkHours } from '../../../src/contract/own-address.ts';
import { links, users } from '../../../src/server/store/schema/accounts.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { freshAddress, prove, titleOf } from '../organisation/invitation-office.ts';

const hour = 3_600_000;

describe('a link that shows an address to be the account’s', () => {
  let time = Date.parse('2026-11-25T08:00:00Z');
  let mail: MailServer;
  let console: TestConsole;
  beforeAll(async () => {
    mail = await startMailServer();
    console = await startConsole({ config: { mail: mail.settings }, clock: clockAt(() => time) });
  });
  afterAll(async () => {
    await console.close();
    await mail.close();
  });

  const founder = async (email = freshAddress()) =>
    await console.person({ companyId: await console.company(), isOwner: true, email });
  /** Has a link mailed, and gives its token. */
  const mailedToken = async ({ client, email }: TestPerson) => {
    const count = mail.mails.length;
    await client.call('mailAddressLink', {});
    const { to, text } = await mail.received(count + 1);
    expect(Array.isArray(to) ? to : [to]).toMatchObject([{ text: email }]);
    return /\/settings\?section=profile#address=(\S+)/.exec(text ?? '')?.[1] ?? '';
  };
  const use = ({ client }: TestPerson, token: string) =>
    client.send('POST', '/api/profile/address/proof', { token });
  /** A day later the person has to sign in anew. */
  const nextDay = async (person: TestPerson): Promise<TestPerson> => {
    const { companyId } = await person.client.call('company', {});
    time += addressLinkHours * hour;
    return { ...person, client: await console.session(person.id, companyId) };
  };
  const isProven = async ({ client }: TestPerson) => (await client.call('ownAddress', {})).isProven;

  it('lets the first Owner set the domain of the company, and is good for one use', async () => {
    const owner = await founder();
    const setDomain = () =>
      owner.client.send('PUT', '/api/organization', { name: 'Acme', domain: 'example.org' });
    expect((await setDomain()).status).toBe(409);
    expect(await owner.client.call('ownAddress', {})).toEqual({
      email: owner.email,
      isProven: false,
      isMailed: true,
    });
    const [former, token] = [await mailedToken(owner), await mailedToken(owner)];
    const stored = await console.store.db.select().from(links).where(eq(links.userId, owner.id));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await use(owner, token)).json).toMatchObject({ isProven: true });
    for (const again of [token, former]) expect((await use(owner, again)).status).toBe(410);
    expect((await setDomain()).status).toBe(200);
    expect((await owner.client.send('POST', '/api/profile/address/link')).status).toBe(409);
  });

  it('shows nothing to whoever made an account with the address of another, whose owner opens the mail', async () => {
    const squatter = await founder();
    const token = await mailedToken(squatter);
    const owner = await founder();
    expect((await console.visitor().send('POST', '/api/profile/address/proof', { token })).status).toBe(401);
    expect(titleOf(await use(owner, token))).toEqual([
      410,
      expect.stringContaining(`was not mailed to ${owner.email}`),
    ]);
    expect(await isProven(squatter)).toBe(false);
    expect(await isProven(owner)).toBe(false);
  });

  it('is void after a day, and opens neither a password nor an account', async () => {
    const owner = await founder();
    const token = await mailedToken(owner);
    const reset = { token, password: testPassword };
    expect((await console.visitor().send('POST', '/api/auth/reset/password', reset)).status).toBe(410);
    const later = await nextDay(owner);
    expect((await use(later, token)).status).toBe(410);
    expect(await isProven(later)).toBe(false);
  });

  it('is mailed three times a day at most', async () => {
    const owner = await founder();
    for (let count = 0; count < 3; count += 1) await mailedToken(owner);
    const answer = await owner.client.send('POST', '/api/profile/address/link');
    expect(titleOf(answer)).toEqual([409, expect.stringContaining(`3 links were mailed to ${owner.email}`)]);
    const later = await nextDay(owner);
    expect((await use(later, await mailedToken(later))).status).toBe(200);
  });

  it('never makes the domain of a mail provider a company’s', async () => {
    for (const domain of ['gmail.com', 'outlook.com', 'gmx.de', 'tutanota.com']) {
      const owner = await founder(freshAddress().replace('example.org', domain));
      await prove(console, owner);
      const answer = await owner.client.send('PUT', '/api/organization', { name: 'Acme', domain });
      expect(titleOf(answer)).toEqual([409, expect.stringContaining(`an address at ${domain}`)]);
    }
  });

  it('is not to be had from a console without a mail server', async () => {
    const mute = await startConsole();
    const owner = await mute.person({ companyId: await mute.company(), isOwner: true });
    expect(await owner.client.call('ownAddress', {})).toMatchObject({ isProven: false, isMailed: false });
    const answer = await owner.client.send('POST', '/api/profile/address/link');
    expect(titleOf(answer)).toEqual([409, expect.stringContaining('no mail server')]);
    expect(await mute.store.db.select().from(links)).toEqual([]);
    const [row] = await mute.store.db.select().from(users).where(eq(users.id, owner.id));
    expect(row?.emailProvenAt).toBeNull();
    await mute.close();
  });
});
