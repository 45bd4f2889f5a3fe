import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { findByToken } from '../../../src/server/access/api-tokens.ts';
import { markOf, readBearerRights } from '../../../src/server/access/bearer-rights.ts';
import { type ClusterSettings, heldBy, type Reach, type Rights } from '../../../src/server/access/grants.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { sightKey } from '../../../src/server/access/sight.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { ask } from '../organisation/access-office.ts';

describe('the rights of what is open', () => {
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;
  let owner: TestPerson;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    clusterId = await console.cluster(companyId);
    owner = await console.person({ companyId, isOwner: true });
  });
  afterAll(() => console.close());

  type Asked = Pick<Member, 'id' | 'companyId' | 'orgRole' | 'token' | 'sessionHash'>;
  const bySession = ({ id, client }: TestPerson): Asked => ({
    id,
    companyId,
    orgRole: orgRoles.Member,
    token: null,
    sessionHash: hashToken(client.cookies.get(client.sessionCookie) ?? '').toString('hex'),
  });
  const keyOf = (rights: Reach | Rights | undefined) => (rights === undefined ? 'none' : sightKey(rights));

  /** Rights of somebody as a call reads them, and as a socket of theirs does. */
  async function found(asked: Asked): Promise<readonly [call: string, socket: string]> {
    const reach = await console.services.grants.access(asked, clusterId).catch(() => undefined);
    const open = await readBearerRights(console.store.db, [{ by: 'session', person: asked, clusterId }]);
    return [keyOf(reach), keyOf(open.get(asked.sessionHash)?.rights.get(clusterId))];
  }

  it('are those of a call: by role, namespaces, for a while, without what views leave out, and by API token', async () => {
    const { db } = console.store;
    const [stranger, viewer, mixed, suspended] = [
      await console.person({ companyId }),
      await console.person({ companyId }),
      await console.person({ companyId }),
      await console.person({ companyId }),
    ];
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    await console.grant(companyId, mixed.id, clusterId, teamRoles.Viewer, ['shop', 'data']);
    await console.grant(companyId, mixed.id, clusterId, teamRoles.TeamAdmin, ['data']);
    await console.grant(companyId, suspended.id, clusterId, teamRoles.TeamAdmin);
    const seen: string[] = [];
    const expectSame = async (asked: Asked) => {
      const [call, socket] = await found(asked);
      expect(socket).toBe(call);
      seen.push(call);
    };
    for (const person of [owner, stranger, viewer, mixed, suspended]) await expectSame(bySession(person));

    const requestId = await ask({ person: viewer, clusterId }, ['pods.manage'], ['shop']);
    await owner.client.call('approveAccess', { params: { requestId } });
    await expectSame(bySession(viewer));
    await mixed.client.call('saveUserSettings', {
      params: { clusterId },
      body: { excludedNamespaces: ['data'] },
    });
    await expectSame(bySession(mixed));

    const { secret } = await mixed.client.call('createToken', {
      body: { name: 'script', scopes: ['pods.view', 'pods.manage'] },
    });
    const { person: script } = await findByToken(db, secret, { address: '127.0.0.1', now: Date.now() });
    if (script === undefined) throw new Error('There is no such token.');
    await expectSame(script);

    // Each of these differs from all others, but for two who reach nothing yet and no more.
    await db.update(memberships).set({ state: 'suspended' }).where(eq(memberships.userId, suspended.id));
    await expectSame(bySession(suspended));
    expect(seen.filter((key) => key === 'none')).toHaveLength(2);
    expect(new Set(seen).size).toBe(seen.length - 1);
  });
});

describe('what is compared of the rights of what is open', () => {
  const cluster: ClusterSettings = {
    id: 1,
    companyId: 1,
    name: 'prod',
    isProtected: false,
    isReadOnly: false,
    isShellAllowed: true,
    isShellRecorded: false,
    isImpersonating: false,
    namespaces: [],
    credentialVersion: 1,
  };
  const rights: Rights = {
    cluster,
    held: heldBy(orgRoles.Member, [{ role: teamRoles.Viewer, namespaces: null }]),
    excluded: new Set(),
  };
  const others: Required<ClusterSettings> = {
    id: 2,
    companyId: 2,
    name: 'test',
    isProtected: true,
    isReadOnly: true,
    isShellAllowed: false,
    isShellRecorded: true,
    isImpersonating: true,
    namespaces: ['shop'],
    credentialVersion: 2,
  };

  it.each(Object.entries(others).filter(([name]) => name !== 'companyId'))(
    'has %s of the cluster',
    (name, value) => {
      expect(markOf({ ...rights, cluster: { ...cluster, [name]: value } })).not.toBe(markOf(rights));
    },
  );

  it('has what is held, and what views leave out', () => {
    const held = heldBy(orgRoles.Member, [{ role: teamRoles.Viewer, namespaces: ['shop'] }]);
    const marks = [rights, { ...rights, held }, { ...rights, excluded: new Set(['shop']) }, undefined].map(
      markOf,
    );
    expect(new Set(marks).size).toBe(4);
    expect(markOf({ ...rights })).toBe(markOf(rights));
  });
});
