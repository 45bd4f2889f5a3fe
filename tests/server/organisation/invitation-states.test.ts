import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { TestClient, WireAnswer } from '../http-client.ts';
import { foundCompany, freshAddress, prove, storedInvitation, stranger } from './invitation-office.ts';

let console: TestConsole;
let time = Date.now();
beforeAll(async () => {
  console = await startConsole({ now: () => time });
});
afterAll(() => console.close());

const states = ['pending', 'expired', 'accepted', 'rejected', 'revoked'] as const;
const actors = [
  'visitor',
  'address proven',
  'address unproven',
  'came by a link',
  'another address',
  'Owner',
  'Member',
  'suspended Owner',
  'Owner of another company',
] as const;
const acts = ['claim by link', 'claim by mail', 'accept', 'reject', 'resend', 'revoke'] as const;
type State = (typeof states)[number];
type Actor = (typeof actors)[number];
type Act = (typeof acts)[number];

/** Who gets which status from an act on an open invitation, each actor in the order of `actors`. */
const whileOpen: Readonly<Record<Act, readonly number[]>> = {
  'claim by link': [200, 200, 200, 200, 409, 409, 409, 409, 409],
  'claim by mail': [200, 200, 200, 200, 409, 409, 409, 409, 409],
  accept: [401, 200, 404, 200, 404, 404, 404, 404, 404],
  reject: [401, 200, 404, 200, 404, 404, 404, 404, 404],
  resend: [401, 403, 403, 403, 403, 200, 403, 403, 404],
  revoke: [401, 403, 403, 403, 403, 204, 403, 403, 404],
};

/** The statuses that others than an open one give in place of success or of "for another address". */
const otherwise: Readonly<Record<Act, Readonly<Record<Exclude<State, 'pending'>, number>>>> = {
  'claim by link': { expired: 410, accepted: 410, rejected: 410, revoked: 410 },
  'claim by mail': { expired: 410, accepted: 410, rejected: 410, revoked: 410 },
  accept: { expired: 410, accepted: 410, rejected: 410, revoked: 410 },
  reject: { expired: 410, accepted: 410, rejected: 410, revoked: 410 },
  resend: { expired: 200, accepted: 404, rejected: 200, revoked: 404 },
  revoke: { expired: 204, accepted: 404, rejected: 204, revoked: 404 },
};

/** The state after an act that succeeded. */
const after: Readonly<Record<Act, State>> = {
  'claim by link': 'pending',
  'claim by mail': 'pending',
  accept: 'accepted',
  reject: 'rejected',
  resend: 'pending',
  revoke: 'revoked',
};

function expectedOf(act: Act, actor: Actor, state: State): number {
  const open = whileOpen[act][actors.indexOf(actor)] ?? 0;
  if (state === 'pending') return open;
  const isPassed = open < 300 || open === 409;
  return isPassed ? otherwise[act][state] : open;
}

/** A company with one invitation in a state, and the actor with whether they are let in. */
async function stage(actor: Actor, state: State) {
  const { companyId, owner } = await fresh();
  const email = freshAddress();
  let client: TestClient = console.visitor();
  let claimedBy: number | null = null;
  if (actor === 'address proven' || actor === 'address unproven' || actor === 'came by a link') {
    const person = await stranger(console, email, actor === 'address proven');
    if (actor === 'came by a link') claimedBy = person.id;
    ({ client } = person);
  } else if (actor === 'another address') ({ client } = await stranger(console));
  else if (actor === 'Owner') ({ client } = owner);
  else if (actor === 'Member') ({ client } = await console.person({ companyId }));
  else if (actor === 'Owner of another company') ({ client } = (await fresh()).owner);
  else if (actor === 'suspended Owner') {
    const person = await console.person({ companyId, isOwner: true, password: testPassword });
    await prove(console, person);
    await owner.client.call('changeMember', { params: { userId: person.id }, body: { isSuspended: true } });
    await client.call('signIn', { body: { email: person.email, password: testPassword } });
  }
  const invitation = await storedInvitation(console, {
    companyId,
    email,
    invitedBy: owner.id,
    // The time is over at the very millisecond.
    expiresAt: state === 'expired' ? time : time + 1,
    state: state === 'expired' ? 'pending' : state,
    claimedBy,
  });
  return { companyId, client, email, ...invitation };
}
const fresh = () => foundCompany(console);

async function perform(
  act: Act,
  actor: Actor,
  { client, inviteId, link, mail }: Awaited<ReturnType<typeof stage>>,
): Promise<WireAnswer> {
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

describe.each(acts)('an invitation and the act %s', (act) => {
  it.each(states)('while it is %s, by everybody', async (state) => {
    for (const actor of actors) {
      const set = await stage(actor, state);
      const answer = await perform(act, actor, set);
      const expected = expectedOf(act, actor, state);
      expect([actor, answer.status, answer.text], `${actor}: ${answer.text}`).toEqual([
        actor,
        expected,
        answer.text,
      ]);
      if (expected >= 400)
        expect(answer.json).toMatchObject({ title: expect.stringMatching(/[.]$/), status: expected });
      const [row] = await console.store.db.select().from(invitations).where(eq(invitations.id, set.inviteId));
      const stored = state === 'expired' ? 'pending' : state;
      expect([actor, row?.state]).toEqual([actor, expected < 300 ? after[act] : stored]);
      const joined = await console.store.db
        .select()
        .from(memberships)
        .where(and(eq(memberships.companyId, set.companyId), eq(memberships.orgRole, 2)));
      const others = actor === 'Member' ? 1 : 0;
      expect([actor, joined.length - others]).toEqual([actor, act === 'accept' && expected === 200 ? 1 : 0]);
    }
  });
});

it('the sentence of a link says why it is no longer open', async () => {
  const titles: Record<string, string> = {};
  for (const state of states) {
    const { link } = await stage('visitor', state);
    const answer = await console.visitor().send('POST', '/api/v1/invitations/link', { token: link });
    titles[state] = answer.status === 200 ? 'open' : (answer.json as { title: string }).title;
  }
  const unknown = await console.visitor().send('POST', '/api/v1/invitations/link', { token: 'x' });
  expect({ ...titles, unknown: (unknown.json as { title: string }).title }).toEqual({
    pending: 'open',
    expired: expect.stringMatching(
      /^This invitation has expired\. Ask an Owner of company \w+ to send it again\.$/,
    ),
    accepted: expect.stringMatching(
      /^This invitation to company \w+ was accepted already\. Sign in with your account\.$/,
    ),
    rejected: expect.stringMatching(
      /^This invitation was rejected\. Ask an Owner of company \w+ to send it again/,
    ),
    revoked: expect.stringMatching(
      /^This invitation was taken back\. Ask an Owner of company \w+ if you expected/,
    ),
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
  time += 3_600_000;
  const again = await owner.client.call('resendInvitation', { params: { inviteId } });
  expect(Date.parse(again.invitation.expiresAt) - begun).toBe(week + 3_600_000);
});
