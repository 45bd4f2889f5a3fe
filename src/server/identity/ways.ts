import { and, eq, ne, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { SignInProvider } from '../../contract/sign-in.ts';
import { revokeTokens } from '../access/live-tokens.ts';
import type { Person } from '../access/person.ts';
import { forgetGroupsOf } from '../organisation/group-places.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { identities, identityProviders } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Providers } from './providers.ts';

/** A provider that is connected to an account. */
export interface Connection {
  readonly id: number;
  readonly label: string;
  /** The company whose provider it is; null for one of the installation. */
  readonly company: string | null;
  readonly email: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The ways by which a person signs in. */
export interface WaysToSignIn {
  readonly hasPassword: boolean;
  readonly identities: readonly Connection[];
  readonly connectable: readonly SignInProvider[];
}

/** The ways by which people sign in to their own accounts. */
export class SignInWays {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #providers: Providers;

  constructor(store: Pick<Store, 'db' | 'channel'>, providers: Providers) {
    this.#store = store;
    this.#providers = providers;
  }

  /**
   * A person's ways, and the providers that they may connect: the installation's, and those of their companies that they
   * have not connected.
   */
  async of(userId: number): Promise<WaysToSignIn> {
    const { db } = this.#store;
    const [user] = await db
      .select({ hasPassword: sql<boolean>`${users.passwordHash} is not null` })
      .from(users)
      .where(eq(users.id, userId));
    const rows = await db
      .select({ identity: identities, label: identityProviders.name, company: companies.name })
      .from(identities)
      .leftJoin(identityProviders, eq(identityProviders.id, identities.providerId))
      .leftJoin(companies, eq(companies.id, identityProviders.companyId))
      .where(eq(identities.userId, userId))
      .orderBy(identities.createdAt, identities.id);
    const { installation } = this.#providers;
    return {
      hasPassword: user?.hasPassword ?? false,
      identities: rows.map(({ identity, label, company }) => ({
        id: identity.id,
        label:
          label ??
          installation.find(({ issuer }) => isIssuer(issuer, identity.issuer))?.label ??
          identity.issuer,
        company,
        email: identity.email,
        createdAt: identity.createdAt,
        lastUsedAt: identity.lastUsedAt,
      })),
      connectable: [
        ...installation.map(({ key, label }) => ({ key, label })),
        ...(await this.#ofCompanies(userId))
          .filter(({ providerId }) => !rows.some(({ identity }) => identity.providerId === providerId))
          .map(({ key, label }) => ({ key, label })),
      ],
    };
  }

  /**
   * Whether a person may go to a provider to connect it: the installation's, and those of companies that they belong to.
   * One that they have connected opens its company for them in the same way.
   */
  async mayConnect(userId: number, key: string): Promise<boolean> {
    const all = [...this.#providers.installation, ...(await this.#ofCompanies(userId))];
    return all.some((one) => one.key === key);
  }

  /**
   * Takes a provider away, with the places that groups there gave, and ends the sessions that it opened, but for the one
   * that asks, and the tokens of a company's. Throws Problem 404, and 409 where no way to sign in would be left, or where a company lets the person in by it alone.
   */
  async disconnect(person: Person, identityId: number): Promise<void> {
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      const [user] = await tx
        .select({ passwordHash: users.passwordHash })
        .from(users)
        .where(eq(users.id, person.id))
        .for('update');
      const own = await tx.select().from(identities).where(eq(identities.userId, person.id));
      const gone = own.find((one) => one.id === identityId);
      if (gone === undefined)
        throw new Problem({ status: 404, title: 'This provider is not connected to your account.' });
      await requireNotEnforced(tx, person.id, gone.providerId);
      // A company's provider opens that company alone: without another way the account itself would be lost.
      const [passkey] = await tx
        .select({ id: passkeys.id })
        .from(passkeys)
        .where(eq(passkeys.userId, person.id))
        .limit(1);
      const isLeft =
        passkey !== undefined || own.some((one) => one.id !== identityId && one.providerId === null);
      if (user?.passwordHash == null && gone.providerId === null && !isLeft)
        throw new Problem({
          status: 409,
          title: 'This is your last way to sign in. Connect another provider or register a passkey first.',
        });
      await tx.delete(identities).where(eq(identities.id, identityId));
      const { installation } = this.#providers;
      const way = installation.find(({ issuer }) => isIssuer(issuer, gone.issuer))?.key;
      const opened =
        gone.providerId === null
          ? and(sql`${sessions.providerId} is null`, eq(sessions.signInWay, way ?? ''))
          : eq(sessions.providerId, gone.providerId);
      await tx
        .delete(sessions)
        .where(
          and(
            eq(sessions.userId, person.id),
            ne(sessions.tokenHash, Buffer.from(person.sessionHash, 'hex')),
            opened,
          ),
        );
      if (gone.providerId !== null)
        await revokeTokens(
          tx,
          channel,
          and(eq(apiTokens.userId, person.id), eq(apiTokens.providerId, gone.providerId)),
        );
      const key = gone.providerId === null ? way : await keyOf(tx, gone.providerId);
      const concerned = key === undefined ? [] : await forgetGroupsOf(tx, { userId: person.id, key });
      for (const companyId of concerned) await channel.notify('grants', { companyId }, tx);
      await channel.notify('sessions', { userId: person.id }, tx);
    });
  }

  async #ofCompanies(userId: number): Promise<readonly (SignInProvider & { readonly providerId: number })[]> {
    const rows = await this.#store.db
      .select({
        providerId: identityProviders.id,
        key: identityProviders.key,
        label: identityProviders.name,
        company: companies.name,
      })
      .from(identityProviders)
      .innerJoin(companies, eq(companies.id, identityProviders.companyId))
      .innerJoin(
        memberships,
        and(
          eq(memberships.companyId, identityProviders.companyId),
          eq(memberships.userId, userId),
          eq(memberships.state, 'active'),
        ),
      )
      .orderBy(companies.name, identityProviders.name);
    return rows.map(({ company, label, ...row }) => ({ ...row, label: `${label} (${company})` }));
  }
}

/**
 * Throws Problem 409 for a provider that a company of the person enforces. Whoever has their password could connect a login
 * of their own in its place; the operator's exceptions sign in by password anyway.
 */
async function requireNotEnforced(tx: Transaction, userId: number, providerId: number | null): Promise<void> {
  if (providerId === null) return;
  const [enforced] = await tx
    .select({ company: companies.name, label: identityProviders.name })
    .from(identityProviders)
    .innerJoin(companies, eq(companies.id, identityProviders.companyId))
    .innerJoin(memberships, eq(memberships.companyId, identityProviders.companyId))
    .where(
      and(
        eq(identityProviders.id, providerId),
        eq(identityProviders.isEnforced, true),
        eq(memberships.userId, userId),
        ne(memberships.state, 'left'),
        eq(memberships.isLocal, false),
      ),
    );
  if (enforced === undefined) return;
  const { company, label } = enforced;
  throw new Problem({
    status: 409,
    title: `${company} lets its people sign in only with ${label}, so it stays connected to your account. If you have another login there now, ask an Owner of ${company} to remove you and to invite you again.`,
  });
}

/** The key of a company's provider. */
async function keyOf(tx: Transaction, providerId: number): Promise<string | undefined> {
  const [row] = await tx
    .select({ key: identityProviders.key })
    .from(identityProviders)
    .where(eq(identityProviders.id, providerId));
  return row?.key;
}

/** Whether a claim names this issuer; a URL of an origin alone is written with and without its slash. */
function isIssuer(issuer: URL, claimed: string): boolean {
  return issuer.href === claimed || issuer.href === `${claimed}/`;
}
