import { once } from 'node:events';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit, auditRows } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { preferences } from '../../../src/server/store/schema/profile.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';
import { foundCompany, prove, storedInvitation, titleOf } from './invitation-office.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole({ config: { isSignupOpen: true } });
});
afterAll(() => console.close());

/** Two companies, and somebody who is a Member of both, in a session of the first. */
async function twoCompanies() {
  const [first, second] = [await foundCompany(console), await foundCompany(console)];
  const person = await console.person({ companyId: first.companyId });
  const values = { userId: person.id, companyId: second.companyId, orgRole: 2 };
  await console.store.db.insert(memberships).values(values);
  return { first, second, person };
}

/** Opens a page's socket; what it gives waits until the server closes it. */
async function socketEnd({ client }: TestPerson): Promise<() => Promise<void>> {
  const { socket } = await openLive(console.url, { cookie: client.cookie, origin: console.url });
  const closed = once(socket, 'close');
  return async () => void (await closed);
}

describe('somebody who belongs to two companies', () => {
  it('switches in a session of a new id, sees nothing of the other, and live sockets of before end', async () => {
    const { first, second, person } = await twoCompanies();
    await console.grant(first.companyId, person.id, await console.cluster(first.companyId), 6);
    const clusterId = await console.cluster(second.companyId);
    await console.grant(second.companyId, person.id, clusterId, 6);
    const own = await person.client.call('ownCompanies', {});
    expect(own.companies.filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { companyId: first.companyId },
    ]);
    expect(own.companies).toHaveLength(2);
    const before = person.client.session;
    const stale = new Map(person.client.cookies);
    const ended = await socketEnd(person);
    const user = await person.client.call('switchCompany', { body: { companyId: second.companyId } });
    expect(user).toMatchObject({ companyId: second.companyId, orgRole: 2 });
    expect(person.client.session).not.toBe(before);
    expect((await person.client.call('clusters', {})).map(({ id }) => id)).toEqual([clusterId]);
    await ended();
    const old = console.visitor();
    for (const [name, value] of stale) old.cookies.set(name, value);
    expect((await old.send('GET', '/api/ClusterManagement/clusters')).status).toBe(401);
  });

  it('has an entry of the audit where they went, and none moves from one company to another', async () => {
    const { first, second, person } = await twoCompanies();
    const stranger = await foundCompany(console);
    const body = { companyId: stranger.companyId };
    await person.client.send('POST', '/api/profile/company', body);
    await person.client.call('switchCompany', { body: { companyId: second.companyId } });
    await person.client.call('createCompany', { body: { name: 'Fourth' } });
    const entries = await console.store.db
      .select()
      .from(audit)
      .where(eq(audit.userId, person.id))
      .orderBy(audit.id);
    expect(entries).toMatchObject([
      // A refused call stays in the audit of the company in which it was made.
      { action: 'switchCompany', companyId: first.companyId, actor: person.email, status: 404 },
      { action: 'switchCompany', companyId: second.companyId, actor: person.email, status: 200 },
      { action: 'createCompany', actor: person.email, status: 200 },
    ]);
    expect([first.companyId, second.companyId, null]).not.toContain(entries.at(-1)?.companyId);
    const begun = await console.store.db
      .select({ companyId: auditRows.companyId })
      .from(auditRows)
      .where(
        inArray(
          auditRows.id,
          entries.map(({ id }) => id),
        ),
      );
    expect(begun.map(({ companyId }) => companyId)).toEqual([null, null, null]);
    expect((await verifyAudit(console.store)).rewritten).toBe(null);
  });

  it('keeps how they work, while filters and unsent texts stay in the company where they were written', async () => {
    const { first, second, person } = await twoCompanies();
    const { client } = person;
    const work = async (place: string) => {
      await client.call('saveFilter', { params: { name: 'mine' }, body: { place } });
      await client.call('saveDraft', {
        params: { place: 'create' },
        body: { text: `# ${place}`, base: null },
      });
    };
    const read = async () => ({
      filters: (await client.call('filters', {})).filters,
      draft: (await client.call('draft', { params: { place: 'create' } })).draft?.text,
    });
    const keymap = [{ keys: 'x', command: null }];
    await client.call('savePreferences', { body: { changes: 'hold' } });
    await client.call('saveKeymap', { body: { keymap } });
    await work('pods');
    await client.call('switchCompany', { body: { companyId: second.companyId } });
    expect(await client.call('preferences', {})).toEqual({ changes: 'hold' });
    expect(await client.call('keymap', {})).toEqual({ keymap });
    expect(await read()).toEqual({ filters: [], draft: undefined });
    await work('jobs');
    expect(await read()).toEqual({ filters: [{ name: 'mine', place: 'jobs' }], draft: '# jobs' });
    await client.call('switchCompany', { body: { companyId: first.companyId } });
    expect(await read()).toEqual({ filters: [{ name: 'mine', place: 'pods' }], draft: '# pods' });
  });

  it('cannot switch to a company that they do not belong to, or where they are suspended', async () => {
    const { second, person } = await twoCompanies();
    const other = await foundCompany(console);
    await console.store.db
      .update(memberships)
      .set({ state: 'suspended' })
      .where(eq(memberships.companyId, second.companyId));
    for (const companyId of [other.companyId, second.companyId]) {
      const answer = await person.client.send('POST', '/api/profile/company', { companyId });
      expect(titleOf(answer)).toEqual([404, 'You do not belong to this organisation.']);
    }
  });

  it('founds another one where sign-up is open, and goes on in it', async () => {
    const { person } = await twoCompanies();
    expect(await person.client.call('ownCompanies', {})).toMatchObject({ mayFound: true });
    const user = await person.client.call('createCompany', { body: { name: 'Third' } });
    expect(user).toMatchObject({ companyName: 'Third', orgRole: 1 });
    expect((await person.client.call('ownCompanies', {})).companies).toHaveLength(3);
  });
});

describe('a company', () => {
  const change = (client: Awaited<ReturnType<typeof foundCompany>>['owner']['client'], body: unknown) =>
    client.send('PUT', '/api/organization', body);

  it('is renamed by an Owner, and has the domain of an address that is shown to be theirs', async () => {
    const { companyId, owner } = await foundCompany(console);
    expect((await change(owner.client, { name: 'Acme', domain: 'Example.org' })).json).toMatchObject({
      companyId,
      name: 'Acme',
      domain: 'example.org',
      members: 1,
      clusters: 0,
    });
    expect(titleOf(await change(owner.client, { name: 'Acme', domain: 'other.example' }))).toEqual([
      409,
      'other.example is not the domain of your own address. An Owner with an address in that domain can set it.',
    ]);
    const unproven = await console.person({ companyId: await console.company(), isOwner: true });
    expect(titleOf(await change(unproven.client, { name: 'Evil', domain: 'example.org' }))).toEqual([
      409,
      expect.stringContaining(`${unproven.email} is not confirmed as your address`),
    ]);
    await prove(console, unproven);
    expect((await change(unproven.client, { name: 'Evil', domain: 'example.org' })).status).toBe(200);
  });

  it('leaves no reset link of its Owners behind when it is deleted', async () => {
    const { companyId, owner } = await foundCompany(console);
    const person = await console.person({ companyId });
    const { link } = await owner.client.call('memberResetLink', { params: { userId: person.id } });
    const { name } = await owner.client.call('company', {});
    await owner.client.call('deleteCompany', { body: { name } });
    const next = { userId: person.id, companyId: await console.company(), orgRole: 2 };
    await console.store.db.insert(memberships).values(next);
    const body = {
      token: /#reset=(\S+)/.exec(link)?.[1] ?? '',
      password: 'the passphrase of a former Owner',
    };
    expect((await console.visitor().send('POST', '/api/auth/reset/password', body)).status).toBe(410);
  });

  it('is deleted with its name typed: sessions, clusters and invitations end, accounts and other companies stay', async () => {
    const { first, second, person } = await twoCompanies();
    await console.cluster(first.companyId);
    const expiresAt = Date.now() + 60_000;
    await storedInvitation(console, {
      companyId: first.companyId,
      email: 'kim@example.org',
      invitedBy: first.owner.id,
      expiresAt,
    });
    const { db } = console.store;
    await db.insert(preferences).values({ userId: first.owner.id });
    const elsewhere = await console.session(person.id, second.companyId);
    const ended = await socketEnd(person);
    const refused = await first.owner.client.send('DELETE', '/api/organization', { name: 'company' });
    expect(titleOf(refused)).toEqual([409, expect.stringContaining('Type the name of the organisation')]);
    const { name } = await first.owner.client.call('company', {});
    await first.owner.client.call('deleteCompany', { body: { name } });
    await ended();
    expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await elsewhere.call('isAuthenticated', {})).toMatchObject({
      user: { id: person.id, companyId: second.companyId },
    });
    expect(await db.select().from(clusters).where(eq(clusters.companyId, first.companyId))).toEqual([]);
    expect(await db.select().from(users).where(eq(users.id, first.owner.id))).toHaveLength(1);
    expect(await db.select().from(preferences).where(eq(preferences.userId, first.owner.id))).toHaveLength(1);
    const rows = await db.select().from(audit).orderBy(audit.id).where(eq(audit.action, 'deleteCompany'));
    expect(rows).toContainEqual(
      expect.objectContaining({ companyId: null, actor: first.owner.email, status: 204 }),
    );
  });
});
