import { Client } from 'pg';
import type { Product } from './product.ts';

/** Runs statements on a running product's database, for what no screen offers yet. */
export async function inStore(
  product: Product,
  work: (
    query: (sql: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>,
  ) => Promise<void>,
): Promise<void> {
  const client = new Client(await product.databaseConnection());
  await client.connect();
  try {
    await work((sql, values) => client.query(sql, values));
  } finally {
    await client.end();
  }
}

/** Makes a Member of the Owner's organisation from the Owner's password, who sees one cluster as Viewer of a team. */
export async function addViewer(product: Product, email: string, clusterId: number): Promise<void> {
  await inStore(product, async (query) => {
    const { rows } = await query(
      `with owner as (
         select m.company_id, u.password_hash from memberships m join users u on u.id = m.user_id
         where m.org_role = 1 limit 1
       ), viewer as (
         insert into users (name, email, password_hash) select 'Kim Viewer', $1, password_hash from owner returning id
       )
       insert into memberships (user_id, company_id, org_role)
       select viewer.id, owner.company_id, 2 from viewer, owner
       returning user_id as id, company_id`,
      [email],
    );
    const [{ id, company_id } = {}] = rows;
    const team = await query(`insert into teams (company_id, name) values ($1, $2) returning id`, [
      company_id,
      `Crew of ${email}`,
    ]);
    const teamId = team.rows[0]?.['id'];
    await query('insert into team_members (company_id, team_id, user_id, role) values ($1, $2, $3, 6)', [
      company_id,
      teamId,
      id,
    ]);
    await query('insert into team_clusters (company_id, team_id, cluster_id) values ($1, $2, $3)', [
      company_id,
      teamId,
      clusterId,
    ]);
  });
}

/** Takes every team's clusters away, and says so as the product does. */
export async function revokeTeams(product: Product): Promise<void> {
  await inStore(product, async (query) => {
    const { rows } = await query('delete from team_clusters returning company_id');
    const message = { topic: 'grants', message: { companyId: rows[0]?.['company_id'] } };
    await query('select pg_notify($1, $2)', ['wheelhouse', JSON.stringify(message)]);
  });
}
