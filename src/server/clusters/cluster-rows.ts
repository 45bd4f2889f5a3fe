import { and, eq, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { type ClusterRow, clusters } from '../store/schema/clusters.ts';
import { companies } from '../store/schema/companies.ts';
import type { Database, Transaction } from '../store/store.ts';

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The columns of a new cluster besides its colour. */
export interface NewCluster {
  readonly companyId: number;
  readonly name: string;
  readonly description: string;
  readonly source: ClusterRow['source'];
  readonly server: string;
  readonly context: string | null;
  readonly credentialExpiresAt: string | null;
  readonly createdBy: number | null;
  /** Seals the credential once the row's id is known; none for playground and operator. */
  readonly seal?: (clusterId: number) => Buffer;
}

/** The answer to a name that is taken. */
export function nameTaken(name: string): Problem {
  return new Problem({
    status: 409,
    title: `A cluster named "${name}" already exists. Choose another name.`,
  });
}

/** Whether a company has a cluster of this name. */
export async function isNameTaken(db: Pick<Database, 'select'>, companyId: number, name: string) {
  const rows = await db
    .select({ id: clusters.id })
    .from(clusters)
    .where(and(eq(clusters.companyId, companyId), eq(clusters.name, name)));
  return rows.length > 0;
}

/**
 * Stores a cluster under the least used colour of its company. Throws Problem 409 for a name that is taken.
 * The company's row is locked, so that clusters added at once get colours of their own.
 * @param tell notifies others, in the same transaction
 */
export async function insertCluster(
  db: Database,
  input: NewCluster,
  tell: (tx: Transaction, row: ClusterRow) => Promise<void>,
): Promise<ClusterRow> {
  return db.transaction(async (tx) => {
    await lockCompany(tx, input.companyId);
    const row = await insertInto(tx, input);
    await tell(tx, row);
    return row;
  });
}

/** As `insertCluster`, inside a transaction that holds the company's lock. */
export async function insertInto(tx: Transaction, input: NewCluster): Promise<ClusterRow> {
  if (await isNameTaken(tx, input.companyId, input.name)) throw nameTaken(input.name);
  const { seal, ...values } = input;
  const colour = await leastUsedColour(tx, input.companyId);
  const [row] = await tx
    .insert(clusters)
    .values({ ...values, colour })
    .returning();
  if (row === undefined) throw new Error('The cluster could not be stored.');
  if (seal === undefined) return row;
  const kubeconfig = seal(row.id);
  await tx.update(clusters).set({ kubeconfig }).where(eq(clusters.id, row.id));
  return { ...row, kubeconfig };
}

/** Keeps others from adding clusters to a company until the transaction ends. */
export async function lockCompany(tx: Transaction, companyId: number): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('update');
}

/** The name, or the name with a number, whichever is free in the company. */
export async function freeName(tx: Transaction, companyId: number, wanted: string): Promise<string> {
  const base = wanted.slice(0, 95);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!(await isNameTaken(tx, companyId, name))) return name;
  }
}

async function leastUsedColour(tx: Transaction, companyId: number): Promise<number> {
  const rows = await tx
    .select({ colour: clusters.colour, uses: sql<number>`count(*)::int` })
    .from(clusters)
    .where(eq(clusters.companyId, companyId))
    .groupBy(clusters.colour);
  const uses = new Map(rows.map((row) => [row.colour, row.uses]));
  return colours.reduce<number>(
    (best, colour) => ((uses.get(colour) ?? 0) < (uses.get(best) ?? 0) ? colour : best),
    colours[0],
  );
}
