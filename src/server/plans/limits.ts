import { and, count, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { PlanLimit } from '../../contract/problem-schema.ts';
import { counted } from '../../registry/counted.ts';
import type { BillingSettings } from '../kit/config-billing.ts';
import { checkouts, subscriptions } from '../store/schema/billing.ts';
import { clusters } from '../store/schema/clusters.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import type { Database, Transaction } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/** What a company may have without a plan, where plans are sold. */
const withoutPlan = { members: 5, clusters: 5, retentionDays: 90 } as const;

/** What a company may have; null for any number. */
export interface Allowance {
  readonly members: number | null;
  readonly clusters: number | null;
  readonly retentionDays: number | null;
  /** Which state its plan is in; `none` before the first, `off` where plans are not sold. */
  readonly state: 'off' | 'none' | 'active' | 'ending' | 'ended';
}

/** Seats that are taken. */
export interface TakenSeats {
  readonly members: number;
  readonly invitations: number;
}

type Reader = Pick<Database | Transaction, 'select'>;

/**
 * What plans limit, asked at the point of adding and nowhere else: what is there goes on whatever became of the plan.
 * Without billing everything is allowed.
 */
export class PlanLimits {
  readonly #provider: BillingSettings['kind'] | null;
  readonly #clock: Clock;

  constructor(billing: BillingSettings | null, clock: Clock) {
    this.#provider = billing?.kind ?? null;
    this.#clock = clock;
  }

  /** What a company may have. */
  async of(db: Reader, companyId: number): Promise<Allowance> {
    if (this.#provider === null) return { members: null, clusters: null, retentionDays: null, state: 'off' };
    const [row] = await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.provider, this.#provider)));
    if (row === undefined || row.state === null) return { ...withoutPlan, state: 'none' };
    return {
      members: row.seats,
      clusters: row.clusters,
      retentionDays: row.retentionDays,
      state: row.state,
    };
  }

  /** How many seats are taken. @param besides an invitation that is left out */
  async seats(db: Reader, companyId: number, besides?: number): Promise<TakenSeats> {
    const [people] = await db
      .select({ count: count() })
      .from(memberships)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.state, 'active')));
    const [invited] = await db
      .select({ count: count() })
      .from(invitations)
      .where(
        and(
          eq(invitations.companyId, companyId),
          eq(invitations.state, 'pending'),
          gt(invitations.expiresAt, new Date(this.#clock.now()).toISOString()),
          besides === undefined ? undefined : ne(invitations.id, besides),
        ),
      );
    return { members: people?.count ?? 0, invitations: invited?.count ?? 0 };
  }

  /**
   * How many clusters people of a company added: the playground comes with the console, and the operator's with their
   * own file. @param besides one that is left out
   */
  async clusters(db: Reader, companyId: number, besides?: number): Promise<number> {
    const [row] = await db
      .select({ count: count() })
      .from(clusters)
      .where(
        and(
          eq(clusters.companyId, companyId),
          eq(clusters.source, 'kubeconfig'),
          besides === undefined ? undefined : ne(clusters.id, besides),
        ),
      );
    return row?.count ?? 0;
  }

  /**
   * Throws Problem 402 where a company has no seat for one more invitation. Others that ask wait until this transaction
   * is through. @param besides an invitation that is left out, as it is sent again
   */
  async requireSeatToInvite(tx: Transaction, companyId: number, besides?: number): Promise<void> {
    const allowed = await this.#lock(tx, companyId, 'members');
    if (allowed === null) return;
    const taken = await this.seats(tx, companyId, besides);
    if (taken.members + taken.invitations >= allowed.limit) throw membersReached(allowed, taken);
  }

  /** Throws Problem 402 where a company has no seat for one more member: whose invitation it was held one so far. */
  async requireSeatToJoin(tx: Transaction, companyId: number): Promise<void> {
    const allowed = await this.#lock(tx, companyId, 'members');
    if (allowed === null) return;
    const taken = await this.seats(tx, companyId);
    if (taken.members >= allowed.limit) throw membersReached(allowed, taken);
  }

  /**
   * Throws Problem 402 where a company may not have one more cluster.
   * @param besides that cluster, where it is stored already
   */
  async requireCluster(tx: Transaction, companyId: number, besides?: number): Promise<void> {
    const allowed = await this.#lock(tx, companyId, 'clusters');
    if (allowed === null) return;
    const used = await this.clusters(tx, companyId, besides);
    if (used < allowed.limit) return;
    throw limitReached(
      'clusters',
      allowed.hasPlan
        ? `Your plan allows ${counted(allowed.limit, 'cluster')}, and your organisation has ${used}. An Owner can choose another plan in the settings, under Plan.`
        : `Without a plan an organisation has up to ${counted(allowed.limit, 'cluster')}, and yours has ${used}. An Owner can choose a plan in the settings, under Plan.`,
    );
  }

  /**
   * Throws Problem 402 where a company may not keep its audit for longer than it does.
   * @param days null for ever
   */
  async requireRetention(
    db: Reader,
    companyId: number,
    days: { readonly before: number | null; readonly after: number | null },
  ): Promise<void> {
    const { retentionDays: limit, state } = await this.of(db, companyId);
    const isLonger = (days.after ?? Infinity) > (days.before ?? Infinity);
    if (limit === null || !isLonger || (days.after ?? Infinity) <= limit) return;
    throw limitReached(
      'retention',
      state === 'none'
        ? `Without a plan the audit is kept for up to ${limit} days. An Owner can choose a plan in the settings, under Plan.`
        : `Your plan keeps the audit for up to ${limit} days. An Owner can choose another plan in the settings, under Plan.`,
    );
  }

  /**
   * Throws Problem 409 while a company goes on paying for a plan, or a payment page of it can still be paid: nobody could
   * cancel it once the company is gone.
   */
  async requireNoPayment(db: Reader, companyId: number): Promise<void> {
    if (this.#provider !== 'chargebee') return;
    const [open] = await db
      .select({ until: checkouts.expiresAt })
      .from(checkouts)
      .where(
        and(
          eq(checkouts.companyId, companyId),
          eq(checkouts.provider, this.#provider),
          eq(checkouts.state, 'open'),
        ),
      )
      .orderBy(desc(checkouts.expiresAt))
      .limit(1);
    if (open !== undefined)
      throw new Problem({
        status: 409,
        title:
          Date.parse(open.until) > this.#clock.now()
            ? `A payment page of your organisation is open and can be paid until ${open.until.slice(11, 16)} UTC. Delete the organisation after that.`
            : 'A payment of your organisation is still being checked. Delete the organisation in a minute.',
      });
    if ((await this.of(db, companyId)).state !== 'active') return;
    throw new Problem({
      status: 409,
      title:
        'Your organisation still pays for its plan. Cancel the plan in the settings, under Plan, before you delete the organisation.',
    });
  }

  /** The limit, with everybody else who adds kept waiting; null without one. Throws where the plan has ended. */
  async #lock(
    tx: Transaction,
    companyId: number,
    limit: 'members' | 'clusters',
  ): Promise<{ readonly limit: number; readonly hasPlan: boolean } | null> {
    if (this.#provider === null) return null;
    // One lock for each limit: who adds a cluster holds the company's row, which who adds a member needs.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`plan limit ${limit}`}), ${companyId})`);
    const allowance = await this.of(tx, companyId);
    if (allowance.state === 'ended')
      throw limitReached(
        limit,
        'The plan of your organisation has ended. Everything that exists keeps working, but nothing can be added. An Owner can choose a plan in the settings, under Plan.',
      );
    const allowed = allowance[limit];
    return allowed === null ? null : { limit: allowed, hasPlan: allowance.state !== 'none' };
  }
}

/** Seats that are taken, in words. */
export function takenSeats({ members, invitations }: TakenSeats): string {
  return `${counted(members, 'member')} and ${counted(invitations, 'pending invitation')}`;
}

function membersReached(
  { limit, hasPlan }: { readonly limit: number; readonly hasPlan: boolean },
  taken: TakenSeats,
): Problem {
  return limitReached(
    'members',
    hasPlan
      ? `Your plan has ${counted(limit, 'seat')}, which ${takenSeats(taken)} take. An Owner can add seats in the settings, under Plan.`
      : `Without a plan an organisation has up to ${counted(limit, 'seat')}, which ${takenSeats(taken)} take. An Owner can choose a plan in the settings, under Plan.`,
  );
}

const limitReached = (limit: PlanLimit, title: string) => new Problem({ status: 402, title, limit });
