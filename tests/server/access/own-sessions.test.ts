import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { liveClose, livePath } from '../../../src/contract/live-socket.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import type { TestClient } from '../http-client.ts';

describe('the own sessions', () => {
  let console: TestConsole;
  let companyId: number;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company('Example');
  });
  afterAll(() => console.close());

  const isSignedIn = async (client: TestClient) => (await client.call('isAuthenticated', {})).isAuthenticated;
  /** The code with which a session's live socket is closed. */
  const closing = async (client: TestClient): Promise<Promise<number>[]> => {
    const socket = new WebSocket(`${console.url.replace('http', 'ws')}${livePath}`, {
      headers: { origin: console.url, cookie: client.cookie },
    });
    await new Promise((resolve) => socket.once('open', resolve));
    return [new Promise((resolve) => socket.once('close', resolve))];
  };

  it('are listed with where, since when, in which company, and which one asks', async () => {
    const person = await console.person({ companyId });
    await console.session(person.id, companyId);
    const listed = await person.client.call('ownSessions', {});
    expect(listed).toHaveLength(2);
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(listed[0]).toMatchObject({
      company: 'Example',
      way: 'password',
      userAgent: 'test',
      address: '127.0.0.1',
      createdAt: expect.any(String),
    });
  });

  it('one that is ended is signed out, and its socket closes at once', async () => {
    const person = await console.person({ companyId });
    const other = await console.session(person.id, companyId);
    const [closed] = await closing(other);
    const listed = await person.client.call('ownSessions', {});
    const sessionId = listed.find(({ isCurrent }) => !isCurrent)?.id ?? 0;
    await person.client.call('endOwnSession', { params: { sessionId } });
    expect(await closed).toBe(liveClose.signedOut);
    expect(await isSignedIn(other)).toBe(false);
    await expect(person.client.call('endOwnSession', { params: { sessionId } })).rejects.toThrow(
      'already ended',
    );
  });

  it('one that goes on in another company at once with others, or is over by then, leaves no session that it was not', async () => {
    const person = await console.person({ companyId });
    const otherId = await console.company('Other');
    await console.store.db.insert(memberships).values({ userId: person.id, companyId: otherId, orgRole: 2 });
    const long = '2026-01-01T00:00:00.000Z';
    const own = eq(sessions.userId, person.id);
    await console.store.db.update(sessions).set({ provedAt: long }).where(own);
    const copies = Array.from({ length: 5 }, () => {
      const copy = console.visitor();
      for (const [name, value] of person.client.cookies) copy.cookies.set(name, value);
      return copy;
    });
    const body = { companyId: otherId };
    const switched = await Promise.allSettled([
      ...copies.map((copy) => copy.call('switchCompany', { body })),
      person.client.call('logout', {}),
    ]);
    const went = switched.slice(0, copies.length).filter(({ status }) => status === 'fulfilled');
    expect(went.length).toBeLessThanOrEqual(1);
    const left = await console.store.db.select().from(sessions).where(own);
    expect(left).toHaveLength(went.length);
    for (const { provedAt } of left) expect(Date.parse(provedAt)).toBe(Date.parse(long));
  });

  it('all others end together; those of other people are out of reach', async () => {
    const person = await console.person({ companyId });
    const others = [await console.session(person.id, companyId), await console.session(person.id, companyId)];
    const stranger = await console.person({ companyId });
    const [theirs] = await stranger.client.call('ownSessions', {});
    await expect(
      person.client.call('endOwnSession', { params: { sessionId: theirs?.id ?? 0 } }),
    ).rejects.toMatchObject({ status: 404 });
    await person.client.call('endOtherSessions', {});
    for (const client of others) expect(await isSignedIn(client)).toBe(false);
    expect(await isSignedIn(person.client)).toBe(true);
    expect(await isSignedIn(stranger.client)).toBe(true);
  });

  it('a session that a company’s provider opened sees and ends those of that company alone', async () => {
    const person = await console.person({ companyId });
    const other = await console.company('Other');
    await console.store.db.insert(memberships).values({ userId: person.id, companyId: other, orgRole: 2 });
    const [provider] = await console.store.db
      .insert(identityProviders)
      .values({
        companyId: other,
        key: 'c-other',
        name: 'Other sign-on',
        issuer: 'https://id.example.org',
        clientId: 'console',
        clientSecret: Buffer.from('sealed'),
      })
      .returning();
    const bound = await console.session(person.id, other);
    await console.store.db
      .update(sessions)
      .set({ providerId: provider?.id ?? null, signInWay: 'c-other' })
      .where(eq(sessions.companyId, other));
    const listed = await bound.call('ownSessions', {});
    expect(listed).toMatchObject([{ company: 'Other', way: 'Other sign-on', isCurrent: true }]);
    await bound.call('endOtherSessions', {});
    expect(await isSignedIn(person.client)).toBe(true);
    // The database itself keeps the session where it is.
    await expect(
      console.store.db.update(sessions).set({ companyId }).where(eq(sessions.companyId, other)),
    ).rejects.toThrow();
  });
});
