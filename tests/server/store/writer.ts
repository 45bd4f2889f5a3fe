import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { openVault } from '../../../src/server/store/open-vault.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { isStoreUnavailable } from '../../../src/server/store/problem.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamClusters, teamMembers, teams } from '../../../src/server/store/schema/teams.ts';

/**
 * A server's writes without the server: `node writer.ts DATA_FOLDER NAME` writes until it is killed or its parent ends, and says each
 * committed row on a line of its own: what it said must never be lost.
 */
const [dataDir = '', name = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl: null, dataDir });
const vault = await openVault({ dataDir, secretKey: null }, store);

const acknowledge = (line: string): void => void writeSync(1, `${line}\n`);
acknowledge(`ready ${store.embedded?.pid()}`);

// A test that is ended leaves its writer behind: it would start its database again for ever.
const parent = process.ppid;
for (let round = 0; process.ppid === parent; round++) {
  const key = `${name}-${round}-${randomBytes(4).toString('hex')}`;
  try {
    await writeOnce(key);
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    await pause(5);
  }
}
process.exit(1);

/** A company with one person, their session, a cluster with a sealed credential, and the grant that joins them. */
async function writeOnce(key: string): Promise<void> {
  const [company] = await store.db.insert(companies).values({ name: key }).returning();
  const companyId = company?.id ?? 0;
  const [user] = await store.db.insert(users).values({ name: key, email: key }).returning();
  const userId = user?.id ?? 0;
  await store.db.insert(memberships).values({ userId, companyId, orgRole: 2 });
  const tokenHash = randomBytes(32);
  const expiresAt = '2099-01-01T00:00:00.000Z';
  await store.db
    .insert(sessions)
    .values({ tokenHash, userId, companyId, idleExpiresAt: expiresAt, expiresAt });
  acknowledge(`session ${tokenHash.toString('hex')}`);

  const cluster = await store.db.transaction(async (tx) => {
    const server = 'https://203.0.113.7:6443';
    const values = { companyId, name: key, source: 'kubeconfig', server, colour: 1 };
    const [row] = await tx.insert(clusters).values(values).returning();
    const id = row?.id ?? 0;
    const kubeconfig = vault.seal(`credential of ${key}`, `clusters/${id}/kubeconfig`);
    await tx.update(clusters).set({ kubeconfig }).where(eq(clusters.id, id));
    return id;
  });
  acknowledge(`cluster ${cluster} ${key}`);

  const [team] = await store.db.insert(teams).values({ companyId, name: key }).returning();
  const teamId = team?.id ?? 0;
  await store.db.transaction(async (tx) => {
    await tx.insert(teamMembers).values({ companyId, teamId, userId, role: 6 });
    await tx.insert(teamClusters).values({ companyId, teamId, clusterId: cluster });
  });
  acknowledge(`grant ${teamId} ${userId} ${cluster}`);
}
