import { eq, sql } from 'drizzle-orm';
import { type PasskeyHolders, passkeyHolders, type PasskeyRuleState } from '../../contract/passkeys.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { endShutOut } from '../access/live-tokens.ts';
import type { Member } from '../access/person.ts';
import { sessionOf } from '../access/session-of.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { relyingParty } from './relying-party.ts';
import { membersWithoutPasskey, requirePasskeysOf } from './without-passkey.ts';

/** Why a rule binds people, for its refusal. */
const boundBy: Readonly<Record<Exclude<PasskeyHolders, 'nobody'>, string>> = {
  owners: 'would need one as Owners',
  everybody: 'would need one to sign in',
};

/** The rule of a company that its Owners, or everybody, sign in with a passkey. */
export class PasskeyRule {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /**
   * The people it binds, those without a passkey whom each rule would bind, and whether a passkey opened the session
   * that asks.
   * @param origin at which the console was opened
   */
  async read({ companyId, sessionHash }: Member, origin: string): Promise<PasskeyRuleState> {
    const { db } = this.#store;
    const [session] = await db
      .select({ passkeyId: sessions.passkeyId })
      .from(sessions)
      .where(sessionOf({ sessionHash }));
    return {
      requiredOf: await readPasskeyHolders(db, companyId),
      readiness: await readReadiness(db, companyId, origin),
      cameByPasskey: session !== undefined && session.passkeyId !== null,
    };
  }

  /**
   * Sets the rule and returns the one before. The sessions that it lets in no more end, with the API tokens that were made
   * in such. Throws Problem 409 for a stronger rule that cannot be met yet: at an address without passkeys, beside a
   * provider, in a session that no passkey opened, or where somebody whom it binds has none.
   */
  async set(person: Member, requiredOf: PasskeyHolders, origin: string): Promise<PasskeyHolders> {
    const { db, channel } = this.#store;
    const { companyId } = person;
    const { cameByPasskey } = await this.read(person, origin);
    return await db.transaction(async (tx) => {
      await lockProviders(tx, companyId);
      const before = await readPasskeyHolders(tx, companyId);
      const isStronger = passkeyHolders.indexOf(requiredOf) > passkeyHolders.indexOf(before);
      if (isStronger && requiredOf !== 'nobody') {
        const { without, unavailable } = (await readReadiness(tx, companyId, origin))[requiredOf];
        if (unavailable !== null) throw new Problem({ status: 409, title: unavailable });
        if (!cameByPasskey)
          throw new Problem({
            status: 409,
            title:
              'Sign in with a passkey first, to be sure that it works before others need one. Register it under Settings, Sign-in and sessions.',
          });
        requirePasskeysOf(without, boundBy[requiredOf]);
      }
      await setPasskeyHolders(tx, companyId, requiredOf);
      if (requiredOf !== 'nobody') await endShutOut(tx, channel, { companyId });
      return before;
    });
  }
}

/** The people of a company who need a passkey to open it. */
async function readPasskeyHolders(db: Database | Transaction, companyId: number): Promise<PasskeyHolders> {
  const [company] = await db
    .select({ owners: companies.ownersUsePasskeys, everybody: companies.everybodyUsesPasskeys })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (company?.everybody ?? false) return 'everybody';
  return (company?.owners ?? false) ? 'owners' : 'nobody';
}

/** Stores which people of a company need a passkey to open it. */
export async function setPasskeyHolders(
  tx: Transaction,
  companyId: number,
  requiredOf: PasskeyHolders,
): Promise<void> {
  await tx
    .update(companies)
    .set({
      ownersUsePasskeys: requiredOf !== 'nobody',
      everybodyUsesPasskeys: requiredOf === 'everybody',
    })
    .where(eq(companies.id, companyId));
}

/** Whether each rule can be met. */
async function readReadiness(
  db: Database | Transaction,
  companyId: number,
  origin: string,
): Promise<PasskeyRuleState['readiness']> {
  let host: string;
  try {
    host = relyingParty(origin).id;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const none = { without: [], unavailable: error.title };
    return { owners: none, everybody: none };
  }
  const members = await membersWithoutPasskey(db, companyId, host);
  const namesOf = (people: typeof members) => people.map(({ name }) => name);
  const [provider] = await db
    .select({ name: identityProviders.name })
    .from(identityProviders)
    .where(eq(identityProviders.companyId, companyId))
    .limit(1);
  return {
    owners: {
      without: namesOf(
        members.filter(({ orgRole, isByProviderAlone }) => orgRole === orgRoles.Owner && !isByProviderAlone),
      ),
      unavailable: null,
    },
    everybody: {
      without: namesOf(members),
      unavailable:
        provider === undefined
          ? null
          : `People who sign in only with ${provider.name} cannot register a passkey. Remove the providers of the organisation first.`,
    },
  };
}

/**
 * Throws Problem 409 for a provider of a company that asks everybody for a passkey: its sessions would open nothing, and
 * people who sign in by it alone could not register one. Called with the providers locked.
 */
export async function refuseProviderBesideRule(tx: Transaction, companyId: number): Promise<void> {
  if ((await readPasskeyHolders(tx, companyId)) !== 'everybody') return;
  throw new Problem({
    status: 409,
    title:
      'The organisation requires a passkey of everybody, and people who sign in only with a provider cannot register one. First require passkeys of Owners only, or of nobody.',
  });
}

/** Locks the number of providers of a company against changes until the end of a transaction. */
export async function lockProviders(tx: Transaction, companyId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('providers'), ${companyId})`);
}
