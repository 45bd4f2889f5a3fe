import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { Members } from '../../../src/server/organisation/members.ts';
import { InvitationReplies } from '../../../src/server/organisation/invitation-replies.ts';
import { identities } from '../../../src/server/store/schema/identities.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { rounds } from '../../prove.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { unlimited } from './unlimited.ts';
import {
  foundCompany,
  freshAddress,
  prove,
  storedInvitation,
  stranger,
  titleOf,
} from './invitation-office.ts';
import { memberOf } from './member-of.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

/** Waits until a call waits for a lock of the test's own transaction. */
async function untilLocked(): Promise<void> {
  await vi.waitUntil(async () => {
    const { rows } = await console.store.db.execute<{ waiting: number }>(
      sql`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return (rows[0]?.waiting ?? 0) > 0;
  });
}

describe('an Owner who takes the account of a member over by a reset link', () => {
  /** Ways by which an invitation of another company is the member's. */
  const ways: Readonly<Record<string, (person: TestPerson, inviteId: number) => Promise<unknown>>> = {
    'by their proven address': (person) => prove(console, person),
    'by the word of a provider of the installation': ({ id, email }) =>
      console.store.db
        .insert(identities)
        .values({ userId: id, issuer: 'https://id.example.org', subject: `s-${id}`, email }),
    'by its link': ({ id }, inviteId) =>
      console.store.db.update(invitations).set({ claimedBy: id }).where(eq(invitations.id, inviteId)),
  };

  it.each(Object.entries(ways))(
    'does not come into a company that invited the member: %s',
    async (_name, show) => {
      const [hostile, other] = [await foundCompany(console), await foundCompany(console)];
      const email = freshAddress();
      const person = await console.person({ companyId: hostile.companyId, email });
      const row = { companyId: other.companyId, email, invitedBy: other.owner.id };
      const { inviteId, mail } = await storedInvitation(console, {
        ...row,
        expiresAt: Date.now() + 60_000,
      });
      await show(person, inviteId);
      expect(await person.client.call('pendingInvitations', {})).toHaveLength(1);

      const made = await hostile.owner.client.call('memberResetLink', { params: { userId: person.id } });
      const token = /#reset=(\S+)$/.exec(made.link)?.[1] ?? '';
      await console.visitor().call('resetPassword', { body: { token, password: testPassword } });
      const thief = console.visitor();
      await thief.call('signIn', { body: { email, password: testPassword } });
      expect(await thief.call('pendingInvitations', {})).toEqual([]);
      for (const [method, path, body] of [
        ['POST', api.acceptInvitation.path, { inviteId }],
        ['POST', `/api/team/invites/${inviteId}/reject`],
      ] as const)
        expect(titleOf(await thief.send(method, path, body))).toEqual([404, 'There is no such invitation.']);
      expect(await thief.call('ownCompanies', {})).toMatchObject({
        companies: [{ companyId: hostile.companyId }],
      });

      // Whoever reads the mail of the address, or was handed the link, still comes in by it.
      await thief.call('claimInvitation', { body: { token: mail } });
      expect(await thief.call('pendingInvitations', {})).toHaveLength(1);
    },
  );
});

describe('a TeamAdmin who is taken out of the team while a call of theirs is under way', () => {
  it.each(['gives nobody a place', 'takes nobody’s place'])('%s', async (what) => {
    const { companyId } = await foundCompany(console);
    const admin = await console.person({ companyId });
    const friend = await console.person({ companyId });
    const victim = await console.person({ companyId });
    const clusterId = await console.cluster(companyId);
    const teamId = await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    await console.join(companyId, teamId, victim.id, teamRoles.Viewer);
    const { db } = console.store;
    const under = await db.transaction(async (tx) => {
      await tx
        .delete(teamMembers)
        .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, admin.id)));
      const path = `/api/team/${teamId}/members`;
      const call =
        what === 'gives nobody a place'
          ? admin.client.send('POST', path, { UserId: String(friend.id), Role: teamRoles.TeamAdmin })
          : admin.client.send('DELETE', `${path}/${victim.id}`);
      await untilLocked();
      return { call };
    });
    expect((await under.call).status).toBe(404);
    const left = await db.select().from(teamMembers).where(eq(teamMembers.teamId, teamId));
    expect(left.map(({ userId }) => userId)).toEqual([victim.id]);
  });
});

describe('an invitation that is answered by many at once', () => {
  it('makes one member once, and one that is taken back meanwhile makes none', async () => {
    const { store, services } = console;
    const replies = new InvitationReplies({ store, limits: unlimited, clock: systemClock });
    const members = new Members({ store, grants: services.grants, limits: unlimited });
    for (let round = 0; round < rounds(10, 100); round += 1) {
      const { companyId, owner } = await foundCompany(console);
      const sender = await console.person({ companyId, isOwner: true });
      const person = await stranger(console);
      const { inviteId } = await storedInvitation(console, {
        companyId,
        email: person.email,
        invitedBy: sender.id,
        expiresAt: Date.now() + 60_000,
      });
      const answers = [
        () => replies.accept(person.id, inviteId),
        () => replies.reject(person.id, inviteId),
        () => replies.accept(person.id, inviteId),
        () => members.remove(memberOf(owner, companyId, orgRoles.Owner), sender.id),
      ];
      const turn = round % answers.length;
      const ends = await Promise.allSettled(
        [...answers.slice(turn), ...answers.slice(0, turn)].map((answer) => answer()),
      );
      const [row] = await store.db.select().from(invitations).where(eq(invitations.id, inviteId));
      const joined = await store.db
        .select()
        .from(memberships)
        .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, person.id)));
      expect([round, joined.map(({ state }) => state)]).toEqual([
        round,
        row?.state === 'accepted' ? ['active'] : [],
      ]);
      // The removal is done; of the three answers at most one.
      expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
      expect(row?.state).not.toBe('pending');
    }
  });
});
