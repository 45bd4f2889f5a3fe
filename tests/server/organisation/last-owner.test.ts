import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { Problem } from '../../../src/contract/problem.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { Members } from '../../../src/server/organisation/members.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { rounds } from '../../prove.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { unlimited } from './unlimited.ts';
import { titleOf } from './invitation-office.ts';
import { untilWaiting } from '../until-waiting.ts';
import { memberOf } from './member-of.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const path = (userId: number) => `/api/organization/members/${userId}`;
const change = (by: TestPerson, userId: number, body: unknown) => by.client.send('PUT', path(userId), body);

/** A company with as many Owners. */
async function companyOf(count: number): Promise<{ companyId: number; owners: TestPerson[] }> {
  const companyId = await console.company();
  const owners = [];
  for (let index = 0; index < count; index += 1)
    owners.push(await console.person({ companyId, isOwner: true }));
  return { companyId, owners };
}

const membershipOf = (companyId: number, userId: number) =>
  and(eq(memberships.companyId, companyId), eq(memberships.userId, userId));

/** The ids of those who are active Owners of a company. */
async function activeOwners(companyId: number): Promise<number[]> {
  const rows = await console.store.db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.orgRole, orgRoles.Owner),
        eq(memberships.state, 'active'),
      ),
    );
  return rows.map(({ userId }) => userId);
}

describe('the last Owner stays one, and each act has its sentence', () => {
  it('to leave', async () => {
    const { companyId, owners } = await companyOf(1);
    const [owner] = owners as [TestPerson];
    const refused = [
      409,
      'You are the last Owner of this organisation and cannot leave it. Make somebody else an Owner first, or delete the organisation.',
    ];
    expect(titleOf(await owner.client.send('POST', '/api/organization/leave'))).toEqual(refused);
    // To remove oneself is to leave.
    expect(titleOf(await owner.client.send('DELETE', path(owner.id)))).toEqual(refused);
    expect(await owner.client.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
    expect(await activeOwners(companyId)).toEqual([owner.id]);
  });

  it('to be demoted', async () => {
    const { companyId, owners } = await companyOf(1);
    const [owner] = owners as [TestPerson];
    expect(titleOf(await change(owner, owner.id, { orgRole: 2 }))).toEqual([
      409,
      'This is the last Owner of the organisation and has to stay one. Make somebody else an Owner first.',
    ]);
    expect(await activeOwners(companyId)).toEqual([owner.id]);
  });

  it('to be suspended', async () => {
    const { companyId, owners } = await companyOf(1);
    const [owner] = owners as [TestPerson];
    expect(titleOf(await change(owner, owner.id, { isSuspended: true }))).toEqual([
      409,
      'This is the last Owner of the organisation and cannot be suspended. Make somebody else an Owner first.',
    ]);
    expect(await activeOwners(companyId)).toEqual([owner.id]);
  });

  it('to be removed, by somebody who was an Owner when they asked and is none when it is done', async () => {
    const { companyId, owners } = await companyOf(2);
    const [owner, other] = owners as [TestPerson, TestPerson];
    const { db } = console.store;
    const asked = await db.transaction(async (tx) => {
      await tx.update(memberships).set({ orgRole: orgRoles.Member }).where(membershipOf(companyId, other.id));
      const removal = other.client.send('DELETE', path(owner.id));
      await untilWaiting(console);
      return { removal };
    });
    expect(titleOf(await asked.removal)).toEqual([
      409,
      'This is the last Owner of the organisation and cannot be removed. Make somebody else an Owner first.',
    ]);
    expect(await activeOwners(companyId)).toEqual([owner.id]);
    expect(await owner.client.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
  });

  it('and whoever is an Owner no more when it is done does nothing to the others either', async () => {
    const { companyId, owners } = await companyOf(3);
    const [owner, , former] = owners.map((person) => memberOf(person, companyId, orgRoles.Owner)) as [
      Member,
      Member,
      Member,
    ];
    const { store, services } = console;
    const members = new Members({ store, grants: services.grants, limits: unlimited });
    await members.change(owner, former.id, { orgRole: orgRoles.Member });
    for (const act of [
      () => members.remove(former, owner.id),
      () => members.change(former, owner.id, { orgRole: orgRoles.Member }),
      () => members.change(former, owner.id, { isSuspended: true }),
      () => members.change(former, former.id, { orgRole: orgRoles.Owner }),
      () => members.endSessions(former, owner.id),
    ])
      await expect(act()).rejects.toMatchObject({
        status: 403,
        title: 'Only an Owner of your organisation can do this. Ask one of them.',
      });
    expect(await activeOwners(companyId)).toHaveLength(2);
    // To leave is for everybody.
    await members.remove(former, former.id);
  });

  it('a suspended Owner does not count as another one', async () => {
    const { owners } = await companyOf(2);
    const [owner, second] = owners as [TestPerson, TestPerson];
    expect((await change(owner, second.id, { isSuspended: true })).status).toBe(200);
    expect((await change(owner, owner.id, { orgRole: 2 })).status).toBe(409);
  });
});

type Act = (members: Members, by: Member, other: Member) => Promise<unknown>;
const acts = {
  demote: (members, by, other) => members.change(by, other.id, { orgRole: orgRoles.Member }),
  suspend: (members, by, other) => members.change(by, other.id, { isSuspended: true }),
  remove: (members, by, other) => members.remove(by, other.id),
  leave: (members, by) => members.remove(by, by.id),
} as const satisfies Record<string, Act>;
type ActName = keyof typeof acts;

/** What two Owners do to each other at once, and how often it is tried. */
const races: readonly (readonly [first: ActName, second: ActName, times: number])[] = [
  ['remove', 'remove', 50],
  ['demote', 'demote', 50],
  ['suspend', 'suspend', 10],
  ['leave', 'leave', 10],
  ['remove', 'demote', 10],
  ['remove', 'suspend', 10],
  ['demote', 'suspend', 10],
];

describe('of two Owners who end each other at once one remains', () => {
  it.each(races)('%s and %s', async (first, second, times) => {
    const { companyId, owners } = await companyOf(2);
    const [one, other] = owners.map((person) => memberOf(person, companyId, orgRoles.Owner)) as [
      Member,
      Member,
    ];
    const { store, services } = console;
    const members = new Members({ store, grants: services.grants, limits: unlimited });
    for (let round = 0; round < rounds(times, 200); round += 1) {
      const ends = await Promise.allSettled([
        acts[first](members, one, other),
        acts[second](members, other, one),
      ]);
      const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      expect(failures, `round ${round}`).toHaveLength(1);
      // The second act meets the last Owner, or somebody who has gone.
      expect(failures[0]).toBeInstanceOf(Problem);
      expect([403, 404, 409]).toContain((failures[0] as Problem).status);
      expect(await activeOwners(companyId), `round ${round}`).toHaveLength(1);
      await store.db
        .update(memberships)
        .set({ orgRole: orgRoles.Owner, state: 'active' })
        .where(eq(memberships.companyId, companyId));
    }
  });

  it('also by calls of both, of which one is refused in words', async () => {
    for (let round = 0; round < rounds(5, 50); round += 1) {
      const { companyId, owners } = await companyOf(2);
      const [one, other] = owners as [TestPerson, TestPerson];
      const answers = await Promise.all([
        one.client.send('DELETE', path(other.id)),
        other.client.send('DELETE', path(one.id)),
      ]);
      const refused = answers.filter(({ status }) => status !== 204);
      expect(refused.map(titleOf)).toEqual([[expect.any(Number), expect.stringMatching(/\.$/)]]);
      expect(await activeOwners(companyId)).toHaveLength(1);
    }
  });
});
