import { eq } from 'drizzle-orm';
import { companies } from '../store/schema/companies.ts';
import type { Store } from '../store/store.ts';

/** Number of days that a company keeps its audit; null for all of it. */
export async function readKeptDays({ db }: Pick<Store, 'db'>, companyId: number): Promise<number | null> {
  const [row] = await db
    .select({ days: companies.auditDays })
    .from(companies)
    .where(eq(companies.id, companyId));
  return row?.days ?? null;
}

/** Sets how long a company keeps its audit. The upkeep drops what is older. @param days null for all of it */
export async function setKeptDays(
  { db }: Pick<Store, 'db'>,
  companyId: number,
  days: number | null,
): Promise<void> {
  await db.update(companies).set({ auditDays: days }).where(eq(companies.id, companyId));
}
