import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { type Need, type Permission, permissions, teamRoles } from '../../../src/contract/permissions.ts';
import type { TokenScope } from '../../../src/contract/token-scopes.ts';
import { identities, identityProviders } from '../../../src/server/store/schema/identities.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { apiTokens } from '../../../src/server/store/schema/tokens.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { BearerClient, pathOf, type TestClient, type WireAnswer } from '../http-client.ts';
import {
  allScopes,
  type Caller,
  calls,
  heldForAWhile,
  isRefused,
  listed,
  never,
  type Role,
} from './matrix-table.ts';

/** Asks something as somebody; true where it was refused. */
export type Ask = (client: TestClient) => Promise<boolean>;

/** A console with everybody whom the access matrix names. */
export class MatrixOffice {
  readonly console: TestConsole;
  readonly companyId: number;
  readonly clusterId: number;
  /** A team with one member in each role, which reaches no cluster. */
  readonly teamId: number;
  readonly #clients = new Map<Caller, TestClient>();
  #owned: Readonly<Record<string, unknown>> = {};
  readonly #holders = new Map<string, Promise<TestClient>>();
  /** Tokens by their scopes; each of an Owner, who could do everything. */
  readonly #tokens = new Map<string, Promise<TestClient>>();

  private constructor(
    console: TestConsole,
    ids: { readonly companyId: number; readonly clusterId: number; readonly teamId: number },
  ) {
    this.console = console;
    ({ companyId: this.companyId, clusterId: this.clusterId, teamId: this.teamId } = ids);
  }

  static async start(): Promise<MatrixOffice> {
    const console = await startConsole();
    const companyId = await console.company();
    const clusterId = await console.cluster(companyId);
    const office = new MatrixOffice(console, { companyId, clusterId, teamId: await console.team(companyId) });
    await office.#people();
    return office;
  }

  async #people(): Promise<void> {
    const { console, companyId, clusterId, teamId } = this;
    const clients = this.#clients;
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
    this.#owned = { requestId, ...(await this.#belongings(owner)) };
    clients.set('token', await this.tokenFor(allScopes));
    clients.set(
      'owner of another company',
      (await console.person({ companyId: await console.company(), isOwner: true })).client,
    );
  }

  /** What an Owner and a member have, one of each sort that a call names. */
  async #belongings(owner: TestPerson): Promise<Readonly<Record<string, unknown>>> {
    const { console, companyId, clusterId } = this;
    const { db } = console.store;
    const { id: userId, client } = await console.person({ companyId, password: testPassword });
    const { invitation } = await owner.client.call('invite', {
      body: { email: 'invited@example.org', orgRole: 2, teams: [] },
    });
    const { made } = await client.call('createToken', { body: { name: 'script', scopes: ['pods.view'] } });
    const [session] = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId));
    const [provider] = await db
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
    const [identity] = await db
      .insert(identities)
      .values({
        userId,
        providerId: provider?.id ?? 0,
        issuer: 'https://id.example.org',
        subject: 'kim',
        email: null,
      })
      .returning({ id: identities.id });
    const [passkey] = await db
      .insert(passkeys)
      .values({
        userId,
        credentialId: 'kim',
        publicKey: Buffer.alloc(1),
        counter: 0,
        transports: [],
        userHandle: 'kim',
        host: 'localhost',
        name: 'Laptop',
      })
      .returning({ id: passkeys.id });
    const recordingId = randomUUID();
    await db.insert(shellRecordings).values({
      id: recordingId,
      companyId,
      clusterId,
      cluster: 'prod',
      userId,
      actor: 'Kim',
      mode: 'exec',
      namespace: 'shop',
      name: 'web',
      key: Buffer.from('sealed'),
    });
    return {
      userId,
      inviteId: invitation.inviteId,
      tokenId: made.id,
      sessionId: session?.id,
      providerId: provider?.id,
      identityId: identity?.id,
      passkeyId: passkey?.id,
      recordingId,
    };
  }

  /** Ids of what the company has, by the parameters of paths: an Owner of another company asks by them. */
  get owned(): Readonly<Record<string, unknown>> {
    return { clusterId: this.clusterId, teamId: this.teamId, ...this.#owned };
  }

  /** What the company has, as one text: what an Owner of another company asks changes nothing of it. */
  async content(): Promise<string> {
    const { db } = this.console.store;
    const { userId } = this.#owned;
    const of = eq(memberships.userId, Number(userId));
    const rows = await Promise.all([
      db.select().from(memberships).where(of),
      db.select().from(identityProviders).where(eq(identityProviders.companyId, this.companyId)),
      db
        .select()
        .from(identities)
        .where(eq(identities.userId, Number(userId))),
      db
        .select()
        .from(passkeys)
        .where(eq(passkeys.userId, Number(userId))),
      db
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, Number(userId))),
      db
        .select({ state: invitations.state })
        .from(invitations)
        .where(eq(invitations.companyId, this.companyId)),
      db
        .select({ id: apiTokens.id })
        .from(apiTokens)
        .where(eq(apiTokens.userId, Number(userId))),
    ]);
    return JSON.stringify(rows);
  }

  /** The client of a caller. */
  clientOf(caller: Caller): TestClient {
    return this.#clients.get(caller) ?? never(`Nobody is "${caller}".`);
  }

  /** Somebody who holds exactly these permissions on the cluster; the same person each time. */
  holder(held: readonly Permission[]): Promise<TestClient> {
    return remember(this.#holders, held, async () => {
      const { console, companyId, clusterId } = this;
      const person = await console.person({ companyId });
      await console.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
      console.narrow(person.id, held);
      return person.client;
    });
  }

  /** Somebody who holds every permission but one. */
  everythingBut(one: Permission): Promise<TestClient> {
    return this.holder(permissions.filter((other) => other !== one));
  }

  /** A token of an Owner with these scopes. */
  tokenFor(scopes: readonly TokenScope[]): Promise<TestClient> {
    return remember(this.#tokens, scopes, async () => {
      const { console, companyId } = this;
      const { client } = await console.person({ companyId, isOwner: true });
      const { secret } = await client.call('createToken', { body: { name: 'script', scopes: [...scopes] } });
      return new BearerClient(console.url, secret);
    });
  }

  /**
   * Asks with tokens of Owners: one with just the scopes that are needed, then those with every scope but one of them. No
   * token does what is for Owners.
   */
  async needsScopes(what: string, need: Need, ask: Ask, byName: readonly TokenScope[] = []): Promise<void> {
    if (need === 'owner') {
      expect([what, await ask(await this.tokenFor(allScopes))]).toEqual([what, true]);
      return;
    }
    const needed = [...listed(need), ...byName];
    const refused = await Promise.all([
      this.tokenFor(needed).then(ask),
      ...needed.map((one) => this.tokenFor(allScopes.filter((other) => other !== one)).then(ask)),
    ]);
    expect([what, refused]).toEqual([what, [false, ...needed.map(() => true)]]);
  }

  /**
   * Asks as somebody who holds just what is needed, then as those who hold everything but one of it. What is for Owners
   * is refused to somebody who holds every permission.
   */
  async needsExactly(what: string, need: Need, ask: Ask): Promise<void> {
    if (need === 'owner') {
      const refused = [await ask(this.clientOf('owner')), await ask(await this.holder(permissions))];
      expect([what, refused]).toEqual([what, [false, true]]);
      return;
    }
    const needed = listed(need);
    const refused = await Promise.all([
      this.holder(needed).then(ask),
      ...needed.map((one) => this.everythingBut(one).then(ask)),
    ]);
    expect([what, refused]).toEqual([what, [false, ...needed.map(() => true)]]);
  }

  /** Makes a call of the contract as one of the callers, well-formed. */
  async sendAs(caller: Caller, name: string, kind: string): Promise<WireAnswer> {
    const owned = caller === 'owner of another company' ? this.#owned : {};
    return await this.send(this.clientOf(caller), name, kind, owned);
  }

  /** Makes a call of the contract, well-formed. @param owned parameters that count before those of the table */
  async send(
    client: TestClient,
    name: string,
    kind: string,
    owned: Readonly<Record<string, unknown>> = {},
    body: unknown = calls[name]?.body ?? {},
  ): Promise<WireAnswer> {
    const { clusterId, teamId } = this;
    const endpoint: Endpoint = api[name as ApiName];
    const call = calls[name];
    return await client.send(
      endpoint.method,
      pathOf(endpoint, { clusterId, teamId, kind, name: 'any', ...call?.params, ...owned }),
      endpoint.body === undefined ? undefined : body,
    );
  }

  /** Asks for a call of the contract, about a kind. */
  asks(name: string, kind: string): Ask {
    return async (client) => isRefused(await this.send(client, name, kind));
  }

  close(): Promise<void> {
    return this.console.close();
  }
}

/** What is made once for each set of names. */
function remember(
  known: Map<string, Promise<TestClient>>,
  names: readonly string[],
  make: () => Promise<TestClient>,
): Promise<TestClient> {
  const key = [...names].sort().join();
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}
