import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiName, api } from '../../../src/contract/api.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { type Permission, rolePermissions, teamRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { pathOf, type TestClient } from '../http-client.ts';

const callers = [
  'signed out',
  'without company',
  'no grant',
  'view grant',
  'manage grant',
  'owner',
  'owner of another company',
] as const;
type Caller = (typeof callers)[number];

/** Calls whose path or body needs more than `{}`: well-formed, and refused or answered without a living cluster. */
const calls: Partial<Record<ApiName, { params?: Record<string, unknown>; body?: unknown }>> = {
  clustersOfUser: { params: { userId: 999_999 } },
  permissionsOfUser: { params: { userId: 999_999 } },
  permissionsOfRole: { params: { roleId: teamRoles.Viewer } },
  namespace: { params: { name: 'default' } },
  customObjects: { params: { crdName: 'boats.sail.example.org' } },
  customObjectsIn: { params: { crdName: 'boats.sail.example.org', ns: 'shop' } },
  customObject: { params: { crdName: 'boats.sail.example.org' } },
  customObjectIn: { params: { crdName: 'boats.sail.example.org', ns: 'shop' } },
  runAction: { params: { actionId: 'pod.evict' } },
  cancelJob: { params: { jobId: 999_999 } },
};

/** The kind that calls on kinds are tried with. */
const kind = kindById('pod') ?? never('There is no kind called pod.');

function never(sentence: string): never {
  throw new Error(sentence);
}

/** What the guard lets through ends in the handler: any answer but these, which are the guard's own. */
const refusals = [401, 403, 404, 421];

/**
 * Where a caller who may still gets a status of `refusals`: the handler's answer, not the guard's.
 * Everything else follows from `access`.
 */
const exceptions: Partial<Record<ApiName, Partial<Record<Caller, number>>>> = {
  // There is no such job.
  cancelJob: { 'view grant': 404, 'manage grant': 404, owner: 404 },
  // Nobody has this id.
  clustersOfUser: { owner: 404, 'owner of another company': 404 },
  permissionsOfUser: { owner: 404 },
};

describe('who may call what', () => {
  let console: TestConsole;
  let clusterId: number;
  const clients = new Map<Caller, TestClient>();

  beforeAll(async () => {
    console = await startConsole();
    const companyId = await console.company();
    const otherId = await console.company();
    clusterId = await console.cluster(companyId);
    const viewer = await console.person({ companyId });
    const admin = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    clients.set('signed out', console.visitor());
    clients.set('without company', (await console.person({ companyId: null })).client);
    clients.set('no grant', (await console.person({ companyId })).client);
    clients.set('view grant', viewer.client);
    clients.set('manage grant', admin.client);
    clients.set('owner', (await console.person({ companyId, isOwner: true })).client);
    clients.set(
      'owner of another company',
      (await console.person({ companyId: otherId, isOwner: true })).client,
    );
  });
  afterAll(() => console.close());

  // Those that end the caller's session or change the company come with tests of their own.
  const names = (Object.keys(api) as ApiName[]).filter((name) => !['logout', 'deleteCluster'].includes(name));

  it.each(names)('%s', async (name) => {
    const endpoint: Endpoint = api[name];
    for (const caller of callers) {
      const client = clients.get(caller);
      if (client === undefined) throw new Error(`Nobody is "${caller}".`);
      const call = calls[name];
      const answer = await client.send(
        endpoint.method,
        pathOf(endpoint, { clusterId, kind: kind.id, name: 'any', ...call?.params }),
        endpoint.body === undefined ? undefined : (call?.body ?? {}),
      );
      const expected = exceptions[name]?.[caller] ?? expectedOf(endpoint, caller);
      if (expected === 'allowed') {
        expect(refusals, `${caller}: ${answer.status} ${answer.text}`).not.toContain(answer.status);
        expect(answer.status, `${caller}: ${answer.text}`).not.toBe(500);
      } else {
        expect(answer.status, `${caller}: ${answer.text}`).toBe(expected);
        expect(answer.json).toMatchObject({ status: expected, title: expect.stringMatching(/\.$/) });
      }
    }
  });

  it('deleting a cluster is for Owners of its company, and nobody else learns that it exists', async () => {
    const path = pathOf(api.deleteCluster, { clusterId });
    const statuses = new Map<Caller, number>();
    for (const caller of callers.toReversed()) {
      const answer = await clients.get(caller)?.send('DELETE', path);
      statuses.set(caller, answer?.status ?? 0);
    }
    expect(Object.fromEntries(statuses)).toEqual({
      'signed out': 401,
      'without company': 403,
      'no grant': 403,
      'view grant': 403,
      'manage grant': 403,
      owner: 204,
      'owner of another company': 404,
    });
  });
});

/** The status that follows from an endpoint's access alone. */
function expectedOf(endpoint: Endpoint, caller: Caller): number | 'allowed' {
  const { access } = endpoint;
  if (access === 'public') return 'allowed';
  if (caller === 'signed out') return 401;
  if (access === 'session') return 'allowed';
  if (caller === 'without company') return 403;
  if (access === 'owner' && !caller.startsWith('owner')) return 403;
  if (!endpoint.path.includes('/:clusterId')) return 'allowed';
  if (caller === 'owner of another company' || (caller === 'no grant' && access !== 'owner')) return 404;
  if (typeof access !== 'object') return 'allowed';
  const need = 'kind' in access ? kind.permissions[access.kind] : access.permission;
  const needed = typeof need === 'string' ? [need] : need;
  return needed.every((one) => permissionsOf(caller).includes(one)) ? 'allowed' : 403;
}

function permissionsOf(caller: Caller): readonly Permission[] {
  if (caller === 'view grant') return rolePermissions[teamRoles.Viewer];
  return rolePermissions[teamRoles.TeamAdmin];
}
