import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { InvitationLinks } from '../../../src/server/organisation/invitation-links.ts';
import { InvitationMails } from '../../../src/server/organisation/invitation-mail.ts';
import { InvitationReplies } from '../../../src/server/organisation/invitation-replies.ts';
import { Invitations } from '../../../src/server/organisation/invitations.ts';
import { Members } from '../../../src/server/organisation/members.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { MailQueue } from '../../../src/server/mail/mail-queue.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { chance, rounds } from '../../prove.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { freshAddress, tokenOf } from './invitation-office.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const day = 24 * 3_600_000;
const stepsOfWalk = 14;

/** An invitation as the walk believes it to be; nothing of it is read from the store. */
interface Believed {
  readonly inviteId: number;
  readonly companyId: number;
  readonly email: string;
  sender: number;
  token: string;
  expiresAt: number;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked';
  claimedBy: number | undefined;
}

/** Tokens that were told once, also those that newer ones replaced: anybody may have found one. */
interface Office {
  readonly owners: readonly Member[];
  readonly people: readonly { readonly id: number; readonly email: string; isProven: boolean }[];
  readonly known: Believed[];
  readonly tokens: string[];
  /** Who is in which company, as `person company`. */
  readonly joined: Map<string, 'active' | 'suspended'>;
  now: number;
}

async function furnish(): Promise<Office> {
  const { db } = console.store;
  const owners: Member[] = [];
  for (const count of [2, 1]) {
    const companyId = await console.company();
    for (let index = 0; index < count; index += 1) {
      const { id, email } = await console.person({ companyId, isOwner: true });
      const rest = {
        companyName: 'company',
        orgRole: 1 as const,
        name: 'Owner',
        sessionHash: '',
        providerId: null,
        token: null,
      };
      owners.push({ id, email, companyId, ...rest });
    }
  }
  const people = [];
  for (let index = 0; index < 3; index += 1) {
    const [row] = await db
      .insert(users)
      .values({ email: freshAddress(), name: 'Kim' })
      .returning({ id: users.id, email: users.email });
    if (row !== undefined) people.push({ ...row, isProven: false });
  }
  return { owners, people, known: [], tokens: [], joined: new Map(), now: Date.now() };
}

/** Whether something was done; a Problem says that it was refused. */
async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function walk(random: () => number): Promise<void> {
  const office = await furnish();
  const { owners, people, known, tokens, joined } = office;
  const { store, services } = console;
  const now = () => office.now;
  const parts = { store, log: services.log, clock: systemClock };
  const queue = new StoredQueue(parts);
  const mailer = new MailQueue({ ...parts, now, queue, settings: null, vault: services.vault });
  const mails = new InvitationMails({ mailer });
  const invitations = new Invitations({ store, mails, now, origin: () => 'http://console' });
  const links = new InvitationLinks({ store, now });
  const replies = new InvitationReplies({ store, now });
  const members = new Members({ store, grants: services.grants });
  const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const isOpen = (of: Believed) => of.state === 'pending' && of.expiresAt > office.now;
  const told = (link: string) => {
    const token = tokenOf(link);
    tokens.push(token);
    return token;
  };
  const removed = new Set<number>();
  const path: string[] = [];

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    async invite() {
      const owner = one(owners.filter(({ id }) => !removed.has(id)));
      const person = one(people);
      if (owner === undefined || person === undefined) return;
      const { companyId } = owner;
      const isMember = joined.has(`${person.id} ${companyId}`);
      const open = known.find((of) => of.companyId === companyId && of.email === person.email && isOpen(of));
      const done = await isDone(async () => {
        const { invitation, link } = await invitations.create(owner, {
          email: person.email,
          orgRole: 2,
          teams: [],
        });
        for (const of of known)
          if (of.companyId === companyId && of.email === person.email && of.state !== 'accepted')
            of.state = 'revoked';
        const expiresAt = Date.parse(invitation.expiresAt);
        const token = told(link);
        const { inviteId } = invitation;
        const believed = { inviteId, companyId, email: person.email, sender: owner.id, token, expiresAt };
        known.push({ ...believed, state: 'pending', claimedBy: undefined });
      });
      expect(done, path.join(', ')).toBe(!isMember && open === undefined);
    },
    async resend() {
      const of = one(known);
      const owner = one(owners.filter(({ id }) => !removed.has(id)));
      if (of === undefined || owner === undefined) return;
      const person = people.find(({ email }) => email === of.email);
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
        !joined.has(`${person?.id ?? 0} ${of.companyId}`);
      const done = await isDone(async () => {
        const { invitation, link } = await invitations.resend(owner, of.inviteId);
        Object.assign(of, { state: 'pending', claimedBy: undefined, sender: owner.id, token: told(link) });
        of.expiresAt = Date.parse(invitation.expiresAt);
      });
      expect(done, path.join(', ')).toBe(may);
    },
    async revoke() {
      const of = one(known);
      const owner = one(owners.filter(({ id }) => !removed.has(id)));
      if (of === undefined || owner === undefined) return;
      const may = owner.companyId === of.companyId && (of.state === 'pending' || of.state === 'rejected');
      expect(await isDone(() => invitations.revoke(owner, of.inviteId)), path.join(', ')).toBe(may);
      if (may) of.state = 'revoked';
    },
    async claim() {
      const token = one(tokens);
      const person = one(people);
      if (token === undefined || person === undefined) return;
      const of = known.find((each) => each.token === token && isOpen(each));
      const done = await isDone(async () => {
        const found = await links.find(token);
        if (found === undefined) throw new Problem({ status: 410, title: 'unknown' });
        await links.claim(found, person);
      });
      expect(done, path.join(', ')).toBe(of !== undefined && of.email === person.email);
      if (done && of !== undefined) of.claimedBy = person.id;
    },
    async accept() {
      const of = one(known);
      const person = one(people);
      if (of === undefined || person === undefined) return;
      const place = `${person.id} ${of.companyId}`;
      const isInvited = of.claimedBy === person.id || (person.isProven && of.email === person.email);
      const may = isOpen(of) && isInvited && joined.get(place) !== 'suspended';
      expect(await isDone(() => replies.accept(person.id, of.inviteId)), path.join(', ')).toBe(may);
      if (!may) return;
      of.state = 'accepted';
      joined.set(place, 'active');
    },
    async reject() {
      const of = one(known);
      const person = one(people);
      if (of === undefined || person === undefined) return;
      const isInvited = of.claimedBy === person.id || (person.isProven && of.email === person.email);
      const may = isOpen(of) && isInvited;
      expect(await isDone(() => replies.reject(person.id, of.inviteId)), path.join(', ')).toBe(may);
      if (may) of.state = 'rejected';
    },
    async prove() {
      const person = one(people);
      if (person === undefined) return;
      person.isProven = true;
      const emailProvenAt = new Date().toISOString();
      await store.db.update(users).set({ emailProvenAt }).where(eq(users.id, person.id));
    },
    async suspend() {
      const person = one(people);
      const owner = owners[2];
      const place = `${person?.id ?? 0} ${owner?.companyId ?? 0}`;
      if (person === undefined || owner === undefined || !joined.has(place)) return;
      await members.change(owner, person.id, { isSuspended: true });
      joined.set(place, 'suspended');
    },
    async remove() {
      const person = one(people);
      const owner = owners[2];
      const place = `${person?.id ?? 0} ${owner?.companyId ?? 0}`;
      if (person === undefined || owner === undefined || !joined.has(place)) return;
      await members.remove(owner, person.id);
      joined.delete(place);
    },
    async removeSender() {
      const [owner, deputy] = owners;
      if (owner === undefined || deputy === undefined || removed.has(deputy.id)) return;
      await members.remove(owner, deputy.id);
      removed.add(deputy.id);
      for (const of of known) if (of.sender === deputy.id && of.state === 'pending') of.state = 'revoked';
    },
    async wait() {
      office.now += Math.floor(random() * 4 * day);
      await Promise.resolve();
    },
  };
  // Inviting and answering come often enough to lead somewhere.
  const names = [
    ...Object.keys(steps),
    'invite',
    'invite',
    'accept',
    'accept',
    'accept',
    'claim',
    'claim',
    'prove',
  ];
  for (let step = 0; step < stepsOfWalk; step += 1) {
    const name = one(names) ?? 'invite';
    path.push(name);
    await steps[name]?.();
  }

  for (const companyId of new Set(owners.map((owner) => owner.companyId))) {
    const rows = await store.db
      .select({ userId: memberships.userId, state: memberships.state })
      .from(memberships)
      .where(
        and(eq(memberships.companyId, companyId), ne(memberships.state, 'left'), eq(memberships.orgRole, 2)),
      );
    const expected = [...joined].flatMap(([place, state]) =>
      place.endsWith(` ${companyId}`) ? [{ userId: Number(place.split(' ')[0]), state }] : [],
    );
    const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId;
    expect(rows.sort(byId), path.join(', ')).toEqual(expected.sort(byId));
  }
}

it(
  'nobody becomes a member without redeeming an open invitation of theirs, whatever the way there',
  async () => {
    const random = chance();
    const walks = rounds(25, 1_000);
    for (let number = 0; number < walks; number += 1) await walk(random);
  },
  rounds(120_000, 1_800_000),
);
