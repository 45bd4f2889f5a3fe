import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { tokenScopes } from '../../../src/contract/token-scopes.ts';
import { SignInFault } from '../../../src/server/identity/client.ts';
import { CompanyPeople } from '../../../src/server/identity/company-people.ts';
import type { Provider } from '../../../src/server/identity/provider.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { unlimited } from './unlimited.ts';
import { BearerClient, type TestClient, type WireAnswer } from '../http-client.ts';
import { foundCompany, freshAddress, prove, storedInvitation, stranger } from './invitation-office.ts';

let console: TestConsole;
let time = Date.now();
beforeAll(async () => {
  console = await startConsole({ clock: clockAt(() => time) });
});
afterAll(() => console.close());

/** What is stored, and whether its seven days are over. */
const states = {
  pending: { stored: 'pending', isLate: false },
  expired: { stored: 'pending', isLate: true },
  accepted: { stored: 'accepted', isLate: false },
  'accepted, and its time over': { stored: 'accepted', isLate: true },
  rejected: { stored: 'rejected', isLate: false },
  'rejected, and its time over': { stored: 'rejected', isLate: true },
  revoked: { stored: 'revoked', isLate: false },
  'revoked, and its time over': { stored: 'revoked', isLate: true },
} as const;
type State = keyof typeof states;
const stateNames = Object.keys(states) as State[];

const acts = [
  'claim by link',
  'claim by mail',
  'accept',
  'reject',
  'resend',
  'revoke',
  'sign in by the company’s provider',
] as const;
type Act = (typeof acts)[number];

/**
 * What each actor gets from the acts, in their order, while the invitation is open. The company's provider says of everybody
 * that they have the invited address.
 */
const whileOpen = {
  visitor: [200, 200, 401, 401, 401, 401, 200],
  'address proven': [200, 200, 200, 200, 403, 403, 403],
  'address unproven': [200, 200, 404, 404, 403, 403, 403],
  'came by a link': [200, 200, 200, 200, 403, 403, 403],
  'another address': [409, 409, 404, 404, 403, 403, 200],
  Owner: [409, 409, 404, 404, 200, 204, 200],
  Member: [409, 409, 404, 404, 403, 403, 200],
  TeamAdmin: [409, 409, 404, 404, 403, 403, 200],
  'suspended Owner': [409, 409, 404, 404, 403, 403, 200],
  'suspended Member': [409, 409, 404, 404, 403, 403, 200],
  'suspended, address proven': [200, 200, 409, 200, 403, 403, 403],
  'removed, address proven': [200, 200, 200, 200, 403, 403, 403],
  'left, address proven': [200, 200, 200, 200, 403, 403, 403],
  'Owner of another company': [409, 409, 404, 404, 404, 404, 200],
  'Owner by the company’s provider': [403, 403, 403, 403, 200, 204, 200],
  'address proven, by another company’s provider': [403, 403, 403, 403, 403, 403, 403],
  'API token of an Owner': [403, 403, 403, 403, 403, 403, 200],
} as const satisfies Readonly<Record<string, readonly number[]>>;
type Actor = keyof typeof whileOpen;
const actors = Object.keys(whileOpen) as Actor[];

/** What ended invitations still allow to whoever may, by what is stored: an Owner sends one again, or puts it away. */
const afterEnd: Readonly<
  Record<'pending' | 'accepted' | 'rejected' | 'revoked', { resend: number; revoke: number }>
> = {
  pending: { resend: 200, revoke: 204 },
  rejected: { resend: 200, revoke: 204 },
  accepted: { resend: 404, revoke: 404 },
  revoked: { resend: 404, revoke: 404 },
};

/** The state after an act that succeeded. */
const after: Readonly<Record<Act, string>> = {
  'claim by link': 'pending',
  'claim by mail': 'pending',
  accept: 'accepted',
  reject: 'rejected',
  resend: 'pending',
  revoke: 'revoked',
  'sign in by the company’s provider': 'accepted',
};

function expectedOf(act: Act, actor: Actor, state: State): number {
  const open = whileOpen[actor][acts.indexOf(act)] ?? 0;
  if (state === 'pending') return open;
  // The provider brings nobody whom no open invitation names.
  if (act === 'sign in by the company’s provider') return 403;
  // A link says why it is closed to anybody who opens it; no call of its own is for tokens.
  if (act === 'claim by link' || act === 'claim by mail')
    return actor === 'API token of an Owner' ? 403 : 410;
  if (act === 'resend' || act === 'revoke') return open < 300 ? afterEnd[states[state].stored][act] : open;
  return open < 300 || open === 409 ? 410 : open;
}

/** A company, and an actor who has changed nothing there yet. */
interface Stage {
  readonly companyId: number;
  readonly ownerId: number;
  readonly client: TestClient;
  /** The address that is invited. */
  readonly email: string;
  readonly claimedBy: number | null;
}

const fresh = () => foundCompany(console);

/** A provider of a company. @param of distinguishes several */
async function providerOf(companyId: number, of: number): Promise<number> {
  const [provider] = await console.store.db
    .insert(identityProviders)
    .values({
      companyId,
      key: `c-${companyId}-${of}`,
      name: 'Staff',
      issuer: 'https://id.example.org',
      clientId: 'console',
      clientSecret: Buffer.from('sealed'),
    })
    .returning({ id: identityProviders.id });
  return provider?.id ?? 0;
}

/** Makes the open sessions of somebody those of a provider of a company. */
async function byProviderOf(companyId: number, userId: number): Promise<void> {
  await console.store.db
    .update(sessions)
    .set({ providerId: await providerOf(companyId, userId) })
    .where(eq(sessions.userId, userId));
}

/** Brings an actor on. */
async function setStage(actor: Actor): Promise<Stage> {
  const { companyId, owner } = await fresh();
  const email = freshAddress();
  const stage = { companyId, ownerId: owner.id, email, claimedBy: null };
  const suspended = async (input: { isOwner?: boolean; email?: string }) => {
    const person = await console.person({ companyId, password: testPassword, ...input });
    await prove(console, person);
    await owner.client.call('changeMember', { params: { userId: person.id }, body: { isSuspended: true } });
    const client = console.visitor();
    await client.call('signIn', { body: { email: person.email, password: testPassword } });
    return { ...stage, client };
  };
  const former = async (go: (person: TestPerson) => Promise<unknown>) => {
    const person = await console.person({ companyId, email, password: testPassword });
    await prove(console, person);
    await go(person);
    const client = console.visitor();
    await client.call('signIn', { body: { email, password: testPassword } });
    return { ...stage, client };
  };
  const cast: Readonly<Record<Actor, () => Promise<Stage>>> = {
    visitor: () => Promise.resolve({ ...stage, client: console.visitor() }),
    'address proven': async () => ({ ...stage, client: (await stranger(console, email)).client }),
    'address unproven': async () => ({ ...stage, client: (await stranger(console, email, false)).client }),
    'came by a link': async () => {
      const { id, client } = await stranger(console, email, false);
      return { ...stage, client, claimedBy: id };
    },
    'another address': async () => ({ ...stage, client: (await stranger(console)).client }),
    Owner: () => Promise.resolve({ ...stage, client: owner.client }),
    Member: async () => ({ ...stage, client: (await console.person({ companyId })).client }),
    TeamAdmin: async () => {
      const { id, client } = await console.person({ companyId });
      await console.join(companyId, await console.team(companyId), id, teamRoles.TeamAdmin);
      return { ...stage, client };
    },
    'removed, address proven': () =>
      former(async ({ id }) => await owner.client.call('removeMember', { params: { userId: id } })),
    'left, address proven': () => former(async ({ client }) => await client.call('leaveCompany', {})),
    'suspended Owner': () => suspended({ isOwner: true }),
    'suspended Member': () => suspended({}),
    'suspended, address proven': () => suspended({ email }),
    'Owner of another company': async () => ({ ...stage, client: (await fresh()).owner.client }),
    'Owner by the company’s provider': async () => {
      await byProviderOf(companyId, owner.id);
      return { ...stage, client: owner.client };
    },
    'address proven, by another company’s provider': async () => {
      const elsewhere = await console.company();
      const person = await console.person({ companyId: elsewhere, email });
      await prove(console, person);
      await byProviderOf(elsewhere, person.id);
      return { ...stage, client: person.client };
    },
    'API token of an Owner': async () => {
      const body = { name: 'script', scopes: [...tokenScopes] };
      const { secret } = await owner.client.call('createToken', { body });
      return { ...stage, client: new BearerClient(console.url, secret) };
    },
  };
  return await cast[actor]();
}

/** Those whose acts were refused so far, and who are as they were. */
const waiting = new Map<Actor, Stage>();

/** An actor, and one invitation in a state. */
async function stageOf(actor: Actor, state: State) {
  const stage = waiting.get(actor) ?? (await setStage(actor));
  waiting.set(actor, stage);
  const { companyId, ownerId, email, claimedBy } = stage;
  const { stored, isLate } = states[state];
  // The time is over at the very millisecond.
  const expiresAt = isLate ? time : time + 1;
  const row = { companyId, email, invitedBy: ownerId, expiresAt, state: stored, claimedBy };
  return { ...stage, ...(await storedInvitation(console, row)) };
}

type Answer = Pick<WireAnswer, 'status' | 'json' | 'text'>;

let subjects = 0;
/** Somebody unknown comes by the provider of the company, which says that they have the invited address. */
async function comeByProvider({ companyId, email }: Stage): Promise<Answer> {
  subjects += 1;
  const issuer = new URL('https://id.example.org');
  const provider: Provider & { readonly company: NonNullable<Provider['company']> } = {
    key: `c-${companyId}-${subjects}`,
    label: 'Staff',
    issuer,
    clientId: 'console',
    clientSecret: '',
    groupsClaim: null,
    company: {
      id: companyId,
      name: 'Example',
      providerId: await providerOf(companyId, -subjects),
      carriedOver: null,
    },
  };
  const claims = {
    issuer: issuer.href,
    subject: `subject-${subjects}`,
    email,
    name: 'Kim',
    signedInAt: null,
    groups: [],
  };
  try {
    await new CompanyPeople({ store: console.store, limits: unlimited, clock: clockAt(() => time) }).signIn(
      provider,
      claims,
      { address: '127.0.0.1', requestId: 'test' },
    );
    return { status: 200, json: {}, text: '' };
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error;
    return { status: 403, json: { title: `${error.message}.`, status: 403 }, text: error.message };
  }
}

async function perform(act: Act, actor: Actor, stage: Awaited<ReturnType<typeof stageOf>>): Promise<Answer> {
  if (act === 'sign in by the company’s provider') return await comeByProvider(stage);
  const { client, inviteId, link, mail } = stage;
  const account = actor === 'visitor' ? { name: 'Kim', password: testPassword } : {};
  if (act === 'claim by link')
    return client.send('POST', '/api/v1/invitations/claim', { token: link, ...account });
  if (act === 'claim by mail')
    return client.send('POST', '/api/v1/invitations/claim', { token: mail, ...account });
  if (act === 'accept') return client.send('POST', '/api/v1/invitations/accept', { inviteId });
  if (act === 'reject') return client.send('POST', `/api/team/invites/${inviteId}/reject`);
  if (act === 'resend') return client.send('POST', `/api/organization/invitations/${inviteId}/resend`);
  return client.send('DELETE', `/api/organization/invitations/${inviteId}`);
}

const membersOf = async (companyId: number) =>
  (await console.store.db.select().from(memberships).where(eq(memberships.companyId, companyId))).map(
    ({ userId, orgRole, state }) => `${userId} ${orgRole} ${state}`,
  );

describe.each(acts)('an invitation and the act %s', (act) => {
  it.each(stateNames)('while it is %s, by everybody', async (state) => {
    const { db } = console.store;
    for (const actor of actors) {
      const stage = await stageOf(actor, state);
      const before = await membersOf(stage.companyId);
      const answer = await perform(act, actor, stage);
      const expected = expectedOf(act, actor, state);
      expect([actor, answer.status], answer.text).toEqual([actor, expected]);
      if (expected >= 400)
        expect(answer.json).toMatchObject({ title: expect.stringMatching(/[.]$/), status: expected });
      const ofStage = eq(invitations.id, stage.inviteId);
      const [row] = await db.select().from(invitations).where(ofStage);
      expect([actor, row?.state]).toEqual([actor, expected < 300 ? after[act] : states[state].stored]);
      const joined = (await membersOf(stage.companyId)).filter((one) => !before.includes(one));
      const isIn = after[act] === 'accepted' && expected === 200;
      expect([actor, joined]).toEqual([actor, isIn ? [expect.stringMatching(/ 2 active$/)] : []]);
      if (expected < 300) waiting.delete(actor);
      await db.delete(invitations).where(ofStage);
    }
  });
});

it('the sentence of a link says why it is no longer open', async () => {
  const titles: Record<string, string> = {};
  for (const state of stateNames) {
    const { link, inviteId } = await stageOf('visitor', state);
    const answer = await console.visitor().send('POST', '/api/v1/invitations/link', { token: link });
    titles[state] = answer.status === 200 ? 'open' : (answer.json as { title: string }).title;
    await console.store.db.delete(invitations).where(eq(invitations.id, inviteId));
  }
  const unknown = await console.visitor().send('POST', '/api/v1/invitations/link', { token: 'x' });
  const [accepted, rejected, revoked] = [
    /^This invitation to company \w+ was accepted already\. Sign in with your account\.$/,
    /^This invitation was rejected\. Ask an Owner of company \w+ to send it again/,
    /^This invitation was revoked\. Ask an Owner of company \w+ if you expected/,
  ].map((sentence) => expect.stringMatching(sentence) as unknown);
  expect({ ...titles, unknown: (unknown.json as { title: string }).title }).toEqual({
    pending: 'open',
    expired: expect.stringMatching(
      /^This invitation has expired\. Ask an Owner of company \w+ to send it again\.$/,
    ),
    accepted,
    rejected,
    revoked,
    // Why it ended counts, not that its time is over as well.
    'accepted, and its time over': accepted,
    'rejected, and its time over': rejected,
    'revoked, and its time over': revoked,
    unknown:
      'This invitation link is unknown, or a newer one replaced it. Check that you copied all of it, or ask who invited you.',
  });
});

it('an invitation is good for seven days, also once it is sent again', async () => {
  const { owner } = await fresh();
  const email = freshAddress();
  const week = 7 * 24 * 3_600_000;
  const begun = time;
  const { invitation } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
  expect(Date.parse(invitation.expiresAt) - begun).toBe(week);
  const { inviteId } = invitation;
  const minutes = 5 * 60_000;
  time += minutes;
  const again = await owner.client.call('resendInvitation', { params: { inviteId } });
  expect(Date.parse(again.invitation.expiresAt) - begun).toBe(week + minutes);
});
