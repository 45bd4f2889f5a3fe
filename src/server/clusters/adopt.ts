import { and, asc, eq, sql } from 'drizzle-orm';
import { type ClusterRow, clusters } from '../store/schema/clusters.ts';
import { companies } from '../store/schema/companies.ts';
import { installation } from '../store/schema/installation.ts';
import type { Store, Transaction } from '../store/store.ts';
import { freeName, insertInto, lockCompany } from './cluster-rows.ts';
import type { ParsedContext } from './kubeconfig.ts';
import { stagingContext } from './playground-source.ts';

/** A playground's row: the key of the installation's note that it was made (its value is the row's id), and what it says. */
interface Offer {
  readonly key: string;
  readonly context: string | null;
  readonly description: string;
}

const companyOffer: Offer = {
  key: 'playground',
  context: null,
  description: 'A small simulated cluster inside this console. Its state is lost when the server stops.',
};
const stagingOffer: Offer = {
  key: 'playground-staging',
  context: stagingContext,
  description: 'A smaller simulated cluster with newer versions. It starts when it is first used.',
};

/** Keys of the installation's notes about playgrounds. */
export const playgroundKeys: readonly string[] = [companyOffer.key, stagingOffer.key];

/** The clusters that the console added by itself. */
export interface Adopted {
  /** Rows that are new or whose server or credential changed. */
  readonly changed: readonly ClusterRow[];
}

/**
 * Gives the playground and the contexts of the operator's file their rows, in the first company; nothing happens
 * before there is one. A playground that a person removed stays away.
 * @param found.offered names of contexts that had their row in this process: one that a person removed comes back with the next start only
 * @param tell notifies others of a changed row, in the same transaction
 */
export async function adoptClusters(
  store: Pick<Store, 'db'>,
  found: {
    readonly hasPlayground: boolean;
    readonly hasStaging: boolean;
    readonly contexts: ReadonlyMap<string, ParsedContext>;
    readonly offered: Set<string>;
  },
  tell: (tx: Transaction, row: ClusterRow) => Promise<void>,
): Promise<Adopted> {
  return store.db.transaction(async (tx) => {
    const changed: ClusterRow[] = [];
    const [company] = await tx
      .select({ id: companies.id })
      .from(companies)
      .orderBy(asc(companies.id))
      .limit(1);
    if (company === undefined) return { changed };
    // Replicas that start together take turns here.
    await lockCompany(tx, company.id);

    const offers = found.hasPlayground ? [companyOffer, ...(found.hasStaging ? [stagingOffer] : [])] : [];
    for (const { key, context, description } of offers) {
      const [note] = await tx.select().from(installation).where(eq(installation.key, key));
      if (note !== undefined) continue;
      const row = await insertInto(tx, {
        companyId: company.id,
        name: await freeName(tx, company.id, key),
        description,
        source: 'playground',
        server: '',
        context,
        credentialExpiresAt: null,
        createdBy: null,
      });
      await tx.insert(installation).values({ key, value: String(row.id) });
      changed.push(row);
    }

    for (const [name, context] of found.contexts) {
      if (context.target === undefined) continue;
      const credentialExpiresAt = context.expiresAt?.toISOString() ?? null;
      const [row] = await tx
        .select()
        .from(clusters)
        .where(
          and(
            eq(clusters.companyId, company.id),
            eq(clusters.source, 'operator'),
            eq(clusters.context, name),
          ),
        );
      if (row === undefined) {
        if (found.offered.has(name)) continue;
        changed.push(
          await insertInto(tx, {
            companyId: company.id,
            name: await freeName(tx, company.id, name),
            description: "From the operator's kubeconfig.",
            source: 'operator',
            server: context.server,
            context: name,
            credentialExpiresAt,
            createdBy: null,
          }),
        );
      } else if (row.server !== context.server || !isSameTime(row.credentialExpiresAt, credentialExpiresAt)) {
        const [updated] = await tx
          .update(clusters)
          .set({
            server: context.server,
            credentialExpiresAt,
            credentialVersion: sql`${clusters.credentialVersion} + 1`,
          })
          .where(eq(clusters.id, row.id))
          .returning();
        if (updated !== undefined) changed.push(updated);
      }
    }
    for (const row of changed) await tell(tx, row);
    return { changed };
  });
}

function isSameTime(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : Date.parse(a) === Date.parse(b);
}
