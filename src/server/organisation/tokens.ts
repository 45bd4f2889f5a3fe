import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { type ApiToken, type MemberToken, tokensLimit } from '../../contract/tokens.ts';
import type { TokenScope } from '../../contract/token-scopes.ts';
import { scopesIn } from '../access/api-tokens.ts';
import { opensCompany } from '../access/enforced.ts';
import type { Grants } from '../access/grants.ts';
import { revokeTokens } from '../access/live-tokens.ts';
import type { Member } from '../access/person.ts';
import { hashToken } from '../access/sessions.ts';
import { newApiToken } from '../access/token-format.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Store, Transaction } from '../store/store.ts';
import { sessionOf } from '../access/session-of.ts';
import type { Clock } from '../kit/clock.ts';

const day = 24 * 3_600_000;
/** A token that opens nothing any more is forgotten after this, ms. */
const keptFor = 90 * day;

type Row = typeof apiTokens.$inferSelect;

/** What a token is made with, as the contract checked it. */
export interface TokenInput {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly clusterIds: readonly number[] | null;
  readonly expiresInDays: number;
}

/** A token of a person and its name, for the audit. */
export interface RevokedToken {
  readonly name: string;
  readonly userId: number;
}

/** The API tokens of a company: those of a person to themself, and those of everybody to its Owners. */
export class Tokens {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #grants: Pick<Grants, 'clusters'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db' | 'channel'>, grants: Pick<Grants, 'clusters'>, clock: Clock) {
    this.#store = store;
    this.#grants = grants;
    this.#clock = clock;
  }

  /** The own tokens of the company in which the session acts, the newest first. */
  async own(person: Member): Promise<ApiToken[]> {
    const rows = await this.#store.db
      .select()
      .from(apiTokens)
      .where(and(this.#own(person), isNull(apiTokens.revokedAt)))
      .orderBy(desc(apiTokens.id));
    const names = await this.#clusterNames(person);
    return rows.map((row) => this.#present(row, names));
  }

  /** The tokens of everybody in the company, the newest first; its Owners see them. */
  async ofCompany(person: Member): Promise<MemberToken[]> {
    const rows = await this.#store.db
      .select({ token: apiTokens, userName: users.name, email: users.email })
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.userId))
      .where(and(eq(apiTokens.companyId, person.companyId), isNull(apiTokens.revokedAt)))
      .orderBy(desc(apiTokens.id));
    const names = await this.#clusterNames(person);
    return rows.map(({ token, ...of }) => ({ ...this.#present(token, names), ...of, userId: token.userId }));
  }

  /**
   * Makes a token; its text is known this once. It may name scopes that the person does not have: they are worth
   * nothing until they do. Throws Problem 400 for a cluster that they do not reach, 409 for a name that is taken and for
   * too many tokens.
   */
  async create(person: Member, input: TokenInput): Promise<{ made: ApiToken; secret: string }> {
    const names = await this.#clusterNames(person);
    const clusterIds = input.clusterIds === null ? null : [...new Set(input.clusterIds)];
    if (clusterIds?.some((one) => !names.has(one)) === true)
      throw new Problem({
        status: 400,
        title: 'You have no access to one of these clusters. Choose others.',
      });
    const secret = newApiToken();
    const now = this.#clock.now();
    const row = await this.#store.db.transaction(async (tx) => {
      // Two at once are made one after the other, so that neither slips past the limits.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api tokens'), ${person.id})`);
      const passkeyId = await this.#lockSession(tx, person);
      const long = iso(now - keptFor);
      await tx
        .delete(apiTokens)
        .where(and(this.#own(person), or(lt(apiTokens.expiresAt, long), lt(apiTokens.revokedAt, long))));
      const live = await tx
        .select({ name: apiTokens.name })
        .from(apiTokens)
        .where(and(this.#own(person), isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, iso(now))));
      if (live.some(({ name }) => name === input.name))
        throw new Problem({
          status: 409,
          title: `You have an API token “${input.name}” already. Choose another name: the audit identifies tokens by name.`,
        });
      if (live.length >= tokensLimit)
        throw new Problem({
          status: 409,
          title: `You have ${tokensLimit} API tokens in this organisation already. Revoke one of them first.`,
        });
      const [stored] = await tx
        .insert(apiTokens)
        .values({
          tokenHash: hashToken(secret),
          userId: person.id,
          companyId: person.companyId,
          name: input.name,
          scopes: scopesIn(input.scopes),
          clusterIds,
          providerId: person.providerId,
          passkeyId,
          createdAt: iso(now),
          expiresAt: iso(now + input.expiresInDays * day),
        })
        .returning();
      if (stored === undefined) throw new Error('The API token could not be stored.');
      return stored;
    });
    return { made: this.#present(row, names), secret };
  }

  /**
   * Locks the session that asks and its membership against their end, and returns the passkey that opened the session.
   * Throws Problem 401 where one of them ended since the guard's check: a token would outlive it.
   */
  async #lockSession(tx: Transaction, person: Member): Promise<number | null> {
    const [open] = await tx
      .select({ passkeyId: sessions.passkeyId })
      .from(sessions)
      .innerJoin(
        memberships,
        and(eq(memberships.userId, sessions.userId), eq(memberships.companyId, sessions.companyId)),
      )
      .where(and(sessionOf(person), eq(memberships.state, 'active'), opensCompany(sessions)))
      .for('share');
    if (open === undefined)
      throw new Problem({ status: 401, title: 'Your session here has just ended. Sign in to continue.' });
    return open.passkeyId;
  }

  /** Revokes one of the own tokens. Throws Problem 404. */
  async revokeOwn(person: Member, tokenId: number): Promise<void> {
    await this.#revoke(and(this.#own(person), eq(apiTokens.id, tokenId)));
  }

  /** Revokes a token of anybody in the company. Throws Problem 404. */
  async revokeOfCompany(person: Member, tokenId: number): Promise<void> {
    await this.#revoke(and(eq(apiTokens.companyId, person.companyId), eq(apiTokens.id, tokenId)));
  }

  /** The name and person of a token of the company, for the audit. Throws Problem 404. */
  async named(person: Member, tokenId: number): Promise<RevokedToken> {
    const [row] = await this.#store.db
      .select({ name: apiTokens.name, userId: apiTokens.userId })
      .from(apiTokens)
      .where(and(eq(apiTokens.companyId, person.companyId), eq(apiTokens.id, tokenId)));
    if (row === undefined) throw noSuchToken();
    return row;
  }

  async #revoke(which: SQL | undefined): Promise<void> {
    const { db, channel } = this.#store;
    const revoked = await db.transaction((tx) => revokeTokens(tx, channel, which));
    if (revoked === 0) throw noSuchToken();
  }

  #own(person: Member) {
    return and(eq(apiTokens.userId, person.id), eq(apiTokens.companyId, person.companyId));
  }

  async #clusterNames(person: Member): Promise<ReadonlyMap<number, string>> {
    return new Map((await this.#grants.clusters(person)).map(({ id, name }) => [id, name]));
  }

  #present(row: Row, clusterNames: ReadonlyMap<number, string>): ApiToken {
    const { id, name, createdAt, expiresAt, lastUsedAt, lastUsedAddress } = row;
    return {
      id,
      name,
      scopes: scopesIn(row.scopes),
      clusters:
        row.clusterIds === null
          ? null
          : row.clusterIds.flatMap((one) => {
              const clusterName = clusterNames.get(one);
              return clusterName === undefined ? [] : [{ id: one, name: clusterName }];
            }),
      createdAt,
      expiresAt,
      isExpired: Date.parse(expiresAt) <= this.#clock.now(),
      lastUsedAt,
      lastUsedAddress,
    };
  }
}

function noSuchToken(): Problem {
  return new Problem({
    status: 404,
    title: 'This API token was already revoked, or does not exist.',
  });
}

const iso = (time: number) => new Date(time).toISOString();
