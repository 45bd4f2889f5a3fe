import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte, ne, or, sql } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { isOpenToAll, isRuleKept, opensCompany } from './enforced.ts';
import type { Person } from './person.ts';
import type { Clock } from '../kit/clock.ts';

const hour = 3_600_000;
/** A session ends after this time without a call, ms. */
export const idleLimit = 12 * hour;
/** A session ends this long after sign-in, even if it is in use, ms. */
export const absoluteLimit = 14 * 24 * hour;
/**
 * A session whose provider lists groups ends this long after sign-in, ms: the next sign-in by that provider reads the
 * groups anew and takes away the places of those that the person has left.
 */
export const groupsLimit = 12 * hour;
/** A session's last use is written at most this often (ms). */
const seenInterval = 60_000;

/** How a session is opened, and what it is bound to. */
export interface SessionBinding {
  /** A company that the person is an active member of. */
  readonly companyId?: number;
  /** The provider of that company that opens the session: it never acts elsewhere. */
  readonly providerId?: number;
  /** `password`, which it is by default, `passkey`, or a provider's key. */
  readonly way?: string;
  /** The passkey that opens it. */
  readonly passkeyId?: number;
  /** Whether the sign-in read groups, which change at the provider. */
  readonly readsGroups?: boolean;
  /** Whether the session of the call goes on in another company: it counts as opened in the same way, at the same time. */
  readonly goesOn?: boolean;
}

/** Where a session begins, for the list of a person's sessions, and in which company. */
export interface SessionOrigin extends SessionBinding {
  readonly userAgent: string;
  readonly address: string;
  /** The token of the session of the call, if any. */
  readonly before?: string | undefined;
}

/** Browser sessions: a random token in a cookie, its SHA-256 in the store. */
export interface Sessions {
  /**
   * Begins a session and returns its token: the only time it is known. It acts in the company that the person used
   * last, or in none for somebody without an active membership, unless `companyId` names one.
   */
  start(userId: number, origin: SessionOrigin): Promise<string>;
  /** Whose session a token opens, or undefined for an unknown or expired one. Notes the use. */
  find(token: string): Promise<Person | undefined>;
  /** Ends one session and tells every replica. */
  end(token: string): Promise<void>;
  /**
   * Ends the sessions of a person except the one named by its hash, and notifies every replica; within a transaction.
   */
  endOthers(tx: Transaction, userId: number, keepHash: string): Promise<void>;
}

/** SHA-256 of a token: what the store keeps in its place. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A token of 256 random bits, safe in cookies and links. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Ends the session that goes on in another company, and gives what the next one has of it. Throws Problem 409 where it is
 * over: what ends a session while it goes on must not leave a new one.
 */
async function takeOver(tx: Transaction, tokenHash: Buffer, userId: number) {
  const [former] = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.userId, userId)))
    .returning();
  if (former === undefined)
    throw new Problem({ status: 409, title: 'This session has ended. Reload the page and try again.' });
  return former;
}

/** The condition that a membership is the active one of a session's person in the company that the session acts in. */
const isMembershipOfSession = () =>
  and(
    eq(memberships.userId, sessions.userId),
    eq(memberships.companyId, sessions.companyId),
    eq(memberships.state, 'active'),
  );

/**
 * The session of a token, by its hash, where it lasts on at a time (ISO). Every call asks this: PostgreSQL keeps the plan,
 * which takes longer to make than to follow.
 */
function prepareOpenSession(db: Database) {
  return db
    .select({
      session: sessions,
      user: users,
      company: companies.name,
      orgRole: memberships.orgRole,
      isOpen: sql<boolean>`${opensCompany(sessions)}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(companies, eq(companies.id, sessions.companyId))
    .leftJoin(memberships, isMembershipOfSession())
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        gt(sessions.expiresAt, sql.placeholder('now')),
        gt(sessions.idleExpiresAt, sql.placeholder('now')),
      ),
    )
    .prepare('open_session');
}

/** Notes when a person was last there in a company. @param at ISO */
async function noteSeen(
  db: Store['db'] | Transaction,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
  at: string,
): Promise<void> {
  await db
    .update(memberships)
    .set({ lastSeenAt: at })
    .where(and(eq(memberships.userId, userId), eq(memberships.companyId, companyId)));
}

/** Sessions of one store. */
export function createSessions(store: Pick<Store, 'db' | 'channel'>, clock: Clock): Sessions {
  const { db, channel } = store;
  const iso = (time: number) => new Date(time).toISOString();
  const readOpen = prepareOpenSession(db);

  return {
    async start(userId, origin) {
      const { userAgent, address, companyId, providerId, way = 'password', before } = origin;
      const latest = iso(clock.now() + (origin.readsGroups === true ? groupsLimit : absoluteLimit));
      const goesOnFrom = origin.goesOn === true && before !== undefined ? hashToken(before) : undefined;
      const token = newToken();
      const time = clock.now();
      await db
        .delete(sessions)
        .where(or(lte(sessions.expiresAt, iso(time)), lte(sessions.idleExpiresAt, iso(time))));
      await db.transaction(async (tx) => {
        const former = goesOnFrom && (await takeOver(tx, goesOnFrom, userId));
        const passkeyId = former === undefined ? origin.passkeyId : former.passkeyId;
        const passkey = sql`${passkeyId ?? null}::integer`;
        const [started] = await tx
          .insert(sessions)
          .values({
            tokenHash: hashToken(token),
            userId,
            companyId:
              companyId ??
              sql`(select m.company_id from memberships m
          where m.user_id = ${userId} and m.state = 'active' and ${isOpenToAll('m')} and ${isRuleKept(passkey, 'm')}
          order by m.last_seen_at desc nulls last, m.created_at, m.company_id limit 1)`,
            createdAt: iso(time),
            lastSeenAt: iso(time),
            idleExpiresAt: iso(time + idleLimit),
            expiresAt: former?.expiresAt ?? latest,
            userAgent: userAgent.replaceAll(/\p{Cc}/gu, '').slice(0, 300),
            address,
            providerId: providerId ?? null,
            signInWay: former?.signInWay ?? way,
            passkeyId: passkeyId ?? null,
            provedAt: former?.provedAt ?? iso(time),
          })
          .returning({ companyId: sessions.companyId });
        if (started?.companyId != null)
          await noteSeen(tx, { userId, companyId: started.companyId }, iso(time));
        if (former !== undefined)
          await channel.notify('sessions', { userId, tokenHash: former.tokenHash.toString('hex') }, tx);
      });
      return token;
    },

    async find(token) {
      const tokenHash = hashToken(token);
      const time = clock.now();
      const [row] = await readOpen.execute({ tokenHash, now: iso(time) });
      if (row === undefined) return undefined;
      const { userId, companyId } = row.session;
      // A session of a company opens nothing once its person is no active member there.
      if (companyId !== null && row.orgRole === null) return undefined;
      if (companyId !== null && !row.isOpen) return undefined;
      if (time - Date.parse(row.session.lastSeenAt) >= seenInterval) {
        await db
          .update(sessions)
          .set({ lastSeenAt: iso(time), idleExpiresAt: iso(time + idleLimit) })
          .where(eq(sessions.tokenHash, tokenHash));
        if (companyId !== null) await noteSeen(db, { userId, companyId }, iso(time));
      }
      return {
        id: row.user.id,
        companyId,
        companyName: row.company ?? '',
        orgRole: row.orgRole === orgRoles.Owner ? orgRoles.Owner : orgRoles.Member,
        name: row.user.name,
        email: row.user.email,
        sessionHash: tokenHash.toString('hex'),
        providerId: row.session.providerId,
        token: null,
      };
    },

    async end(token) {
      const tokenHash = hashToken(token);
      await db.transaction(async (tx) => {
        const [row] = await tx
          .delete(sessions)
          .where(eq(sessions.tokenHash, tokenHash))
          .returning({ userId: sessions.userId });
        if (row === undefined) return;
        await channel.notify('sessions', { userId: row.userId, tokenHash: tokenHash.toString('hex') }, tx);
      });
    },

    async endOthers(tx, userId, keepHash) {
      const ended = await tx
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, Buffer.from(keepHash, 'hex'))))
        .returning({ tokenHash: sessions.tokenHash });
      for (const row of ended) {
        await channel.notify('sessions', { userId, tokenHash: row.tokenHash.toString('hex') }, tx);
      }
    },
  };
}
