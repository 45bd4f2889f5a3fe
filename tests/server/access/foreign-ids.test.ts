import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { testPassword, type TestPerson } from '../harness.ts';
import { pathOf, type TestClient, type WireAnswer } from '../http-client.ts';
import { MatrixOffice } from './matrix-office.ts';
import { calls } from './matrix-table.ts';

let office: MatrixOffice;
/** An Owner of another company than the office's, and the ids of what that company has. */
let owner: TestPerson;
let own: Readonly<Record<string, unknown>>;
/** The stored rows of the office's company, as one text: no call of a stranger changes them. */
let content: string;

beforeAll(async () => {
  office = await MatrixOffice.start();
  const { console } = office;
  const companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true, password: testPassword });
  const { id: userId } = await console.person({ companyId });
  const [provider] = await console.store.db
    .insert(identityProviders)
    .values({
      companyId,
      key: `c-${companyId}`,
      name: 'Staff',
      issuer: 'https://id.example.org',
      clientId: 'console',
      clientSecret: Buffer.from('sealed'),
    })
    .returning({ id: identityProviders.id });
  own = {
    clusterId: await console.cluster(companyId),
    teamId: await console.team(companyId),
    userId,
    providerId: provider?.id,
  };
  content = await office.content();
});
afterAll(() => office.close());

const nobodys = 999_999;
const noUuid = '00000000-0000-4000-8000-000000000000';

/** What an answer says, without the ids that were asked by. */
function saidOf({ status, json, text }: WireAnswer, ids: readonly unknown[]): string {
  let said = `${status} ${typeof json === 'object' && json !== null && 'title' in json ? JSON.stringify({ ...json, requestId: undefined }) : text}`;
  for (const id of ids) said = said.replaceAll(String(id), 'ID');
  return said;
}

/** Calls that end the session or the company of whoever makes them. */
const ending = new Set(['logout', 'leaveCompany', 'deleteCompany', 'endOtherSessions']);

/** Each parameter of each call that names something of a company. */
const asked = Object.entries<Endpoint>(api).flatMap(([name, { path }]) =>
  ending.has(name)
    ? []
    : [...path.matchAll(/:(\w+)/g)]
        .map(([, parameter = '']) => parameter)
        .filter((parameter) =>
          /(?:cluster|team|user|invite|token|session|provider|identity|passkey|recording|request)Id$/.test(
            parameter,
          ),
        )
        .map((parameter) => [name, parameter] as const),
);

describe('an id of another company in a path, beside ids of one’s own', () => {
  it.each(asked)('%s answers to its %s as to one that nobody has', async (name, parameter) => {
    const ask = async (id: unknown) => {
      const params = { kind: 'pod', name: 'any', ...calls[name]?.params, ...own, [parameter]: id };
      const endpoint: Endpoint = api[name as ApiName];
      const body = endpoint.body === undefined ? undefined : (calls[name]?.body ?? {});
      return saidOf(await owner.client.send(endpoint.method, pathOf(endpoint, params), body), [id]);
    };
    const foreign = office.owned[parameter];
    const answer = await ask(foreign);
    expect(answer).toBe(await ask(parameter === 'recordingId' ? noUuid : nobodys));
    expect(answer).not.toMatch(/^(?:2|5)/);
  });

  it('changed nothing of that company', async () => {
    expect(asked.length).toBeGreaterThan(80);
    expect(await office.content()).toBe(content);
  });
});

/** A call that takes an id elsewhere than in its path. @param id of the other company, or of nobody */
type Form = (client: TestClient, id: unknown) => Promise<WireAnswer>;

const send =
  (
    name: ApiName,
    body: (id: unknown) => unknown,
    query: (id: unknown) => Record<string, string> = () => ({}),
  ): Form =>
  async (client, id) => {
    const endpoint: Endpoint = api[name];
    const params = { kind: 'pod', name: 'any', namespace: 'shop', ...calls[name]?.params, ...own };
    return await client.send(endpoint.method, pathOf(endpoint, params, query(id)), body(id));
  };
const nothing = () => undefined;

/** By what the id is of. */
const forms: Readonly<Record<string, readonly [string, Form][]>> = {
  userId: [
    ['a member of a team', send('setTeamMember', (id) => ({ UserId: String(id), Role: teamRoles.Viewer }))],
  ],
  teamId: [
    [
      'the team of an invitation',
      send('invite', (id) => ({
        email: 'a.stranger@example.org',
        orgRole: 2,
        teams: [{ teamId: id, role: teamRoles.Viewer }],
      })),
    ],
    [
      'the team of a group',
      send('changeProvider', (id) => ({
        groupTeams: [{ group: 'staff', teamId: id, role: teamRoles.Viewer }],
      })),
    ],
    ['why not in a team', send('whyNot', nothing, (id) => ({ needs: 'team', teamId: String(id) }))],
  ],
  clusterId: [
    ['a cluster of a team', send('addTeamCluster', (id) => ({ clusterId: String(id) }))],
    [
      'the cluster of a token',
      send('createToken', (id) => ({ name: 'script', scopes: ['pods.view'], clusterIds: [id] })),
    ],
    [
      'a cluster that access is asked for',
      send('askAccess', (id) => ({
        clusterId: id,
        permissions: ['pods.manage'],
        reason: 'An incident',
        minutes: 60,
      })),
    ],
    [
      'why not at a cluster',
      send('whyNot', nothing, (id) => ({ needs: 'pods.manage', clusterId: String(id) })),
    ],
    ['a search', send('search', nothing, (id) => ({ q: 'a', cluster: String(id) }))],
    [
      'objects that may be gone',
      send('goneObjects', (id) => ({
        objects: [{ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' }],
      })),
    ],
    ['the other side of lists', send('compareLists', nothing, (id) => ({ otherCluster: String(id) }))],
    [
      'the other side of Secrets',
      send('compareSecrets', nothing, (id) => ({
        otherCluster: String(id),
        otherNamespace: 'shop',
        otherName: 'a',
      })),
    ],
  ],
  inviteId: [['an invitation to accept', send('acceptInvitation', (id) => ({ inviteId: id }))]],
};

describe('an id of another company in a body or query', () => {
  it.each(
    Object.entries(forms).flatMap(([parameter, ofIt]) =>
      ofIt.map(([what, form]) => [what, parameter, form] as const),
    ),
  )('is answered as one that nobody has: %s', async (_what, parameter, form) => {
    const foreign = office.owned[parameter];
    const [answer, ofNobody] = [await form(owner.client, foreign), await form(owner.client, nobodys)];
    expect(saidOf(answer, [foreign])).toBe(saidOf(ofNobody, [nobodys]));
    // Well-formed: what is refused is the id.
    expect(answer.json).not.toHaveProperty('issues');
    expect(answer.status).not.toBe(500);
  });

  it('changed nothing of that company', async () => {
    expect(await office.content()).toBe(content);
  });
});
