import { and, eq, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Database } from '../store/store.ts';

/**
 * The condition by which a session that no provider of the company opened may act in it: the company enforces none, or
 * the operator made the membership. `memberships` is in the query, under its own name or as `m`.
 */
export function isOpenToAll(membership: 'memberships' | 'm' = 'memberships'): SQL {
  const m = sql.raw(membership);
  return sql`(${m}.is_local or not exists (select 1 from identity_providers enforced
    where enforced.company_id = ${m}.company_id and enforced.is_enforced))`;
}

/** The passkey that opened a session, by the SHA-256 of its token (hex). */
export const passkeyOf = (sessionHash: string): SQL =>
  sql`(select s.passkey_id from sessions s where s.token_hash = ${Buffer.from(sessionHash, 'hex')})`;

/**
 * The condition that the company's rule for passkeys holds: those whom it binds, its Owners or everybody, act in it in
 * sessions that a passkey opened.
 * @param passkey the passkey that opened the session, or null
 * @param membership as for `isOpenToAll`
 */
export function isRuleKept(passkey: SQL, membership: 'memberships' | 'm' = 'memberships'): SQL {
  const m = sql.raw(membership);
  return sql`(${passkey} is not null or not exists (select 1 from companies ruled where ruled.id = ${m}.company_id
    and (ruled.everybody_uses_passkeys or (ruled.owners_use_passkeys and ${m}.org_role = ${orgRoles.Owner}))))`;
}

/**
 * The condition by which a session or an API token acts in a company: no provider is enforced there, and its person came
 * by a passkey where the company asks them for one; or an enforced provider of the company opened it, which is trusted with both.
 * Calls, sockets and tokens are all held to this. The membership is in the query.
 * @param bearer the passkey and the provider that opened the session, or the one in which the token was made; null for none
 * @param membership as for `isOpenToAll`
 */
export function opensCompany(
  bearer: { readonly passkeyId: SQLWrapper; readonly providerId: SQLWrapper },
  membership: 'memberships' | 'm' = 'memberships',
): SQL {
  return sql`((${isOpenToAll(membership)} and ${isRuleKept(sql`${bearer.passkeyId}`, membership)})
    or exists (select 1 from identity_providers opener where opener.id = ${bearer.providerId} and opener.is_enforced))`;
}

/**
 * Whether somebody could enter a company if they signed in now: as an active member, by an enforced provider of it that
 * they have connected, or otherwise where none is enforced and the rule for passkeys asks for none that they lack.
 */
export async function mayEnter(
  db: Pick<Database, 'select'>,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
): Promise<boolean> {
  const passkeyId = sql`(select p.id from passkeys p where p.user_id = ${userId} limit 1)`;
  const providerId = sql`(select i.provider_id from identities i
    join identity_providers own on own.id = i.provider_id and own.company_id = ${companyId} and own.is_enforced
    where i.user_id = ${userId} limit 1)`;
  const [row] = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
        opensCompany({ passkeyId, providerId }),
      ),
    );
  return row !== undefined;
}

/** A company that opens by an enforced provider of its own alone. */
export interface ClosedCompany {
  readonly name: string;
  readonly provider: { readonly key: string; readonly label: string };
}

/**
 * The companies of a person that a session of another way does not open, with a provider that opens each. Whether the
 * person has connected one is told beside.
 */
async function closedCompanies(
  db: Database,
  userId: number,
): Promise<readonly (ClosedCompany & { readonly companyId: number; readonly isConnected: boolean })[]> {
  const rows = await db
    .select({
      companyId: companies.id,
      name: companies.name,
      key: identityProviders.key,
      label: identityProviders.name,
      isConnected: sql<boolean>`exists (select 1 from identities i
        where i.user_id = ${userId} and i.provider_id = ${identityProviders.id})`,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(
      identityProviders,
      and(eq(identityProviders.companyId, memberships.companyId), eq(identityProviders.isEnforced, true)),
    )
    .where(and(eq(memberships.userId, userId), eq(memberships.state, 'active'), not(isOpenToAll())))
    .orderBy(sql`${memberships.lastSeenAt} desc nulls last`, companies.id, identityProviders.id);
  return rows.map(({ key, label, ...row }) => ({ ...row, provider: { key, label } }));
}

/** The company that somebody who is in none could open by its provider; undefined where there is none. */
export async function closedCompany(db: Database, userId: number): Promise<ClosedCompany | undefined> {
  const [first] = await closedCompanies(db, userId);
  return first === undefined ? undefined : { name: first.name, provider: first.provider };
}

/**
 * A company whose rule keeps somebody out who came by no passkey, and whether they have one; undefined for none.
 * @param companyId the company that is asked about, or any of theirs
 */
export async function ruledCompany(
  db: Database,
  userId: number,
  companyId?: number,
): Promise<{ readonly name: string; readonly hasPasskey: boolean } | undefined> {
  const [row] = await db
    .select({
      name: companies.name,
      hasPasskey: sql<boolean>`exists (select 1 from passkeys p where p.user_id = ${userId})`,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.state, 'active'),
        companyId === undefined ? undefined : eq(companies.id, companyId),
        isOpenToAll(),
        not(isRuleKept(sql`null`)),
      ),
    )
    .orderBy(sql`${memberships.lastSeenAt} desc nulls last`, companies.id)
    .limit(1);
  return row;
}

/** Whether the rule of a company asks somebody for a passkey besides its provider, which then opens nothing for them. */
export async function needsPasskeyBesides(
  db: Database,
  userId: number,
  company: { readonly id: number; readonly providerId: number },
): Promise<boolean> {
  const [provider] = await db
    .select({ isEnforced: identityProviders.isEnforced })
    .from(identityProviders)
    .where(eq(identityProviders.id, company.providerId));
  if (provider?.isEnforced ?? false) return false;
  return (await ruledCompany(db, userId, company.id)) !== undefined;
}

/** The refusal to open a company in another way than by its provider. */
function closed({ name, provider }: ClosedCompany): Problem {
  return new Problem({
    status: 403,
    title: `${name} lets its people sign in only with ${provider.label}. Open /login?provider=${provider.key} in this console.`,
    signInAt: provider,
  });
}

/** Throws Problem 403, with where to sign in, for a company of a person that their session does not open. */
export async function refuseClosed(db: Database, userId: number, companyId: number): Promise<never> {
  const found = (await closedCompanies(db, userId)).find((one) => one.companyId === companyId);
  if (found !== undefined) throw closed(found);
  const ruled = await ruledCompany(db, userId, companyId);
  throw ruled === undefined
    ? new Problem({ status: 404, title: 'You no longer belong to this organisation.' })
    : new Problem({
        status: 403,
        title: `${ruled.name} asks you to sign in with a passkey. ${
          ruled.hasPasskey
            ? 'Sign out, and sign in with yours.'
            : 'Register one under Settings, Sign-in and sessions.'
        }`,
      });
}

/**
 * The company that keeps every other way of signing in from somebody: each of theirs enforces its own provider, and they
 * have connected one. Undefined for everybody else; who has yet to connect it is let in without a company, since only
 * their own session can connect it.
 */
export async function onlyByProvider(db: Database, userId: number): Promise<ClosedCompany | undefined> {
  const connected = (await closedCompanies(db, userId)).find(({ isConnected }) => isConnected);
  if (connected === undefined) return undefined;
  const [open] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.state, 'active'), isOpenToAll()))
    .limit(1);
  return open === undefined ? connected : undefined;
}

/** Throws Problem 403, with where to sign in, for somebody whom only the provider of a company lets in. */
export async function requireOpenCompany(db: Database, userId: number): Promise<void> {
  const company = await onlyByProvider(db, userId);
  if (company !== undefined) throw closed(company);
}
