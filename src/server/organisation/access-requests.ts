import { and, eq, gt, sql } from 'drizzle-orm';
import { type AccessRequest, accessLimits } from '../../contract/access-requests.ts';
import { type Permission, permissions, viewOf } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { memberships } from '../store/schema/memberships.ts';
import { accessRequests, temporaryGrants } from '../store/schema/temporary-access.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Authority, commonTeam, impossibleIn, isHeldIn } from './access-rules.ts';
import { readRequests, type SeenRequest } from './access-sight.ts';
import { changeGrants } from './change-grants.ts';

/** A request before it is stored. */
export interface AccessWish {
  readonly clusterId: number;
  readonly permissions: readonly Permission[];
  readonly namespaces?: readonly string[] | null | undefined;
  readonly reason: string;
  readonly minutes: number;
}

/** The answer to a request that does not exist, is of another company, or is no business of whoever asks. */
function noSuchRequest(): Problem {
  return new Problem({ status: 404, title: 'There is no such access request.' });
}

/**
 * Temporary access: people ask for permissions, others decide, and what was given ends. Every change is decided in its
 * transaction, by what holds there, and tells all servers with its commit.
 */
export class AccessRequests {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #grants: Pick<Grants, 'access'>;

  constructor({
    store,
    grants,
  }: { readonly store: Pick<Store, 'db' | 'channel'>; readonly grants: Pick<Grants, 'access'> }) {
    this.#store = store;
    this.#grants = grants;
  }

  /** The own requests of the last month, and those that the person may decide on or end; the newest first. */
  async list(person: Member): Promise<{ now: string; requests: AccessRequest[] }> {
    const { now, requests } = await readRequests(this.#store.db, person);
    const shown = requests.filter(({ request }) => request.isOwn || request.mayDecide || request.mayEnd);
    return { now, requests: shown.map(({ request }) => request) };
  }

  /**
   * Asks for permissions on a cluster that the person reaches. What is needed to see what a permission changes is asked
   * for as well, where they lack it. Throws Problem 404 for a cluster that they do not reach, and 409 where there is
   * nothing to ask for or too much waits.
   */
  async ask(person: Member, wish: AccessWish): Promise<AccessRequest> {
    const { cluster, held } = await this.#grants.access(person, wish.clusterId);
    const namespaces = wish.namespaces == null ? null : [...new Set(wish.namespaces)].sort();
    const isLacking = (one: Permission) => !isHeldIn({ permissions: [one], namespaces }, held);
    const needed = new Set(wish.permissions.flatMap((one) => [one, viewOf(one) ?? one]).filter(isLacking));
    const asked = { permissions: permissions.filter((one) => needed.has(one)), namespaces };
    if (asked.permissions.length === 0) {
      throw new Problem({ status: 409, title: `You already have these permissions on ${cluster.name}.` });
    }
    const [impossible] = impossibleIn(asked);
    if (impossible !== undefined) {
      throw new Problem({
        status: 409,
        title: `${impossible} applies to the cluster itself. Ask for it on the whole cluster, without namespaces.`,
      });
    }
    const id = await changeGrants(this.#store, person, async (tx) => {
      await lockMembers(tx, person.companyId, [person.id]);
      await requireRoom(tx, person);
      const [row] = await tx
        .insert(accessRequests)
        .values({
          companyId: person.companyId,
          userId: person.id,
          clusterId: cluster.id,
          permissions: [...asked.permissions],
          namespaces,
          reason: wish.reason,
          minutes: wish.minutes,
          decideBy: sql`now() + make_interval(hours => ${accessLimits.waiting})`,
        })
        .returning({ id: accessRequests.id });
      if (row === undefined) throw new Error('The access request could not be stored.');
      return row.id;
    });
    return await this.one(person, id);
  }

  /** One request as the person sees it. Throws Problem 404 for one that is no business of theirs. */
  async one(person: Member, id: number): Promise<AccessRequest> {
    return (await requireSeen(this.#store.db, person, id)).request;
  }

  /**
   * Approves a request. Once as many people did as have to, it gives what it asks for, from then on. The approval of
   * somebody who may no longer decide does not count. Throws Problem 404, 403 and 409.
   */
  async approve(person: Member, id: number): Promise<AccessRequest> {
    await changeGrants(this.#store, person, async (tx) => {
      const { row, request, authority } = await this.#decide(tx, person, id);
      const earlier = await this.#approvals(tx, person, row);
      const approvedBy = [...earlier.map(({ userId }) => userId), person.id];
      const teamId = commonTeam([...earlier.map((one) => one.authority), authority]);
      if (teamId === undefined) {
        throw new Problem({
          status: 403,
          title: `${request.approvedBy.join(', ')} approved this for another team than yours, so your approval does not count beside it. Ask an Owner of your organisation to approve it as well.`,
        });
      }
      if (approvedBy.length < request.approversNeeded) {
        if (row.approvedBy.includes(person.id)) {
          throw new Problem({
            status: 409,
            title: 'You approved this request already. Somebody else has to approve it as well.',
          });
        }
        await tx.update(accessRequests).set({ approvedBy }).where(eq(accessRequests.id, id));
        return;
      }
      const endsAt = sql`now() + make_interval(mins => ${row.minutes})`;
      await tx.insert(temporaryGrants).values({
        requestId: id,
        companyId: person.companyId,
        userId: row.userId,
        clusterId: row.clusterId,
        permissions: row.permissions,
        namespaces: row.namespaces,
        teamId,
        endsAt,
      });
      await tx
        .update(accessRequests)
        .set({ state: 'approved', approvedBy, decidedBy: person.id, decidedAt: sql`now()`, endsAt })
        .where(eq(accessRequests.id, id));
    });
    return await this.one(person, id);
  }

  /** Refuses a request. Throws Problem 404, 403 and 409. */
  async refuse(person: Member, id: number): Promise<AccessRequest> {
    await changeGrants(this.#store, person, async (tx) => {
      await this.#decide(tx, person, id);
      await tx
        .update(accessRequests)
        .set({ state: 'refused', decidedBy: person.id, decidedAt: sql`now()` })
        .where(eq(accessRequests.id, id));
    });
    return await this.one(person, id);
  }

  /** Withdraws an own request that waits, or takes back what a request gave. Throws Problem 404, 403 and 409. */
  async end(person: Member, id: number): Promise<AccessRequest> {
    await changeGrants(this.#store, person, async (tx) => {
      await lockRequest(tx, person, id);
      const { request } = await requireSeen(tx, person, id);
      if (request.state !== 'pending' && request.state !== 'active') throw alreadySettled(request);
      if (!request.mayEnd) {
        throw new Problem({
          status: 403,
          title: 'Only the person who asked can withdraw this. Approve or refuse it instead.',
        });
      }
      const state = request.state === 'pending' ? 'withdrawn' : 'revoked';
      await tx.delete(temporaryGrants).where(eq(temporaryGrants.requestId, id));
      await tx
        .update(accessRequests)
        .set({ state, endedBy: person.id, endedAt: sql`now()` })
        .where(eq(accessRequests.id, id));
    });
    return await this.one(person, id);
  }

  /** Lets somebody decide on a request that waits. What their right depends on stays as it is until the commit. */
  async #decide(
    tx: Transaction,
    person: Member,
    id: number,
  ): Promise<{ readonly row: RequestRow; readonly request: AccessRequest; readonly authority: Authority }> {
    const { companyId } = person;
    const { userId, clusterId, approvedBy } = await findRequest(tx, person, id);
    const userIds = [...new Set([person.id, userId, ...approvedBy])];
    await lockGrants(tx, companyId, { clusterId, userIds });
    await lockMembers(tx, companyId, userIds);
    // After the memberships, as whoever ends one does it.
    const row = await lockRequest(tx, person, id);
    if (row.approvedBy.some((one) => !userIds.includes(one))) {
      throw new Problem({
        status: 409,
        title: 'Somebody else approved this request at the same moment. Look at it again.',
      });
    }
    const seen = await requireSeen(tx, person, id);
    if (seen.request.isOwn) {
      throw new Problem({
        status: 403,
        title: 'You cannot decide on your own request. Ask somebody else.',
      });
    }
    if (seen.authority === undefined) {
      throw new Problem({
        status: 403,
        title:
          'You can approve or refuse only permissions that you hold permanently, on clusters that your team can use. Ask an Owner of your organisation to decide.',
      });
    }
    if (seen.request.state !== 'pending') throw alreadySettled(seen.request);
    if (!seen.isActive) {
      throw new Problem({ status: 409, title: 'This person is not an active member of your organisation.' });
    }
    return { row, request: seen.request, authority: seen.authority };
  }

  /** The approvals by others that still count: those of people who may decide on the request now. */
  async #approvals(
    tx: Transaction,
    person: Member,
    { id, approvedBy }: RequestRow,
  ): Promise<{ readonly userId: number; readonly authority: Authority }[]> {
    const counting: { readonly userId: number; readonly authority: Authority }[] = [];
    for (const userId of approvedBy) {
      if (userId === person.id) continue;
      const [seen] = (await readRequests(tx, { id: userId, companyId: person.companyId }, [id])).requests;
      if (seen?.authority !== undefined) counting.push({ userId, authority: seen.authority });
    }
    return counting;
  }
}

function alreadySettled({ state, decidedBy }: AccessRequest): Problem {
  const by = decidedBy === null ? '' : ` by ${decidedBy}`;
  const titles: Readonly<Record<string, string>> = {
    active: `This request was approved${by} already.`,
    refused: `This request was refused${by} already.`,
    lapsed: 'This request expired before anybody decided on it. Ask again.',
    withdrawn: 'This request was withdrawn.',
  };
  return new Problem({ status: 409, title: titles[state] ?? 'The access that this request gave has ended.' });
}

async function requireSeen(
  db: Pick<Transaction, 'execute'>,
  person: Member,
  id: number,
): Promise<SeenRequest> {
  const [seen] = (await readRequests(db, person, [id])).requests;
  if (seen === undefined) throw noSuchRequest();
  return seen;
}

type RequestRow = typeof accessRequests.$inferSelect;

const ofCompany = (id: number, { companyId }: Member) =>
  and(eq(accessRequests.id, id), eq(accessRequests.companyId, companyId));

/** A request of the company. Throws Problem 404. */
async function findRequest(tx: Transaction, person: Member, id: number): Promise<RequestRow> {
  const [row] = await tx.select().from(accessRequests).where(ofCompany(id, person));
  if (row === undefined) throw noSuchRequest();
  return row;
}

/** Keeps a request of the company as it is. Throws Problem 404. */
async function lockRequest(tx: Transaction, person: Member, id: number): Promise<RequestRow> {
  const [row] = await tx.select().from(accessRequests).where(ofCompany(id, person)).for('update');
  if (row === undefined) throw noSuchRequest();
  return row;
}

/** Keeps memberships as they are: a suspension at the same moment comes before or after, never between. */
async function lockMembers(tx: Transaction, companyId: number, userIds: readonly number[]): Promise<void> {
  for (const userId of [...userIds].sort((a, b) => a - b)) {
    await tx
      .select({ state: memberships.state })
      .from(memberships)
      .where(and(eq(memberships.userId, userId), eq(memberships.companyId, companyId)))
      .for('no key update');
  }
}

/** Keeps what a right to decide depends on as it is: roles of the company, the cluster, places in teams, their clusters. */
async function lockGrants(
  tx: Transaction,
  companyId: number,
  { clusterId, userIds }: { readonly clusterId: number; readonly userIds: readonly number[] },
): Promise<void> {
  await tx.execute(sql`select 1 from companies where id = ${companyId} for share`);
  await tx.execute(sql`select 1 from clusters where id = ${clusterId} for key share`);
  await tx.execute(sql`select 1 from team_members where user_id in ${userIds} and company_id = ${companyId}
    order by team_id, user_id for share`);
  await tx.execute(sql`select 1 from team_clusters where cluster_id = ${clusterId} and company_id = ${companyId}
    order by team_id for share`);
}

async function requireRoom(tx: Transaction, { id, companyId }: Member): Promise<void> {
  const waiting = await tx.$count(
    accessRequests,
    and(
      eq(accessRequests.userId, id),
      eq(accessRequests.companyId, companyId),
      eq(accessRequests.state, 'pending'),
      gt(accessRequests.decideBy, sql`now()`),
    ),
  );
  if (waiting < accessLimits.pending) return;
  throw new Problem({
    status: 409,
    title: `${accessLimits.pending} of your requests are already waiting for a decision. Withdraw one first.`,
  });
}
