import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { type CompanyProvider, maxProviders } from '../../contract/providers.ts';
import { Problem } from '../../contract/problem.ts';
import { endShutOut, revokeTokens } from '../access/live-tokens.ts';
import type { Member } from '../access/person.ts';
import { parseIssuer } from '../kit/config-identity.ts';
import { changeGrants } from '../organisation/change-grants.ts';
import { requireStillOwner } from '../organisation/still-owner.ts';
import { lockProviders, refuseProviderBesideRule } from '../passkeys/rule.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { sessions } from '../store/schema/sessions.ts';
import { groupTeams } from '../store/schema/teams.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import { clientSecretContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { type GroupTeam, mapGroups, readGroupTeams } from './group-mapping.ts';
import { forgetGroups } from '../organisation/group-places.ts';
import { redirectUri } from './sign-ins.ts';

type Row = typeof identityProviders.$inferSelect;

/** What an Owner enters of a provider. */
export interface ProviderSettings {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly groupsClaim: string | null;
}

/** What an Owner may change of a provider. */
export type ProviderChange = {
  readonly [K in keyof ProviderSettings]?: ProviderSettings[K] | undefined;
} & {
  readonly isEnforced?: boolean | undefined;
  readonly groupTeams?: readonly GroupTeam[] | undefined;
};

/** The providers that a company brings. The guard decided who may ask; every query names the company. */
export class CompanyProviders {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #vault: Pick<Vault, 'seal'>;

  constructor(store: Pick<Store, 'db' | 'channel'>, vault: Pick<Vault, 'seal'>) {
    this.#store = store;
    this.#vault = vault;
  }

  /** All of a company, by name. @param origin at which people open the console */
  async list({ companyId }: Member, origin: string): Promise<CompanyProvider[]> {
    const { db } = this.#store;
    const rows = await db
      .select()
      .from(identityProviders)
      .where(eq(identityProviders.companyId, companyId))
      .orderBy(identityProviders.name, identityProviders.id);
    const groupTeamsOf = await readGroupTeams(db, companyId);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      issuer: row.issuer,
      clientId: row.clientId,
      groupsClaim: row.groupsClaim,
      isEnforced: row.isEnforced,
      testedAt: row.testedAt,
      redirectUri: redirectUri(origin, row.key),
      signInUrl: `${origin}/login?provider=${row.key}`,
      groupTeams: groupTeamsOf(row.key),
    }));
  }

  /** Adds one; returns its id. Throws Problem 400 for a wrong issuer, 409 for too many, and beside the rule that everybody uses a passkey. */
  async add(person: Member, settings: ProviderSettings): Promise<number> {
    const { companyId } = person;
    const issuer = issuerOf(settings.issuer);
    const key = `c-${randomBytes(10).toString('hex')}`;
    return await changeGrants(this.#store, { companyId }, async (tx) => {
      await requireStillOwner(tx, person);
      await lockProviders(tx, companyId);
      await refuseProviderBesideRule(tx, companyId);
      const present = await tx
        .select({ id: identityProviders.id })
        .from(identityProviders)
        .where(eq(identityProviders.companyId, companyId));
      if (present.length >= maxProviders)
        throw new Problem({
          status: 409,
          title: `An organisation has at most ${maxProviders} providers. Remove one first.`,
        });
      const [row] = await tx
        .insert(identityProviders)
        .values({
          companyId,
          key,
          name: settings.name,
          issuer,
          clientId: settings.clientId,
          clientSecret: this.#vault.seal(settings.clientSecret, clientSecretContext(key)),
          groupsClaim: settings.groupsClaim,
        })
        .returning({ id: identityProviders.id });
      if (row === undefined) throw new Error('The provider could not be stored.');
      return row.id;
    });
  }

  /** Changes one. What speaks to the provider is to be tested anew. Throws Problem 400, 404 and 409. */
  async change(person: Member, providerId: number, change: ProviderChange): Promise<void> {
    const { companyId } = person;
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      await requireStillOwner(tx, person);
      const row = await lock(tx, companyId, providerId);
      const { clientSecret } = change;
      const issuer = change.issuer === undefined ? row.issuer : issuerOf(change.issuer);
      const clientId = change.clientId ?? row.clientId;
      const speaksOtherwise =
        issuer !== row.issuer || clientId !== row.clientId || clientSecret !== undefined;
      const groupsClaim = change.groupsClaim === undefined ? row.groupsClaim : change.groupsClaim;
      const testedAt = speaksOtherwise ? null : row.testedAt;
      const isEnforced = change.isEnforced ?? (row.isEnforced && !speaksOtherwise);
      if (isEnforced && testedAt === null)
        throw new Problem({
          status: 409,
          title: 'Test the sign-in with these settings first: nobody could get in if they are wrong.',
        });
      await tx
        .update(identityProviders)
        .set({
          name: change.name ?? row.name,
          issuer,
          clientId,
          groupsClaim,
          testedAt,
          isEnforced,
          ...(clientSecret === undefined
            ? {}
            : { clientSecret: this.#vault.seal(clientSecret, clientSecretContext(row.key)) }),
        })
        .where(eq(identityProviders.id, providerId));
      // Another claim or another issuer speaks of other groups.
      if (groupsClaim !== row.groupsClaim || issuer !== row.issuer) await forgetGroups(tx, row);
      if (change.groupTeams !== undefined) await mapGroups(tx, row, change.groupTeams);
      if (isEnforced !== row.isEnforced) await endShutOut(tx, channel, { companyId });
      await channel.notify('grants', { companyId }, tx);
    });
  }

  /** Removes one, with its sessions, connections, and what its groups gave. Throws Problem 404. */
  async remove(person: Member, providerId: number): Promise<void> {
    const { companyId } = person;
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      await requireStillOwner(tx, person);
      const { key } = await lock(tx, companyId, providerId);
      const open = await tx
        .selectDistinct({ userId: sessions.userId })
        .from(sessions)
        .where(eq(sessions.providerId, providerId));
      await revokeTokens(tx, channel, eq(apiTokens.providerId, providerId));
      await tx.delete(identityProviders).where(eq(identityProviders.id, providerId));
      await forgetGroups(tx, { companyId, key });
      await tx
        .delete(groupTeams)
        .where(and(eq(groupTeams.companyId, companyId), eq(groupTeams.provider, key)));
      for (const { userId } of open) await channel.notify('sessions', { userId }, tx);
      await channel.notify('grants', { companyId }, tx);
    });
  }

  /** The key of one. Throws Problem 404. */
  async keyOf({ companyId }: Member, providerId: number): Promise<string> {
    return (await this.#store.db.transaction((tx) => lock(tx, companyId, providerId))).key;
  }

  /** Notes that somebody signed in by a provider to test it, unless its settings were changed meanwhile. */
  async tested(key: string, issuer: string): Promise<void> {
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      const [row] = await tx
        .update(identityProviders)
        .set({ testedAt: sql`now()` })
        .where(and(eq(identityProviders.key, key), eq(identityProviders.issuer, issuer)))
        .returning({ companyId: identityProviders.companyId });
      if (row !== undefined) await channel.notify('grants', row, tx);
    });
  }
}

async function lock(tx: Transaction, companyId: number, providerId: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.id, providerId), eq(identityProviders.companyId, companyId)))
    .for('update');
  if (row === undefined) throw new Problem({ status: 404, title: 'Your organisation has no such provider.' });
  return row;
}

function issuerOf(text: string): string {
  const read = parseIssuer(text.trim());
  if ('problem' in read)
    throw new Problem({
      status: 400,
      title: `The issuer cannot be used: ${read.problem}`,
      issues: [{ path: 'issuer', message: read.problem }],
    });
  return read.value.href;
}
