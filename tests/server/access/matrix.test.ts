import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindById, kinds } from '../../../commands/kinds/index.ts';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { proofMinutes } from '../../../src/contract/passkeys.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { clientMessageSchema } from '../../../src/contract/live.ts';
import type { TokenScope } from '../../../src/contract/token-scopes.ts';
import {
  actionNeeds,
  endpoints,
  kindNeeds,
  otherRoutes,
  subscriptions,
  tokenUses,
} from '../../permission-table.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { type TestConsole, testPassword } from '../harness.ts';
import { pathOf, type TestClient } from '../http-client.ts';
import {
  callIn,
  isRefused as isRefusedWithin,
  namespacedCalls,
  needsNamespace,
  refusedWithin,
} from './namespaced-calls.ts';
import { type LivePage, openPage, routesIn } from './matrix.ts';
import { MatrixOffice } from './matrix-office.ts';
import {
  type Caller,
  callers,
  endingExceptions,
  exceptions,
  expectedOf,
  expectedOfToken,
  isRefused,
  listed,
  neededFor,
  never,
  pairOf,
  refusals,
} from './matrix-table.ts';

/** The scopes that a call needs beside its permissions. */
const scopesByName = (what: string): TokenScope[] => {
  const use = tokenUses[what];
  return use === undefined || use === 'scopes' ? [] : [use];
};

/** Bodies of calls that need a confirmed identity. */
const confirmedBodies: Readonly<Record<string, unknown>> = {
  invite: { email: 'late@example.org', orgRole: 1, teams: [] },
  inviteMany: { invitations: [{ email: 'late@example.org' }], orgRole: 1 },
  changeMember: { orgRole: 1 },
  setTeamMember: { UserId: '999999', Role: teamRoles.Viewer },
  addTeamCluster: { clusterId: '1', namespaces: null },
  setPasskeyRule: { requiredOf: 'nobody' },
  setApprovalRule: { approvers: 1 },
  setKeptRows: { keepsRows: false },
  deleteCompany: { name: 'Example' },
  connectIdentity: { provider: 'corp' },
  createToken: { name: 'late', scopes: ['pods.view'] },
  replaceKubeconfig: { kubeConfigContent: 'apiVersion: v1' },
  saveChatModel: { provider: 'anthropic', baseUrl: 'https://model.example.org', model: 'any' },
  addWebhook: { url: 'https://hooks.example.org/late', events: ['job.failed'] },
  changeAuditSettings: { days: 30 },
  saveAuditStream: { url: 'https://siem.example.org/late' },
};

describe('who may call what', () => {
  let office: MatrixOffice;
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;

  beforeAll(async () => {
    office = await MatrixOffice.start();
    ({ console, companyId, clusterId } = office);
  });
  afterAll(() => office.close());

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

  let content: string;
  beforeAll(async () => {
    content = await office.content();
  });
  it.each(names)('%s', async (name) => {
    const who = endpoints[name] ?? never(`There is no row for ${name}.`);
    const { path }: Endpoint = api[name as ApiName];
    const isOfKind = who === 'view' || who === 'change';
    const tried = name.startsWith('customObject') ? ['scaledobject'] : isOfKind ? ['pod', 'secret'] : ['pod'];
    for (const kind of tried) {
      for (const caller of callers) {
        // Where they may is a table of its own.
        if (caller === 'TeamAdmin of a namespace' && name in namespacedCalls) continue;
        const answer = await office.sendAs(caller, name, kind);
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
      await office.needsExactly(`${name} ${kind}`, needed, office.asks(name, kind));
      if (name in tokenUses)
        await office.needsScopes(
          `${name} ${kind} by token`,
          needed,
          office.asks(name, kind),
          scopesByName(name),
        );
    }
  });

  it('an Owner of another company, who asked by the ids of this one, changed nothing of it', async () => {
    expect(await office.content()).toBe(content);
  });

  it('no token makes a call that does not say so, and the sentence says what to do', async () => {
    const taking = Object.keys(tokenUses).filter((name) => !name.startsWith('/'));
    expect(Object.keys(api)).toEqual(expect.arrayContaining(taking));
    for (const name of Object.keys(api).filter((one) => !taking.includes(one))) {
      const answer = await office.send(office.clientOf('token'), name, 'pod');
      expect([name, answer.status]).toEqual([name, 403]);
      expect(answer.json).toMatchObject({
        title: 'API tokens cannot do this. Sign in to the console for it.',
      });
    }
  });

  it('an Owner who confirmed their identity long ago is asked to by the calls that need it, and by no other', async () => {
    const { id, client } = await console.person({ companyId, isOwner: true, password: testPassword });
    const long = new Date(Date.now() - proofMinutes * 60_000).toISOString();
    await console.store.db.update(sessions).set({ provedAt: long }).where(eq(sessions.userId, id));
    for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
      if (name === 'logout' || (ending.includes(name) && endpoint.proof !== 'recent')) continue;
      const { status, json } = await office.send(client, name, 'pod', {}, confirmedBodies[name]);
      const needed = { code: 'identity-not-confirmed', proof: 'password' };
      if (endpoint.proof !== 'recent')
        expect([name, json]).not.toEqual([name, expect.objectContaining(needed)]);
      // A call that is malformed is told so, before anybody is asked.
      else if (status !== 400)
        expect([name, status, json]).toEqual([name, 403, expect.objectContaining(needed)]);
      else expect(confirmedBodies[name], name).toBe(undefined);
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
        const told = await callIn(office.clientOf('TeamAdmin of a namespace'), name, about);
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
      const answer = await office.send(office.clientOf(caller), name, 'pod');
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
      const answer = await office.send(person.client, name, 'pod');
      expect([name, answer.status]).toEqual([name, 403]);
      const title =
        /gives access to that organisation only.* to see your other organisations and invitations/;
      expect(answer.json).toMatchObject({ title: expect.stringMatching(title) });
    }
    expect(await person.client.call('members', {})).not.toEqual([]);
  });

  it.each(Object.entries(otherRoutes))('GET %s', async (path, who) => {
    const address = pathOf({ path: path as Endpoint['path'] }, { clusterId, namespace: 'shop', name: 'any' });
    for (const caller of callers) {
      const answer = await office.clientOf(caller).send('GET', address);
      const expected = caller === 'token' ? expectedOfToken(path) : expectedOf(who, path, caller, 'pod');
      const told = `${caller}: ${answer.status} ${answer.text}`;
      if (expected === 'allowed') expect(refusals, told).not.toContain(answer.status);
      else expect(answer.status, told).toBe(expected);
    }
    const needed = neededFor(who, 'pod');
    if (needed === undefined) return;
    const ask = async (client: TestClient) => isRefused(await client.send('GET', address));
    await office.needsExactly(path, needed, ask);
    if (path in tokenUses) await office.needsScopes(path, needed, ask, scopesByName(path));
  });

  it.each(Object.entries(kindNeeds))(
    '%s is viewed and changed by those who hold what it needs',
    async (id, pair) => {
      const sort = kindById(id)?.source;
      // A release is none of the API: it is listed live, and changed by its own actions only.
      if (sort !== undefined) return;
      await office.needsExactly(`objects ${id}`, listed(pair.view), office.asks('objects', id));
      await office.needsExactly(`createObject ${id}`, pair.change, office.asks('createObject', id));
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
        await office.needsExactly(`${action.id} ${id}`, needed, ask);
        await office.needsScopes(`${action.id} ${id} by token`, needed, ask);
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
        const answer = await (await office.everythingBut(one)).send('POST', path, { refs: [ref] });
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
      await office.needsExactly(
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
        const ended = await (await page(office.clientOf(caller))).ask(spec);
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
      const answer = await office.clientOf(caller).send('DELETE', path);
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
