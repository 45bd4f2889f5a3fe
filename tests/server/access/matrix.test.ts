import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindById, kinds } from '../../../commands/kinds/index.ts';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { clientMessageSchema } from '../../../src/contract/live.ts';
import {
  type Need,
  type Permission,
  permissions,
  rolePermissions,
  teamRoles,
} from '../../../src/contract/permissions.ts';
import { tokenScopes, type TokenScope } from '../../../src/contract/token-scopes.ts';
import {
  actionNeeds,
  endpoints,
  kindNeeds,
  otherRoutes,
  subscriptions,
  tokenUses,
  type Who,
} from '../../permission-table.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { BearerClient, pathOf, type TestClient, type WireAnswer } from '../http-client.ts';
import {
  callIn,
  isRefused as isRefusedWithin,
  namespacedCalls,
  needsNamespace,
  refusedWithin,
} from './namespaced-calls.ts';
import { type LivePage, openPage, routesIn } from './matrix.ts';

/** What was given to somebody for a while; never what a role gives besides. */
const heldForAWhile: readonly Permission[] = ['pods.manage', 'deployments.manage', 'secrets.view'];

/** What callers hold on the cluster, most by the role of a team. */
const roles = {
  Viewer: rolePermissions[teamRoles.Viewer],
  SecretViewer: rolePermissions[teamRoles.SecretViewer],
  TeamAdmin: rolePermissions[teamRoles.TeamAdmin],
  /** A Viewer who holds more for a while. */
  temporary: [...rolePermissions[teamRoles.Viewer], ...heldForAWhile],
} as const;
type Role = keyof typeof roles;

const callers = [
  'signed out',
  'without company',
  'suspended',
  'no grant',
  'Viewer',
  'SecretViewer',
  'TeamAdmin',
  'temporary',
  'TeamAdmin of a namespace',
  'owner',
  'owner of another company',
  'token',
] as const;
type Caller = (typeof callers)[number];

/** An API token for everything, of an Owner: what no token may do, not even this one does. */
const allScopes = tokenScopes;

const isRole = (caller: Caller): caller is Role => caller in roles;

/** A definition whose kind has a file. */
const crdName = 'scaledobjects.keda.sh';

/** Calls whose path or body needs more than `{}`: well-formed, and refused or answered without a living cluster. */
const calls: Partial<Record<string, { params?: Record<string, unknown>; body?: unknown }>> = {
  goneObjects: { body: { objects: [{ clusterId: 1, kind: 'pod', namespace: 'shop', name: 'a' }] } },
  clustersOfUser: { params: { userId: 999_999 } },
  permissionsOfUser: { params: { userId: 999_999 } },
  permissionsOfRole: { params: { roleId: teamRoles.Viewer } },
  namespace: { params: { name: 'default' } },
  // Other definitions are looked up on the cluster, before anything can be said of them.
  customObjects: { params: { crdName } },
  customObjectsIn: { params: { crdName, ns: 'shop' } },
  customObject: { params: { crdName } },
  customObjectIn: { params: { crdName, ns: 'shop' } },
  runAction: { params: { actionId: 'pod.evict' } },
  cancelJob: { params: { jobId: 999_999 } },
  removeTeamMember: { params: { userId: 999_999 } },
  member: { params: { userId: 999_999 } },
  changeMember: { params: { userId: 999_999 } },
  removeMember: { params: { userId: 999_999 } },
  endMemberSessions: { params: { userId: 999_999 } },
  resendInvitation: { params: { inviteId: 999_999 } },
  revokeInvitation: { params: { inviteId: 999_999 } },
  dismissInvitationRequest: { params: { userId: 999_999 } },
  changeRole: { params: { roleId: teamRoles.Viewer } },
  signInCallback: { params: { provider: 'nobody' } },
  disconnectIdentity: { params: { identityId: 999_999 } },
  endOwnSession: { params: { sessionId: 999_999 } },
  renamePasskey: { params: { passkeyId: 999_999 } },
  removePasskey: { params: { passkeyId: 999_999 } },
  removeMemberPasskeys: { params: { userId: 999_999 } },
  memberResetLink: { params: { userId: 999_999 } },
  changeProvider: { params: { providerId: 999_999 } },
  removeProvider: { params: { providerId: 999_999 } },
  testProvider: { params: { providerId: 999_999 } },
  mapInstallationGroups: { params: { provider: 'nobody' } },
  revokeToken: { params: { tokenId: 999_999 } },
  revokeMemberToken: { params: { tokenId: 999_999 } },
  approveAccess: { params: { requestId: 999_999 } },
  refuseAccess: { params: { requestId: 999_999 } },
  endAccess: { params: { requestId: 999_999 } },
};

/** What the guard lets through ends in the handler: any answer but these, which are the guard's own. */
const refusals = [401, 403, 404, 421];

/** Whoever is signed in. */
const signedIn = callers.filter((caller) => caller !== 'signed out' && caller !== 'token');
/** Those of them who are in a company. */
const members = signedIn.filter((caller) => caller !== 'without company' && caller !== 'suspended');

/** Where a caller who may still gets a status of `refusals`: the handler's answer, not the guard's. */
const exceptions: Partial<Record<string, Partial<Record<Caller, number>>>> = {
  // There is no such job.
  cancelJob: {
    Viewer: 404,
    SecretViewer: 404,
    TeamAdmin: 404,
    temporary: 404,
    'TeamAdmin of a namespace': 404,
    owner: 404,
    token: 404,
  },
  // Nothing of this id is connected to their account, or one of their sessions.
  disconnectIdentity: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  endOwnSession: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  removePasskey: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  memberResetLink: { owner: 404, 'owner of another company': 404 },
  // There is no such token.
  revokeToken: Object.fromEntries(members.map((caller) => [caller, 404])),
  revokeMemberToken: { owner: 404, 'owner of another company': 404 },
  // There is no such request.
  approveAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  refuseAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  endAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  removeMemberPasskeys: { owner: 404, 'owner of another company': 404 },
  // The company has no such provider.
  changeProvider: { owner: 404, 'owner of another company': 404 },
  removeProvider: { owner: 404, 'owner of another company': 404 },
  testProvider: { owner: 404, 'owner of another company': 404 },
  // Nobody has this id.
  clustersOfUser: { owner: 404, 'owner of another company': 404 },
  permissionsOfUser: { owner: 404 },
  // Nobody of this id is in the team, and it reaches no cluster.
  removeTeamMember: { TeamAdmin: 404, owner: 404 },
  removeTeamCluster: { owner: 404 },
  // Nobody of the company has this id.
  member: { owner: 404, 'owner of another company': 404 },
  changeMember: { owner: 404, 'owner of another company': 404 },
  removeMember: { owner: 404, 'owner of another company': 404 },
  endMemberSessions: { owner: 404, 'owner of another company': 404 },
  // The company has none of this id.
  resendInvitation: { owner: 404, 'owner of another company': 404 },
  revokeInvitation: { owner: 404, 'owner of another company': 404 },
  dismissInvitationRequest: { owner: 404, 'owner of another company': 404 },
};

/** The same of the calls that end something. */
const endingExceptions: typeof exceptions = {
  deleteTeam: { 'owner of another company': 404 },
};

const listed = (need: Need): readonly Permission[] => {
  if (need === 'owner') throw new Error('What is for Owners has no permission.');
  return typeof need === 'string' ? [need] : need;
};
const pairOf = (kind: string) => kindNeeds[kind] ?? never(`There is no row for the kind ${kind}.`);

function never(sentence: string): never {
  throw new Error(sentence);
}

/** The permissions that somebody needs on the cluster; undefined where it is no matter of permissions. */
function neededFor(who: Who, kind: string): readonly Permission[] | undefined {
  if (who === 'view' || who === 'change') return listed(pairOf(kind)[who]);
  return permissions.find((one) => one === who) === undefined ? undefined : [who as Permission];
}

/** The status that the table gives a caller. */
function expectedOf(who: Who, path: string, caller: Caller, kind: string): number | 'allowed' {
  if (who === 'public') return 'allowed';
  if (caller === 'signed out') return 401;
  if (who === 'session' || who === 'account') return 'allowed';
  if (caller === 'without company' || caller === 'suspended') return 403;
  if (who === 'owner' && !caller.startsWith('owner')) return 403;
  if (who === 'team' || who === 'team manager') {
    if (['no grant', 'TeamAdmin of a namespace', 'owner of another company'].includes(caller)) return 404;
    return who === 'team' || caller === 'owner' || caller === 'TeamAdmin' ? 'allowed' : 403;
  }
  if (!path.includes('/:clusterId')) return 'allowed';
  if (caller === 'owner of another company' || caller === 'no grant') return 404;
  const needed = neededFor(who, kind);
  if (needed === undefined || !isRole(caller)) return 'allowed';
  return needed.every((one) => roles[caller].includes(one)) ? 'allowed' : 403;
}

/** The status that the table gives a token for everything. @param what a call's name, or a path */
const expectedOfToken = (what: string): number | 'allowed' =>
  what in tokenUses || probes.includes(what) ? 'allowed' : 403;

/** What asks nobody who they are. */
const probes = ['/healthz', '/readyz', '/metrics'];

const isRefused = ({ status }: Pick<WireAnswer, 'status'>) => refusals.includes(status);

describe('who may call what', () => {
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;
  /** A team with one member in each role, which reaches no cluster. */
  let teamId: number;
  const clients = new Map<Caller, TestClient>();
  const narrow = new Map<string, Promise<TestClient>>();

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    const otherId = await console.company();
    clusterId = await console.cluster(companyId);
    clients.set('signed out', console.visitor());
    clients.set('without company', (await console.person({ companyId: null })).client);
    const suspended = await console.person({ companyId, isOwner: true, password: testPassword });
    await console.store.db
      .update(memberships)
      .set({ state: 'suspended' })
      .where(eq(memberships.userId, suspended.id));
    const anew = console.visitor();
    await anew.call('signIn', { body: { email: suspended.email, password: testPassword } });
    clients.set('suspended', anew);
    clients.set('no grant', (await console.person({ companyId })).client);
    const owner = await console.person({ companyId, isOwner: true });
    teamId = await console.team(companyId);
    for (const [name, role] of Object.entries(teamRoles)) {
      const person = await console.person({ companyId });
      await console.join(companyId, teamId, person.id, role);
      await console.grant(companyId, person.id, clusterId, role);
      clients.set(name as Role, person.client);
    }
    const temporary = await console.person({ companyId });
    await console.join(companyId, teamId, temporary.id, teamRoles.Viewer);
    await console.grant(companyId, temporary.id, clusterId, teamRoles.Viewer);
    const wish = { clusterId, permissions: [...heldForAWhile], reason: 'An incident', minutes: 60 };
    const { id: requestId } = await temporary.client.call('askAccess', { body: wish });
    await owner.client.call('approveAccess', { params: { requestId } });
    clients.set('temporary', temporary.client);
    const within = await console.person({ companyId });
    await console.grant(companyId, within.id, clusterId, teamRoles.TeamAdmin, ['shop']);
    clients.set('TeamAdmin of a namespace', within.client);
    clients.set('owner', owner.client);
    clients.set('token', await tokenFor(allScopes));
    clients.set(
      'owner of another company',
      (await console.person({ companyId: otherId, isOwner: true })).client,
    );
  });
  afterAll(() => console.close());

  const clientOf = (caller: Caller) => clients.get(caller) ?? never(`Nobody is "${caller}".`);

  /** Somebody who holds exactly these permissions on the cluster; the same person each time. */
  function holder(held: readonly Permission[]): Promise<TestClient> {
    const key = [...held].sort().join();
    const known = narrow.get(key);
    if (known !== undefined) return known;
    const make = async () => {
      const person = await console.person({ companyId });
      await console.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
      console.narrow(person.id, held);
      return person.client;
    };
    const made = make();
    narrow.set(key, made);
    return made;
  }
  const everythingBut = (one: Permission) => holder(permissions.filter((other) => other !== one));

  /** Tokens by their scopes; each of an Owner, who could do everything. */
  const tokens = new Map<string, Promise<TestClient>>();
  function tokenFor(scopes: readonly TokenScope[]): Promise<TestClient> {
    const key = [...scopes].sort().join();
    const known = tokens.get(key);
    if (known !== undefined) return known;
    const make = async () => {
      const { client } = await console.person({ companyId, isOwner: true });
      const { secret } = await client.call('createToken', { body: { name: 'script', scopes: [...scopes] } });
      return new BearerClient(console.url, secret);
    };
    const made = make();
    tokens.set(key, made);
    return made;
  }

  /**
   * Asks with tokens of Owners: one with just the scopes that are needed, then those with every scope but one of them. No
   * token does what is for Owners.
   * @param ask true where it was refused
   */
  async function needsScopes(
    what: string,
    need: Need,
    ask: (client: TestClient) => Promise<boolean>,
    byName: readonly TokenScope[] = [],
  ): Promise<void> {
    if (need === 'owner') {
      expect([what, await ask(await tokenFor(allScopes))]).toEqual([what, true]);
      return;
    }
    const needed = [...listed(need), ...byName];
    const refused = await Promise.all([
      tokenFor(needed).then(ask),
      ...needed.map((one) => tokenFor(allScopes.filter((other) => other !== one)).then(ask)),
    ]);
    expect([what, refused]).toEqual([what, [false, ...needed.map(() => true)]]);
  }

  /** The scopes that a call needs beside its permissions. */
  const scopesByName = (what: string): TokenScope[] => {
    const use = tokenUses[what];
    return use === undefined || use === 'scopes' ? [] : [use];
  };

  /**
   * Asks as somebody who holds just what is needed, then as those who hold everything but one of it. What is for Owners
   * is refused to somebody who holds every permission.
   * @param ask true where it was refused
   */
  async function needsExactly(
    what: string,
    need: Need,
    ask: (client: TestClient) => Promise<boolean>,
  ): Promise<void> {
    if (need === 'owner') {
      const refused = [await ask(clientOf('owner')), await ask(await holder(permissions))];
      expect([what, refused]).toEqual([what, [false, true]]);
      return;
    }
    const needed = listed(need);
    const refused = await Promise.all([
      holder(needed).then(ask),
      ...needed.map((one) => everythingBut(one).then(ask)),
    ]);
    expect([what, refused]).toEqual([what, [false, ...needed.map(() => true)]]);
  }

  const send = async (client: TestClient, name: string, kind: string) => {
    const endpoint: Endpoint = api[name as ApiName];
    const call = calls[name];
    return await client.send(
      endpoint.method,
      pathOf(endpoint, { clusterId, teamId, kind, name: 'any', ...call?.params }),
      endpoint.body === undefined ? undefined : (call?.body ?? {}),
    );
  };

  it('every call, route, kind, action and subscription has a row, and no row is left over', () => {
    expect(
      Object.keys(endpoints).sort(),
      'tests/permission-table.ts: `endpoints` has one row for each call of the contract',
    ).toEqual(Object.keys(api).sort());
    const routes = new Set(routesIn(console.app.printRoutes({ commonPrefix: false })));
    const ofApi = new Set(Object.values<Endpoint>(api).map(({ path }) => path));
    expect([...routes].filter((path) => !ofApi.has(path as Endpoint['path'])).sort()).toEqual(
      Object.keys(otherRoutes).sort(),
    );
    for (const path of ofApi) expect(routes, path).toContain(path);
    const withFile = Object.keys(kindNeeds).filter((id) => !id.includes('~'));
    expect(withFile.sort()).toEqual(kinds.map(({ id }) => id).sort());
    for (const { id, permissions: declared } of kinds) {
      const { view, change } = pairOf(id);
      expect([id, listed(declared.view), new Set([declared.manage].flat())]).toEqual([
        id,
        listed(view),
        new Set([change].flat()),
      ]);
    }
    // Both graphs have one schema.
    const sorts = clientMessageSchema.def.options.filter(({ shape }) => 'clusterId' in shape);
    expect(sorts).toHaveLength(Object.keys(subscriptions).length - 1);
  });

  // Those that end the caller's session or change the company come with tests of their own.
  const ending = ['logout', 'deleteCluster', 'deleteTeam', 'leaveCompany'];
  const names = Object.keys(endpoints).filter((name) => !ending.includes(name));

  it.each(names)('%s', async (name) => {
    const who = endpoints[name] ?? never(`There is no row for ${name}.`);
    const { path }: Endpoint = api[name as ApiName];
    const isOfKind = who === 'view' || who === 'change';
    const tried = name.startsWith('customObject') ? ['scaledobject'] : isOfKind ? ['pod', 'secret'] : ['pod'];
    for (const kind of tried) {
      for (const caller of callers) {
        // Where they may is a table of its own.
        if (caller === 'TeamAdmin of a namespace' && name in namespacedCalls) continue;
        const answer = await send(clientOf(caller), name, kind);
        const expected =
          exceptions[name]?.[caller] ??
          (caller === 'token' ? expectedOfToken(name) : expectedOf(who, path, caller, kind));
        const told = `${caller}: ${answer.status} ${answer.text}`;
        if (expected === 'allowed') {
          expect(refusals, told).not.toContain(answer.status);
          expect(answer.status, told).not.toBe(500);
        } else {
          expect(answer.status, told).toBe(expected);
          expect(answer.json).toMatchObject({ status: expected, title: expect.stringMatching(/\.$/) });
        }
      }
      const needed = neededFor(who, kind);
      if (needed === undefined) continue;
      await needsExactly(`${name} ${kind}`, needed, async (client) =>
        isRefused(await send(client, name, kind)),
      );
      if (name in tokenUses)
        await needsScopes(
          `${name} ${kind} by token`,
          needed,
          async (client) => isRefused(await send(client, name, kind)),
          scopesByName(name),
        );
    }
  });

  it('no token makes a call that does not say so, and the sentence says what to do', async () => {
    const taking = Object.keys(tokenUses).filter((name) => !name.startsWith('/'));
    expect(Object.keys(api)).toEqual(expect.arrayContaining(taking));
    for (const name of Object.keys(api).filter((one) => !taking.includes(one))) {
      const answer = await send(clientOf('token'), name, 'pod');
      expect([name, answer.status]).toEqual([name, 403]);
      expect(answer.json).toMatchObject({
        title: 'API tokens cannot do this. Sign in to the console for it.',
      });
    }
  });

  // A pasted text names kinds, of which the cluster says where their objects are: `namespaces.test.ts` asks a living one.
  const ofText = ['createResource', 'applyResource', 'checkResource'];
  it.each(Object.entries(namespacedCalls).filter(([name]) => !ofText.includes(name)))(
    '%s within a namespace, elsewhere and on the whole cluster, by the TeamAdmin of a namespace',
    async (name, answer) => {
      const { own, other, whole } = refusedWithin(answer);
      const kind = name === 'usageOf' ? 'pod' : 'deployment';
      for (const [namespace, isRefusedThere] of [
        ['shop', own],
        ['elsewhere', other],
        ...(needsNamespace(name) ? [] : [[undefined, whole] as const]),
      ] as const) {
        const about = { clusterId, kind, namespace, object: 'any' };
        const told = await callIn(clientOf('TeamAdmin of a namespace'), name, about);
        expect([namespace, isRefusedWithin(name, told)], told.text).toEqual([namespace, isRefusedThere]);
      }
    },
  );

  it.each(ending)('%s is refused to those who may not, and ends nothing of theirs', async (name) => {
    const who = endpoints[name] ?? never(`There is no row for ${name}.`);
    const { path }: Endpoint = api[name as ApiName];
    for (const caller of callers) {
      const expected =
        caller === 'token'
          ? expectedOfToken(name)
          : (endingExceptions[name]?.[caller] ?? expectedOf(who, path, caller, 'pod'));
      if (expected === 'allowed') continue;
      const answer = await send(clientOf(caller), name, 'pod');
      expect([caller, answer.status], answer.text).toEqual([caller, expected]);
    }
  });

  it('a session that a company’s provider opened has no part in what belongs to the account', async () => {
    const person = await console.person({ companyId, isOwner: true });
    const [provider] = await console.store.db
      .insert(identityProviders)
      .values({
        companyId,
        key: 'c-of-the-matrix',
        name: 'Provider',
        issuer: 'https://id.example.org',
        clientId: 'console',
        clientSecret: Buffer.from('sealed'),
      })
      .returning();
    await console.store.db
      .update(sessions)
      .set({ providerId: provider?.id ?? null })
      .where(eq(sessions.userId, person.id));
    for (const [name, who] of Object.entries(endpoints)) {
      if (who !== 'account') continue;
      const answer = await send(person.client, name, 'pod');
      expect([name, answer.status]).toEqual([name, 403]);
      expect(answer.json).toMatchObject({ title: expect.stringContaining('opens that organisation alone') });
    }
    expect(await person.client.call('members', {})).not.toEqual([]);
  });

  it.each(Object.entries(otherRoutes))('GET %s', async (path, who) => {
    const address = pathOf({ path: path as Endpoint['path'] }, { clusterId, namespace: 'shop', name: 'any' });
    for (const caller of callers) {
      const answer = await clientOf(caller).send('GET', address);
      const expected = caller === 'token' ? expectedOfToken(path) : expectedOf(who, path, caller, 'pod');
      const told = `${caller}: ${answer.status} ${answer.text}`;
      if (expected === 'allowed') expect(refusals, told).not.toContain(answer.status);
      else expect(answer.status, told).toBe(expected);
    }
    const needed = neededFor(who, 'pod');
    if (needed === undefined) return;
    const ask = async (client: TestClient) => isRefused(await client.send('GET', address));
    await needsExactly(path, needed, ask);
    if (path in tokenUses) await needsScopes(path, needed, ask, scopesByName(path));
  });

  it.each(Object.entries(kindNeeds))(
    '%s is viewed and changed by those who hold what it needs',
    async (id, pair) => {
      const sort = kindById(id)?.source;
      // A release is none of the API: it is listed live, and changed by its own actions only.
      if (sort !== undefined) return;
      await needsExactly(`objects ${id}`, listed(pair.view), async (client) =>
        isRefused(await send(client, 'objects', id)),
      );
      await needsExactly(`createObject ${id}`, pair.change, async (client) =>
        isRefused(await send(client, 'createObject', id)),
      );
    },
  );

  it.each(kinds.map((kind) => [kind.id, kind] as const))(
    'each action of %s is done by those who hold what it needs',
    async (id, kind) => {
      const ref = { kind: id, name: 'any', ...(kind.scope === 'Namespaced' ? { namespace: 'shop' } : {}) };
      for (const action of kind.actions) {
        const path = pathOf(api.runAction, { clusterId, actionId: action.id });
        const needed = actionNeeds[action.id] ?? pairOf(id).change;
        const ask = async (client: TestClient) => {
          const answer = await client.send('POST', path, { refs: [ref], dryRun: true });
          return isRefused(answer);
        };
        await needsExactly(`${action.id} ${id}`, needed, ask);
        await needsScopes(`${action.id} ${id} by token`, needed, ask);
      }
    },
  );

  it('an action is not offered to people who may not view its object, even if they may change it', async () => {
    for (const [id, { view }] of Object.entries(kindNeeds)) {
      const kind = kindById(id);
      if (kind === undefined) continue;
      const ref = { kind: id, name: 'any', ...(kind.scope === 'Namespaced' ? { namespace: 'shop' } : {}) };
      const path = pathOf(api.availableActions, { clusterId });
      for (const one of listed(view)) {
        const answer = await (await everythingBut(one)).send('POST', path, { refs: [ref] });
        expect([id, answer.status]).toEqual([id, 403]);
      }
    }
  });

  it('every kind is followed live by those who may view it, as list, as object and as graph', async () => {
    const followed = new Map<TestClient, Promise<LivePage>>();
    const page = (client: TestClient) => {
      const known = followed.get(client) ?? openPage(console.url, client);
      followed.set(client, known);
      return known;
    };
    const tried = Object.entries(kindNeeds).flatMap(([id, { view }]) => {
      const kind = kindById(id);
      const place = kind?.scope === 'Cluster' ? {} : { namespace: 'shop' };
      const object = { kind: id, name: 'any', ...place };
      return [
        [`list of ${id}`, listed(view), { clusterId, kind: id }] as const,
        [`object of ${id}`, listed(view), { clusterId, ...object }] as const,
        ...(kind?.source === undefined
          ? [[`graph of ${id}`, listed(view), { clusterId, graph: object }] as const]
          : []),
      ];
    });
    for (const [what, needed, spec] of tried) {
      await needsExactly(
        what,
        needed,
        async (client) => (await (await page(client)).ask(spec)) !== undefined,
      );
    }
    const some = { clusterId, kind: 'pod' };
    for (const [spec, who] of [
      [some, subscriptions.list],
      [{ clusterId, dashboard: true }, subscriptions.dashboard],
      [{ clusterId, tallies: 'sidebar' }, subscriptions.tallies],
      [{ clusterId, tallies: 'custom' }, subscriptions.tallies],
      [{ clusterId, graph: { namespace: 'shop' } }, subscriptions['graph of a namespace']],
    ] as const) {
      for (const caller of callers.filter(
        (one) => !['signed out', 'without company', 'suspended', 'token'].includes(one),
      )) {
        const expected = expectedOf(who ?? 'owner', '/:clusterId', caller, 'pod');
        const ended = await (await page(clientOf(caller))).ask(spec);
        expect([caller, ended], JSON.stringify(spec)).toEqual([
          caller,
          expected === 'allowed' ? undefined : expected,
        ]);
      }
    }
    for (const one of followed.values()) (await one).close();
  });

  it('deleting a cluster is for Owners of its company, and nobody else learns that it exists', async () => {
    const path = pathOf(api.deleteCluster, { clusterId });
    const statuses = new Map<Caller, number>();
    for (const caller of callers.toReversed()) {
      const answer = await clientOf(caller).send('DELETE', path);
      statuses.set(caller, answer.status);
    }
    expect(Object.fromEntries(statuses)).toEqual({
      'signed out': 401,
      'without company': 403,
      suspended: 403,
      'no grant': 403,
      Viewer: 403,
      SecretViewer: 403,
      TeamAdmin: 403,
      temporary: 403,
      'TeamAdmin of a namespace': 403,
      owner: 204,
      'owner of another company': 404,
      token: 403,
    });
  });
});
