import { and, asc, eq, sql } from 'drizzle-orm';
import { type ClusterRow, clusters, companies, installation } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { freeName, insertInto, lockCompany } from './cluster-rows.ts';
import type { ParsedContext } from './kubeconfig.ts';

/** Key of the installation's note that the playground's row was made; its value is the row's id. */
const playgroundKey = 'playground';

/** What became of the clusters that nobody added. */
export interface Adopted {
  /** Rows that are new or whose server or credential changed. */
  readonly changed: readonly ClusterRow[];
}

/**
 * Gives the playground and the contexts of the operator's file their rows, in the first company; nothing happens
 * before there is one. A playground that a person removed stays away.
 * @param offered names of contexts that had their row in this process: one that a person removed comes back with the next start only
 */
export async function adoptClusters(
  store: Pick<Store, 'db'>,
  found: {
    readonly hasPlayground: boolean;
    readonly contexts: ReadonlyMap<string, ParsedContext>;
    readonly offered: Set<string>;
  },
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

    if (found.hasPlayground) {
      const [note] = await tx.select().from(installation).where(eq(installation.key, playgroundKey));
      if (note === undefined) {
        const row = await insertInto(tx, {
          companyId: company.id,
          name: await freeName(tx, company.id, 'playground'),
          description:
            'A small living cluster inside this console. It forgets everything when the server stops.',
          source: 'playground',
          server: '',
          context: null,
          credentialExpiresAt: null,
          createdBy: null,
        });
        await tx.insert(installation).values({ key: playgroundKey, value: String(row.id) });
        changed.push(row);
      }
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
    return { changed };
  });
}

function isSameTime(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : Date.parse(a) === Date.parse(b);
}
