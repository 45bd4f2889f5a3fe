import { Client } from 'pg';
import type { Product } from './product.ts';

/** Runs statements on a running product's database, for what no screen offers yet. */
export async function inStore(
  product: Pick<Product, 'databaseConnection'>,
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

/** Makes a Member of the Owner's organisation with the Owner's password, who is in no team. Gives their ids. */
export async function addPerson(
  product: Pick<Product, 'databaseConnection'>,
  email: string,
  name: string,
): Promise<{ readonly userId: number; readonly companyId: number }> {
  let made = { userId: 0, companyId: 0 };
  await inStore(product, async (query) => {
    const { rows } = await query(
      `with owner as (
         select m.company_id, u.password_hash from memberships m join users u on u.id = m.user_id
         where m.org_role = 1 order by m.company_id, u.id limit 1
       ), person as (
         insert into users (name, email, password_hash) select $2, $1, password_hash from owner returning id
       )
       insert into memberships (user_id, company_id, org_role)
       select person.id, owner.company_id, 2 from person, owner
       returning user_id, company_id`,
      [email, name],
    );
    made = { userId: Number(rows[0]?.['user_id']), companyId: Number(rows[0]?.['company_id']) };
  });
  return made;
}

/** Makes a Member as `addPerson` does, who sees one cluster as Viewer of a team. */
export async function addViewer(product: Product, email: string, clusterId: number): Promise<void> {
  const { userId, companyId } = await addPerson(product, email, 'Kim Viewer');
  await inStore(product, async (query) => {
    const team = await query(`insert into teams (company_id, name) values ($1, $2) returning id`, [
      companyId,
      `Crew of ${email}`,
    ]);
    const teamId = team.rows[0]?.['id'];
    await query('insert into team_members (company_id, team_id, user_id, role) values ($1, $2, $3, 6)', [
      companyId,
      teamId,
      userId,
    ]);
    await query('insert into team_clusters (company_id, team_id, cluster_id) values ($1, $2, $3)', [
      companyId,
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
