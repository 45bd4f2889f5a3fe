import { eq } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { companies } from '../store/schema/companies.ts';
import type { Store } from '../store/store.ts';
import { ownerNames } from './owners.ts';

/** Number of people who have to approve a request for temporary access. */
type Approvers = 1 | 2;

/** The rule of a company for the approval of temporary access, and the names of its Owners. */
export async function readApprovalRule(
  store: Pick<Store, 'db'>,
  { companyId }: Pick<Member, 'companyId'>,
): Promise<{ approvers: Approvers; owners: string[] }> {
  const [company] = await store.db
    .select({ approvers: companies.accessApprovers })
    .from(companies)
    .where(eq(companies.id, companyId));
  return { approvers: company?.approvers === 2 ? 2 : 1, owners: await ownerNames(store, companyId) };
}

/**
 * Sets the rule, which holds for requests that wait as well. Throws Problem 409 for two approvals without two Owners: only
 * Owners may decide on every request.
 */
export async function setApprovalRule(
  store: Pick<Store, 'db' | 'channel'>,
  person: Member,
  approvers: Approvers,
): Promise<void> {
  const { companyId } = person;
  const { owners } = await readApprovalRule(store, person);
  if (approvers === 2 && owners.length < 2) {
    throw new Problem({
      status: 409,
      title: `${owners.join(', ')} is the only Owner. Two approvals need two Owners, since nobody else can decide on every request. Make somebody an Owner first.`,
    });
  }
  await store.db.transaction(async (tx) => {
    await tx.update(companies).set({ accessApprovers: approvers }).where(eq(companies.id, companyId));
    await store.channel.notify('grants', { companyId }, tx);
  });
}
