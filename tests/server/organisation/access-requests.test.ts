import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RequestState } from '../../../src/contract/access-requests.ts';
import { permissions, teamRoles } from '../../../src/contract/permissions.ts';
import { liftRule } from '../lift-rule.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { temporaryGrants } from '../../../src/server/store/schema/temporary-access.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type AccessOffice, accessOffice, ask, hasten } from './access-office.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const heldBy = async ({ client }: TestPerson, clusterId: number) =>
  (await client.call('userPermissions', { params: { clusterId } })).map(({ name }) => name);

const act = async (client: TestPerson['client'], what: Act, requestId: number) =>
  (await client.send('POST', `/api/access-requests/${requestId}/${what}`)).status;

const stateAfter = (changes: unknown) => (changes as { state?: { after: unknown } } | null)?.state?.after;

type Act = 'approve' | 'refuse' | 'end';
const acts: readonly Act[] = ['approve', 'refuse', 'end'];

/** Ways to bring a new request into each state. */
const states: Readonly<Record<RequestState, (of: AccessOffice, id: number) => Promise<unknown>>> = {
  pending: () => Promise.resolve(),
  lapsed: (_of, id) => hasten(console, id, -1),
  refused: ({ admin }, id) => admin.client.call('refuseAccess', { params: { requestId: id } }),
  withdrawn: ({ person }, id) => person.client.call('endAccess', { params: { requestId: id } }),
  active: ({ admin }, id) => admin.client.call('approveAccess', { params: { requestId: id } }),
  expired: async ({ admin }, id) => {
    await admin.client.call('approveAccess', { params: { requestId: id } });
    await hasten(console, id, -1);
  },
  revoked: async ({ admin, owner }, id) => {
    await admin.client.call('approveAccess', { params: { requestId: id } });
    await owner.client.call('endAccess', { params: { requestId: id } });
  },
  ended: async ({ owner, person }, id) => {
    await owner.client.call('approveAccess', { params: { requestId: id } });
    await owner.client.call('changeMember', { params: { userId: person.id }, body: { isSuspended: true } });
    await owner.client.call('changeMember', { params: { userId: person.id }, body: { isSuspended: false } });
  },
};

/** Everybody who might try, with whom they are. */
const actors = {
  'whoever asked': async ({ person, companyId }: AccessOffice) => await console.session(person.id, companyId),
  Owner: ({ owner }: AccessOffice) => owner.client,
  'TeamAdmin of the team': ({ admin }: AccessOffice) => admin.client,
  async 'Viewer of the team'({ companyId, teamId }: AccessOffice) {
    const one = await console.person({ companyId });
    await console.join(companyId, teamId, one.id, teamRoles.Viewer);
    return one.client;
  },
  async 'TeamAdmin of another team'({ companyId, clusterId }: AccessOffice) {
    const one = await console.person({ companyId });
    await console.grant(companyId, one.id, clusterId, teamRoles.TeamAdmin);
    return one.client;
  },
  async 'TeamAdmin of the team in a namespace of another'({ companyId, clusterId, person }: AccessOffice) {
    const one = await console.person({ companyId });
    const other = await console.grant(companyId, one.id, clusterId, teamRoles.TeamAdmin, ['elsewhere']);
    await console.join(companyId, other, person.id, teamRoles.Viewer);
    return one.client;
  },
  async 'Viewer of the team who holds it for a while'(of: AccessOffice) {
    const one = await console.person({ companyId: of.companyId });
    await console.join(of.companyId, of.teamId, one.id, teamRoles.Viewer);
    const requestId = await ask({ person: one, clusterId: of.clusterId });
    await of.owner.client.call('approveAccess', { params: { requestId } });
    return one.client;
  },
  async 'Owner of another company'() {
    return (await console.person({ companyId: await console.company(), isOwner: true })).client;
  },
} as const;
type Actor = keyof typeof actors;

/** Who gets which status in which state: approve, refuse, end. */
const rules: Readonly<Record<Actor, Readonly<Record<RequestState, readonly [number, number, number]>>>> = {
  'whoever asked': {
    pending: [403, 403, 200],
    lapsed: [403, 403, 409],
    refused: [403, 403, 409],
    withdrawn: [403, 403, 409],
    active: [403, 403, 200],
    expired: [403, 403, 409],
    revoked: [403, 403, 409],
    ended: [403, 403, 409],
  },
  Owner: {
    pending: [200, 200, 403],
    lapsed: [409, 409, 409],
    refused: [409, 409, 409],
    withdrawn: [409, 409, 409],
    active: [409, 409, 200],
    expired: [409, 409, 409],
    revoked: [409, 409, 409],
    ended: [409, 409, 409],
  },
  'TeamAdmin of the team': {
    pending: [200, 200, 403],
    lapsed: [409, 409, 409],
    refused: [409, 409, 409],
    withdrawn: [409, 409, 409],
    active: [409, 409, 200],
    expired: [409, 409, 409],
    revoked: [409, 409, 409],
    ended: [409, 409, 409],
  },
  'Viewer of the team': never(404),
  'TeamAdmin of another team': never(404),
  'TeamAdmin of the team in a namespace of another': {
    pending: [403, 403, 403],
    lapsed: [403, 403, 409],
    refused: [403, 403, 409],
    withdrawn: [403, 403, 409],
    active: [403, 403, 403],
    expired: [403, 403, 409],
    revoked: [403, 403, 409],
    ended: [403, 403, 409],
  },
  'Viewer of the team who holds it for a while': never(404),
  'Owner of another company': never(404),
};

function never(status: number): Readonly<Record<RequestState, readonly [number, number, number]>> {
  const all = [status, status, status] as const;
  return {
    pending: all,
    lapsed: all,
    refused: all,
    withdrawn: all,
    active: all,
    expired: all,
    revoked: all,
    ended: all,
  };
}

describe('a request', () => {
  it.each(Object.keys(states) as RequestState[])(
    'that is %s is decided on and ended by those alone who may, and stays as it is otherwise',
    async (state) => {
      for (const [index, what] of acts.entries()) {
        const of = await accessOffice(console);
        const id = await ask(of);
        await states[state](of, id);
        // A suspension ended the session.
        const stateNow = async () => {
          const { requests } = await (await console.session(of.person.id, of.companyId)).call(
            'accessRequests',
            {},
          );
          return requests.find((one) => one.id === id)?.state;
        };
        expect(await stateNow()).toBe(state);
        // Who may comes last: everybody before them must leave it as it is.
        const order = (Object.keys(actors) as Actor[]).sort(
          (a, b) => (rules[b][state][index] ?? 0) - (rules[a][state][index] ?? 0),
        );
        for (const actor of order) {
          const expected = rules[actor][state][index];
          const status = await act(await actors[actor](of), what, id);
          expect([what, actor, status]).toEqual([what, actor, expected]);
          if (status === 200) break;
          expect(await stateNow()).toBe(state);
        }
        const isHeld = (
          await heldBy(
            { ...of.person, client: await console.session(of.person.id, of.companyId) },
            of.clusterId,
          )
        ).includes('pods.manage');
        expect(isHeld, `${state} ${what}`).toBe((await stateNow()) === 'active');
      }
    },
    60_000,
  );

  it('is decided on by each of those who may', async () => {
    for (const actor of ['Owner', 'TeamAdmin of the team'] as const) {
      for (const [what, state] of [
        ['approve', 'active'],
        ['refuse', 'refused'],
      ] as const) {
        const of = await accessOffice(console);
        const id = await ask(of);
        expect(await act(actors[actor](of), what, id)).toBe(200);
        const { requests } = await of.person.client.call('accessRequests', {});
        expect(requests.map((one) => one.state)).toEqual([state]);
      }
    }
  });

  it('asks for nothing that is held, nothing of the cluster in namespaces, and nothing of clusters out of reach', async () => {
    const of = await accessOffice(console);
    const body = { clusterId: of.clusterId, reason: 'An incident', minutes: 60 };
    const status = async (more: object, { client }: TestPerson = of.person) =>
      (await client.send('POST', '/api/access-requests', { ...body, ...more })).status;
    expect(await status({ permissions: ['pods.view'] })).toBe(409);
    expect(await status({ permissions: ['pods.manage'] }, of.owner)).toBe(409);
    expect(await status({ permissions: ['persistentvolumes.manage'], namespaces: ['shop'] })).toBe(409);
    expect(await status({ permissions: ['pods.manage'], minutes: 24 * 60 + 1 })).toBe(400);
    expect(await status({ permissions: ['pods.manage'], reason: ' ' })).toBe(400);
    expect(await status({ permissions: [] })).toBe(400);
    expect(await status({ permissions: ['pods.manage'], clusterId: 999_999 })).toBe(404);
    const foreign = await console.cluster(await console.company());
    expect(await status({ permissions: ['pods.manage'], clusterId: foreign })).toBe(404);
    const { requests } = await of.person.client.call('accessRequests', {});
    expect(requests).toEqual([]);
  });

  it('asks to see as well what it asks to change, where that is not held', async () => {
    const of = await accessOffice(console);
    const stranger = await console.person({ companyId: of.companyId });
    await console.grant(of.companyId, stranger.id, of.clusterId, teamRoles.Viewer, ['shop']);
    await ask({ person: stranger, clusterId: of.clusterId }, ['pods.manage'], ['data']);
    const { requests } = await stranger.client.call('accessRequests', {});
    expect(requests[0]).toMatchObject({ permissions: ['pods.manage', 'pods.view'], namespaces: ['data'] });
  });

  it('waits with at most nine others of the same person', async () => {
    const of = await accessOffice(console);
    for (let number = 0; number < 10; number += 1) await ask(of);
    await expect(ask(of)).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('Withdraw one'),
    });
  });
});

describe('what is given for a while', () => {
  it('is held pair by pair: in its namespaces alone, and never as a role', async () => {
    const of = await accessOffice(console);
    const id = await ask(of, ['pods.manage', 'secrets.view'], ['shop']);
    await of.admin.client.call('approveAccess', { params: { requestId: id } });
    const asker = { id: of.person.id, companyId: of.companyId, orgRole: 2 as const, token: null };
    const held = await console.services.grants.held(asker, of.clusterId);
    expect(held.may('pods.manage', { namespace: 'shop' })).toBe(true);
    expect(held.may('secrets.view', { namespace: 'shop' })).toBe(true);
    expect(held.may('pods.manage', { namespace: 'data' })).toBe(false);
    expect(held.may('deployments.manage', { namespace: 'shop' })).toBe(false);
    expect(held.may('pods.view', 'cluster')).toBe(true);
    const put = await of.person.client.send('POST', `/api/team/${of.teamId}/members`, {
      UserId: String(of.person.id),
      Role: teamRoles.TeamAdmin,
    });
    expect(put.status).toBe(403);
  });

  it('shrinks with what the team reaches by which it was approved', async () => {
    const of = await accessOffice(console);
    await of.admin.client.call('approveAccess', { params: { requestId: await ask(of) } });
    const asker = { id: of.person.id, companyId: of.companyId, orgRole: 2 as const, token: null };
    await of.owner.client.call('addTeamCluster', {
      params: { teamId: of.teamId },
      body: { clusterId: String(of.clusterId), namespaces: ['shop'] },
    });
    const held = await console.services.grants.held(asker, of.clusterId);
    expect(held.may('pods.manage', 'cluster')).toBe(false);
    expect(held.may('pods.manage', { namespace: 'shop' })).toBe(true);
  });

  /** What ends it for good, also when it is undone at once. */
  const endings: Readonly<Record<string, (of: AccessOffice) => Promise<void>>> = {
    async suspension({ owner, person }) {
      const params = { userId: person.id };
      await owner.client.call('changeMember', { params, body: { isSuspended: true } });
      await owner.client.call('changeMember', { params, body: { isSuspended: false } });
    },
    async 'the loss of the place in the team'({ owner, person, teamId, companyId }) {
      await owner.client.call('removeTeamMember', { params: { teamId, userId: person.id } });
      await console.join(companyId, teamId, person.id, teamRoles.Viewer);
    },
    async 'the loss of the cluster of the team'({ owner, teamId, clusterId }) {
      await owner.client.call('removeTeamCluster', { params: { teamId, clusterId } });
      await owner.client.call('addTeamCluster', {
        params: { teamId },
        body: { clusterId: String(clusterId) },
      });
    },
  };
  it.each(Object.entries(endings))('ends for good with %s', async (_name, end) => {
    const of = await accessOffice(console);
    const requestId = await ask(of);
    await of.admin.client.call('approveAccess', { params: { requestId } });
    await end(of);
    const client = await console.session(of.person.id, of.companyId);
    expect(await heldBy({ ...of.person, client }, of.clusterId)).not.toContain('pods.manage');
    expect((await client.call('accessRequests', {})).requests[0]?.state).toBe('ended');
  });

  it('gives nothing where no team of the person reaches the cluster any more', async () => {
    const of = await accessOffice(console);
    await of.owner.client.call('approveAccess', { params: { requestId: await ask(of) } });
    expect(await heldBy(of.person, of.clusterId)).toContain('pods.manage');
    await of.owner.client.call('removeTeamMember', { params: { teamId: of.teamId, userId: of.person.id } });
    const answer = await of.person.client.send('GET', `/api/clusters/${of.clusterId}/user-permissions`);
    expect(answer.status).toBe(404);
  });

  it('lasts at most a day, whatever the code says', async () => {
    const of = await accessOffice(console);
    const requestId = await ask(of);
    const row = { requestId, companyId: of.companyId, userId: of.person.id, clusterId: of.clusterId };
    const endsAt = new Date(Date.now() + 25 * 3_600_000).toISOString();
    await expect(
      console.store.db.insert(temporaryGrants).values({ ...row, permissions: [...permissions], endsAt }),
    ).rejects.toMatchObject({ cause: { constraint: 'temporary_grants_a_day' } });
  });

  it('is in the audit from the question to the end', async () => {
    const of = await accessOffice(console);
    const [first, second, third, fourth] = [await ask(of), await ask(of), await ask(of), await ask(of)];
    await of.owner.client.call('approveAccess', { params: { requestId: first } });
    await of.admin.client.call('refuseAccess', { params: { requestId: second } });
    await of.admin.client.call('approveAccess', { params: { requestId: third } });
    await of.owner.client.call('endAccess', { params: { requestId: third } });
    await hasten(console, first, -1);
    const rows = async () =>
      await console.store.db
        .select()
        .from(auditRows)
        .where(and(eq(auditRows.companyId, of.companyId), isNotNull(auditRows.status)))
        .orderBy(asc(auditRows.id));
    await vi.waitUntil(async () => (await rows()).some(({ action }) => action === 'access.expire'), {
      timeout: 60_000,
    });
    // Once, whoever looks, and as it is for everybody.
    await hasten(console, fourth, -1);
    await vi.waitUntil(async () => (await rows()).some(({ action }) => action === 'access.lapse'), {
      timeout: 60_000,
    });
    await hasten(console, fourth, -1);
    const { requests } = await of.person.client.call('accessRequests', {});
    expect(requests.find(({ id }) => id === fourth)?.state).toBe('lapsed');
    const told = (await rows()).map(({ action, actor, changes }) => [action, actor, stateAfter(changes)]);
    expect(told).toEqual([
      ['askAccess', of.person.email, undefined],
      ['askAccess', of.person.email, undefined],
      ['askAccess', of.person.email, undefined],
      ['askAccess', of.person.email, undefined],
      ['approveAccess', of.owner.email, 'active'],
      ['refuseAccess', of.admin.email, 'refused'],
      ['approveAccess', of.admin.email, 'active'],
      ['endAccess', of.owner.email, 'revoked'],
      ['access.expire', 'expiry', 'expired'],
      ['access.lapse', 'expiry', 'lapsed'],
    ]);
    const [asked] = await rows();
    expect(asked).toMatchObject({ clusterId: of.clusterId, subject: { reason: 'An incident', minutes: 60 } });
  });
});

describe('two approvals', () => {
  const twoOwners = async () => {
    const of = await accessOffice(console);
    const second = await console.person({ companyId: of.companyId, isOwner: true });
    await of.owner.client.call('setApprovalRule', { body: { approvers: 2 } });
    return { ...of, second };
  };
  const approve = async ({ client }: TestPerson, requestId: number) =>
    await client.call('approveAccess', { params: { requestId } });

  it('are asked for only where two Owners can decide on every request', async () => {
    const of = await accessOffice(console);
    const [{ name } = { name: '' }] = await console.store.db
      .select()
      .from(users)
      .where(eq(users.id, of.owner.id));
    await expect(of.owner.client.call('setApprovalRule', { body: { approvers: 2 } })).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining(`${name} is the only Owner`),
    });
    expect(await of.owner.client.call('approvalRule', {})).toEqual({ approvers: 1, owners: [name] });
    const rule = await (await twoOwners()).owner.client.call('approvalRule', {});
    expect(rule).toMatchObject({ approvers: 2, owners: [expect.any(String), expect.any(String)] });
  });

  it('are those of two people: the first one gives nothing, and the same person gives no second', async () => {
    const of = await twoOwners();
    const id = await ask(of);
    expect(await approve(of.owner, id)).toMatchObject({
      state: 'pending',
      approversNeeded: 2,
      approvedBy: [expect.any(String)],
      mayDecide: true,
      mayApprove: false,
    });
    expect(await heldBy(of.person, of.clusterId)).not.toContain('pods.manage');
    await expect(approve(of.owner, id)).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('You approved this request already'),
    });
    expect(await act(of.person.client, 'approve', id)).toBe(403);
    expect(await approve(of.second, id)).toMatchObject({ state: 'active' });
    expect(await heldBy(of.person, of.clusterId)).toContain('pods.manage');
    const rows = await console.store.db
      .select()
      .from(auditRows)
      .where(
        and(
          eq(auditRows.companyId, of.companyId),
          eq(auditRows.action, 'approveAccess'),
          eq(auditRows.status, 200),
        ),
      )
      .orderBy(asc(auditRows.id));
    expect(rows.map(({ actor, changes }) => [actor, stateAfter(changes)])).toEqual([
      [of.owner.email, undefined],
      [of.second.email, 'active'],
    ]);
    // The first approver may take it back as well.
    expect(await act(of.owner.client, 'end', id)).toBe(200);
  });

  it('at the same moment count as two', async () => {
    const of = await twoOwners();
    const id = await ask(of);
    const approvers = [of.owner.client, of.second.client];
    const statuses = await Promise.all(approvers.map((client) => act(client, 'approve', id)));
    // One of them may be asked to look at it again.
    for (const [index, client] of approvers.entries())
      if (statuses[index] === 409) expect(await act(client, 'approve', id)).toBe(200);
    const { requests } = await of.person.client.call('accessRequests', {});
    expect(requests[0]).toMatchObject({
      state: 'active',
      approvedBy: [expect.any(String), expect.any(String)],
    });
  });

  it('count only while both may decide', async () => {
    const of = await twoOwners();
    const id = await ask(of);
    await approve(of.admin, id);
    await of.owner.client.call('removeTeamMember', { params: { teamId: of.teamId, userId: of.admin.id } });
    expect(await approve(of.owner, id)).toMatchObject({ state: 'pending', approvedBy: [expect.any(String)] });
    expect(await approve(of.second, id)).toMatchObject({ state: 'active' });
  });

  it('one of them by a TeamAdmin end with the team of the TeamAdmin, and two of different teams give nothing', async () => {
    const of = await twoOwners();
    const id = await ask(of);
    await approve(of.admin, id);
    const other = await console.person({ companyId: of.companyId });
    const otherTeam = await console.grant(of.companyId, other.id, of.clusterId, teamRoles.TeamAdmin);
    await console.join(of.companyId, otherTeam, of.person.id, teamRoles.Viewer);
    expect(await act(other.client, 'approve', id)).toBe(403);
    await approve(of.owner, id);
    expect(await heldBy(of.person, of.clusterId)).toContain('pods.manage');
    await of.owner.client.call('removeTeamMember', { params: { teamId: of.teamId, userId: of.person.id } });
    expect(await heldBy(of.person, of.clusterId)).not.toContain('pods.manage');
  });

  it('hold for requests that wait, and one is enough once an Owner or the operator says so', async () => {
    const of = await twoOwners();
    const [first, second] = [await ask(of), await ask(of)];
    await approve(of.owner, first);
    await of.second.client.call('setApprovalRule', { body: { approvers: 1 } });
    expect(await approve(of.owner, first)).toMatchObject({ state: 'active' });
    await of.second.client.call('setApprovalRule', { body: { approvers: 2 } });
    await liftRule(console, 'two-approvers', of.companyId);
    expect(await approve(of.owner, second)).toMatchObject({ state: 'active' });
    const lifted = await console.store.db.select().from(auditRows).where(eq(auditRows.action, 'liftRule'));
    expect(lifted).toMatchObject([
      { companyId: of.companyId, actor: 'operator', subject: { rule: 'two-approvers' } },
    ]);
  });
});
