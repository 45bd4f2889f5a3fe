import { and, eq, ne, notInArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { hashToken, newToken } from '../../../src/server/access/sessions.ts';
import { CompanyPeople } from '../../../src/server/identity/company-people.ts';
import { connectIdentity } from '../../../src/server/identity/people.ts';
import type { Claims } from '../../../src/server/identity/provider.ts';
import { InvitationLinks } from '../../../src/server/organisation/invitation-links.ts';
import { InvitationMails } from '../../../src/server/organisation/invitation-mail.ts';
import { InvitationReplies } from '../../../src/server/organisation/invitation-replies.ts';
import { unknownLink } from '../../../src/server/organisation/invitation-state.ts';
import { Invitations } from '../../../src/server/organisation/invitations.ts';
import { Members } from '../../../src/server/organisation/members.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';
import { MailQueue } from '../../../src/server/mail/mail-queue.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { invitations as invitationRows, memberships } from '../../../src/server/store/schema/memberships.ts';
import { isFull, rounds } from '../../prove.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { unlimited } from './unlimited.ts';
import { tokenOf } from './invitation-office.ts';
import {
  accountAt,
  type Account,
  type Believed,
  claimsOf,
  furnish,
  hasJoined,
  identityOf,
  type Identity,
  isInvited,
  isOpen,
  isUnused,
} from './invitation-beliefs.ts';
import { provesByWalks, type Step, type Walk } from './walk.ts';
import { clockAt } from '../clock-at.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const day = 24 * 3_600_000;

/** The parts of the product that a walk goes through. */
function productAt({ store, services }: TestConsole, clock: Clock) {
  const parts = { store, log: services.log, clock };
  const queue = new StoredQueue({ ...parts, clock: systemClock });
  const mailer = new MailQueue({ ...parts, queue, settings: null, vault: services.vault });
  const mails = new InvitationMails({ mailer });
  return {
    invitations: new Invitations({ store, mails, limits: unlimited, clock, origin: () => 'http://console' }),
    links: new InvitationLinks({ store, clock }),
    replies: new InvitationReplies({ store, limits: unlimited, clock }),
    people: new CompanyPeople({ store, limits: unlimited, clock }),
    members: new Members({ store, grants: services.grants, limits: unlimited }),
  };
}

async function walkAt(walk: Walk): Promise<void> {
  const office = await furnish(console);
  const { owners, providers, addresses, accounts, known, tokens, identities, joined, removed } = office;
  const { store } = console;
  const { invitations, links, replies, people, members } = productAt(
    console,
    clockAt(() => office.now),
  );
  const one = <T>(of: readonly T[]) => walk.one(of);
  const ownerNow = () => one(owners.filter(({ id }) => !removed.has(id)));
  /** The role in the company of each who joined. */
  const orgRoleAt = new Map<string, number>();
  const placeOf = (account: Account, companyId: number) => `${account.id} ${companyId}`;

  /** The mail with its own token arrives; nothing but the mailbox knows it. */
  const arrive = async (inviteId: number, link: string) => {
    const mail = newToken();
    await store.db
      .update(invitationRows)
      .set({ mailHash: hashToken(mail) })
      .where(eq(invitationRows.id, inviteId));
    const token = tokenOf(link);
    tokens.push(token, mail);
    return { token, mail };
  };
  const byToken = (token: string) =>
    known.find((of) => (of.token === token || of.mail === token) && isOpen(office, of));
  const join = (of: Believed, account: Account) => {
    of.state = 'accepted';
    const place = placeOf(account, of.companyId);
    // Who is in already keeps the role that they have.
    if (joined.get(place) === undefined) orgRoleAt.set(place, of.orgRole);
    if (of.orgRole === orgRoles.Owner) walk.reaches('somebody joins as an Owner');
    joined.set(place, 'active');
  };

  const steps: Readonly<Record<string, Step>> = {
    async invite() {
      const owner = ownerNow();
      const email = one(addresses);
      if (owner === undefined || email === undefined) return;
      const { companyId } = owner;
      const isOfIt = (of: Believed) => of.companyId === companyId && of.email === email;
      const isMember = hasJoined(office, accountAt(office, email), companyId);
      const isWaiting = known.some((of) => isOfIt(of) && isOpen(office, of));
      await walk.expects(!isMember && !isWaiting, async () => {
        const orgRole = walk.random() < 0.3 ? orgRoles.Owner : orgRoles.Member;
        const { invitation, link } = await invitations.create(owner, { email, orgRole, teams: [] });
        for (const of of known) if (isOfIt(of) && of.state !== 'accepted') of.state = 'revoked';
        const { inviteId } = invitation;
        known.push({
          inviteId,
          companyId,
          email,
          sender: owner.id,
          expiresAt: Date.parse(invitation.expiresAt),
          orgRole,
          state: 'pending',
          claimedBy: undefined,
          ...(await arrive(inviteId, link)),
        });
      });
    },
    async resend() {
      const of = one(known);
      const owner = ownerNow();
      if (of === undefined || owner === undefined) return;
      const isOther = known.some(
        (other) =>
          other !== of &&
          other.companyId === of.companyId &&
          other.email === of.email &&
          other.state === 'pending',
      );
      const may =
        owner.companyId === of.companyId &&
        (of.state === 'pending' || of.state === 'rejected') &&
        !isOther &&
        !hasJoined(office, accountAt(office, of.email), of.companyId);
      await walk.expects(may, async () => {
        const { invitation, link } = await invitations.resend(owner, of.inviteId);
        Object.assign(of, { state: 'pending', claimedBy: undefined, sender: owner.id });
        Object.assign(of, await arrive(of.inviteId, link));
        of.expiresAt = Date.parse(invitation.expiresAt);
      });
    },
    async revoke() {
      const of = one(known);
      const owner = ownerNow();
      if (of === undefined || owner === undefined) return;
      const may = owner.companyId === of.companyId && (of.state === 'pending' || of.state === 'rejected');
      if (await walk.expects(may, () => invitations.revoke(owner, of.inviteId))) of.state = 'revoked';
    },
    async claim() {
      const token = one(tokens);
      const account = one(accounts);
      if (token === undefined || account === undefined) return;
      const of = byToken(token);
      const may = of !== undefined && (of.email === account.email || isInvited(office, of, account));
      const done = await walk.expects(may, async () => {
        const found = await links.find(token);
        if (found === undefined) throw unknownLink();
        await links.claim(found, account);
      });
      if (!done || of === undefined) return;
      of.claimedBy = account.id;
      if (of.mail === token && of.email === account.email) account.isProven = true;
    },
    /** Somebody signed out opens a link: signs up, takes an unused account over, or takes their own address. */
    async enter() {
      // What opens nothing any more is tried by `claim`.
      const of = one(known.filter((each) => isOpen(office, each)));
      if (of === undefined) return;
      const token = one([of.token, of.mail, of.mail]) ?? '';
      const isMailed = of.mail === token;
      const account = accountAt(office, of.email);
      const found = (await links.find(token)) ?? never('The token is unknown.');
      const stored = await links.account(of.email);
      expect([walk.told, stored?.id, stored?.isOpen, found.isMailed]).toEqual([
        walk.told,
        account?.id,
        account === undefined ? undefined : isUnused(office, account),
        isMailed,
      ]);
      const newcomer = { name: 'Kim', password: testPassword };
      if (account === undefined || stored === undefined) {
        const id = await links.signUp(found, newcomer);
        walk.reaches('a link signs somebody up');
        accounts.push({ id, email: of.email, isProven: isMailed });
        of.claimedBy = id;
      } else if (isMailed && isUnused(office, account)) {
        await links.takeOver(found, stored, newcomer);
        walk.reaches('a mailed link takes an unused account over');
        account.isProven = true;
        of.claimedBy = account.id;
        // Who had it can no longer sign in to it by a provider either.
        identities.splice(0, identities.length, ...identities.filter((own) => own.account !== account));
      } else if (isMailed) {
        let id = 0;
        const caller = { address: '127.0.0.1', requestId: 'walk' };
        const done = await walk.expects(!account.isProven, async () => {
          id = await links.takeAddress(found, stored, { ...newcomer, ...caller });
        });
        walk.reaches(
          done ? 'a mailed link takes an address of one’s own' : 'an address that is proven is not taken',
        );
        if (!done) return;
        account.email = `account-${account.id}@unproven.invalid`;
        accounts.push({ id, email: of.email, isProven: true });
        of.claimedBy = id;
      }
    },
    async accept() {
      // Mostly what is open, and by somebody whose it is; also anything by anybody.
      const of = one([...known.filter((each) => isOpen(office, each)), ...known.slice(-1)]);
      if (of === undefined) return;
      const account = one([
        ...accounts.filter((each) => isInvited(office, of, each)),
        ...accounts.slice(0, 2),
      ]);
      if (account === undefined) return;
      const isSuspended = joined.get(placeOf(account, of.companyId)) === 'suspended';
      const may = isOpen(office, of) && isInvited(office, of, account) && !isSuspended;
      if (!(await walk.expects(may, () => replies.accept(account.id, of.inviteId)))) return;
      walk.reaches('an invitation is accepted');
      join(of, account);
    },
    async reject() {
      const of = one(known);
      const account = one(accounts);
      if (of === undefined || account === undefined) return;
      const may = isOpen(office, of) && isInvited(office, of, account);
      if (await walk.expects(may, () => replies.reject(account.id, of.inviteId))) of.state = 'rejected';
    },
    async prove() {
      const account = one(accounts.filter(({ email }) => addresses.includes(email)));
      if (account === undefined) return;
      account.isProven = true;
      const emailProvenAt = new Date().toISOString();
      await store.db.update(users).set({ emailProvenAt }).where(eq(users.id, account.id));
    },
    /** The provider of a company says of anybody what it likes. */
    async signInByProvider() {
      const provider = one(providers);
      if (provider === undefined) return;
      const { id: companyId } = provider.company;
      const waiting = known.filter((each) => each.companyId === companyId && isOpen(office, each));
      const email = one([...waiting.map((each) => each.email), one(addresses) ?? '']) ?? '';
      const outside = identities.filter(
        (each) => each.companyId === companyId && !hasJoined(office, each.account, companyId),
      );
      const subjects = [...outside.map(({ subject }) => subject), 's1', 's2', 's3'];
      const claims = claimsOf(one(subjects) ?? '', email);
      const own = identityOf(office, companyId, claims.subject);
      const of = known.find(
        (each) => each.companyId === companyId && each.email === email && isOpen(office, each),
      );
      const state = own === undefined ? undefined : joined.get(placeOf(own.account, companyId));
      const isNew = own === undefined && of !== undefined && accountAt(office, email) === undefined;
      const isBack = own !== undefined && state === undefined && of !== undefined;
      let userId = 0;
      const done = await walk.expects(isNew || isBack || state === 'active', async () => {
        ({ userId } = await people.signIn(provider, claims, {
          address: '127.0.0.1',
          requestId: 'test',
        }));
      });
      if (!done) return;
      const identity = own ?? newIdentity(companyId, claims, { id: userId, email, isProven: false });
      expect(userId, walk.told).toBe(identity.account.id);
      identity.email = email;
      if (state === 'active' || of === undefined) return;
      walk.reaches(`a provider brings somebody ${isNew ? 'new' : 'back'}`);
      join(of, identity.account);
    },
    /** A member connects their account to the provider of their company. */
    async connect() {
      const provider = one(providers);
      const email = one(addresses);
      if (provider === undefined || email === undefined) return;
      const { id: companyId } = provider.company;
      const account = one(accounts.filter((each) => joined.get(placeOf(each, companyId)) === 'active'));
      if (account === undefined) return;
      const claims = claimsOf(one(['s1', 's2', 's3']) ?? '', email);
      const taken = identityOf(office, companyId, claims.subject);
      const hasOther = identities.some(
        (own) => own.account === account && own.companyId === companyId && own.subject !== claims.subject,
      );
      const may = !hasOther && (taken === undefined || taken.account === account);
      const done = await walk.expects(may, () =>
        connectIdentity(store, provider, claims, { id: account.id, sessionHash: '' }, office.now),
      );
      if (!done) return;
      if (taken === undefined) identities.push({ companyId, subject: claims.subject, email, account });
      else taken.email = email;
    },
    async suspend() {
      const account = one(accounts);
      const [, , owner] = owners;
      if (account === undefined || owner === undefined || !hasJoined(office, account, owner.companyId))
        return;
      await members.change(owner, account.id, { isSuspended: true });
      joined.set(placeOf(account, owner.companyId), 'suspended');
    },
    async remove() {
      const [first, , second] = owners;
      const owner = one([first, second]);
      const account = one(accounts.filter((each) => hasJoined(office, each, owner?.companyId ?? 0)));
      if (account === undefined || owner === undefined) return;
      await members.remove(owner, account.id);
      joined.delete(placeOf(account, owner.companyId));
    },
    async removeSender() {
      const [owner, deputy] = owners;
      if (owner === undefined || deputy === undefined || removed.has(deputy.id)) return;
      await members.remove(owner, deputy.id);
      removed.add(deputy.id);
      for (const of of known) if (of.sender === deputy.id && of.state === 'pending') of.state = 'revoked';
    },
    async wait() {
      office.now += Math.floor(walk.random() * 4 * day);
      await Promise.resolve();
    },
  };

  /** Whose identity it is from now on, with the account that came with it. */
  function newIdentity(companyId: number, { subject }: Claims, account: Account): Identity {
    const identity = { companyId, subject, email: account.email, account };
    accounts.push(account);
    identities.push(identity);
    return identity;
  }

  await walk.go(steps, {
    length: 30,
    // Inviting and answering come often enough to lead somewhere.
    often: Object.entries({
      invite: 3,
      accept: 3,
      claim: 2,
      enter: 2,
      signInByProvider: 2,
    }).flatMap(([name, times]) => Array.from({ length: times }, () => name)),
  });

  for (const companyId of new Set(owners.map((owner) => owner.companyId))) {
    const rows = await store.db
      .select({ userId: memberships.userId, state: memberships.state, orgRole: memberships.orgRole })
      .from(memberships)
      .where(
        and(
          eq(memberships.companyId, companyId),
          ne(memberships.state, 'left'),
          notInArray(
            memberships.userId,
            owners.map(({ id }) => id),
          ),
        ),
      );
    const expected = [...joined].flatMap(([place, state]) =>
      place.endsWith(` ${companyId}`)
        ? [{ userId: Number(place.split(' ')[0]), state, orgRole: orgRoleAt.get(place) }]
        : [],
    );
    const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId;
    expect(rows.sort(byId), walk.told).toEqual(expected.sort(byId));
  }
}

function never(sentence: string): never {
  throw new Error(sentence);
}

provesByWalks(
  'nobody becomes a member without redeeming an open invitation of theirs, whatever the way there',
  {
    walks: rounds(32, 1_000),
    goals: [
      'an invitation is accepted',
      'somebody joins as an Owner',
      'a link signs somebody up',
      'a mailed link takes an unused account over',
      'a mailed link takes an address of one’s own',
      'an address that is proven is not taken',
      'a provider brings somebody new',
      // Few walks come to it.
      ...(isFull ? ['a provider brings somebody back'] : []),
    ],
  },
  walkAt,
);
