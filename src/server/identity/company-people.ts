import { and, asc, eq, gt } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { recordEnded } from '../audit/audit.ts';
import { InvitationReplies } from '../organisation/invitation-replies.ts';
import { acceptedFacts } from '../organisation/offered-words.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { users } from '../store/schema/accounts.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import type { Store, Transaction } from '../store/store.ts';
import { SignInFault } from './client.ts';
import { addIdentity, findPerson } from './people.ts';
import type { Claims, Provider } from './provider.ts';
import type { Clock } from '../kit/clock.ts';

/** The provider of a company. */
type CompanyProvider = Provider & { readonly company: NonNullable<Provider['company']> };

/** Who signed in by the provider of a company. */
export interface CompanyPerson {
  readonly userId: number;
  /** The invitation that they redeemed by signing in; undefined for somebody who was a member before. */
  readonly inviteId: number | undefined;
}

/** Where a sign-in comes from, for the audit. */
interface SignInOrigin {
  readonly address: string;
  readonly requestId: string;
}

interface InvitedAddress {
  readonly inviteId: number;
  readonly email: string;
}

/** Who signs in by the providers of companies, each of which speaks for its own company alone. */
export class CompanyPeople {
  readonly #store: Pick<Store, 'db'>;
  readonly #replies: InvitationReplies;
  readonly #clock: Clock;

  constructor({
    store,
    limits,
    clock,
  }: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly limits: PlanLimits;
    readonly clock: Clock;
  }) {
    this.#store = store;
    this.#replies = new InvitationReplies({ store, limits, clock });
    this.#clock = clock;
  }

  /**
   * An active member whose identity it is; or somebody whom the company invited at the address that its provider
   * verified, who redeems the invitation by this sign-in, with a new account where the address has none. An account that
   * exists is never linked: whoever runs the provider could claim any address. Throws SignInFault.
   */
  async signIn(provider: CompanyProvider, claims: Claims, from: SignInOrigin): Promise<CompanyPerson> {
    return await this.#store.db.transaction(async (tx) => {
      const before = await findPerson(tx, provider, claims, this.#time());
      if (before === undefined) {
        const invited = await this.#invitation(tx, provider, claims);
        if (invited !== undefined) return await this.#newcomer(tx, provider, claims, invited, from);
      }
      // Somebody may have redeemed the invitation by the same identity meanwhile, in another tab.
      const known = before ?? (await findPerson(tx, provider, claims, this.#time()));
      if (known === undefined) throw new SignInFault('not-member');
      const [membership] = await tx
        .select({ state: memberships.state })
        .from(memberships)
        .where(and(eq(memberships.userId, known), eq(memberships.companyId, provider.company.id)));
      if (membership?.state === 'suspended') throw new SignInFault('suspended');
      if (membership?.state === 'active') return { userId: known, inviteId: undefined };
      const invited = await this.#invitation(tx, provider, claims);
      if (invited === undefined) throw new SignInFault('not-member');
      await this.#accept(tx, known, invited, provider, from);
      return { userId: known, inviteId: invited.inviteId };
    });
  }

  /** Makes the account of somebody invited. Its address stays unproven: a company's provider proves none elsewhere. */
  async #newcomer(
    tx: Transaction,
    provider: CompanyProvider,
    claims: Claims,
    invited: InvitedAddress,
    from: SignInOrigin,
  ): Promise<CompanyPerson> {
    const { inviteId, email } = invited;
    const [user] = await tx
      .insert(users)
      .values({ name: claims.name ?? email, email })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (user === undefined) throw new SignInFault('invited');
    await addIdentity(tx, provider, claims, user.id, this.#time());
    await this.#accept(tx, user.id, invited, provider, from);
    return { userId: user.id, inviteId };
  }

  /** Accepts an invitation, with an entry of the audit; throws SignInFault where the company has no seat left. */
  async #accept(
    tx: Transaction,
    userId: number,
    { inviteId, email }: InvitedAddress,
    { key, company }: CompanyProvider,
    from: SignInOrigin,
  ): Promise<void> {
    try {
      const accepted = await this.#replies.acceptWithin(tx, userId, inviteId);
      const facts = await acceptedFacts(tx, accepted);
      const entry = {
        companyId: company.id,
        userId,
        actor: email,
        action: 'acceptInvitation',
        clusterId: null,
      };
      await recordEnded(tx, { ...entry, subject: { inviteId, ...facts, provider: key }, ...from }, 200);
    } catch (error) {
      if (error instanceof Problem && error.limit !== undefined)
        throw new SignInFault('no-seat', { cause: error });
      throw error;
    }
  }

  /** The open invitation of the provider's company for the address that it verified; of two sign-ins one gets it. */
  async #invitation(
    tx: Transaction,
    { company }: CompanyProvider,
    { email }: Pick<Claims, 'email'>,
  ): Promise<InvitedAddress | undefined> {
    if (email === null) return undefined;
    const [row] = await tx
      .select({ id: invitations.id })
      .from(invitations)
      .where(
        and(
          eq(invitations.companyId, company.id),
          eq(invitations.email, email),
          eq(invitations.state, 'pending'),
          gt(invitations.expiresAt, this.#time()),
        ),
      )
      .orderBy(asc(invitations.id))
      .limit(1)
      .for('update');
    return row === undefined ? undefined : { inviteId: row.id, email };
  }

  #time(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
