import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environment } from './init.ts';
import { database, role, superuser } from './names.ts';
import type { Place } from './place.ts';

const run = promisify(execFile);

/** Attributes of the console's role: none beyond signing in, so that it has rights in its own database alone. */
const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

const outsideSystem = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

/**
 * Gives everything of the console's database that the superuser owns to the console's role. `reassign owned` does not do
 * it for the role that owns PostgreSQL itself. Sequences of columns and types of tables go with their tables.
 */
const giveAway = `do $$ declare one record; begin for one in
  select format('schema %I', n.nspname) as what from pg_namespace n
    where n.nspowner = '${superuser}'::regrole and ${outsideSystem}
  union all select format('table %s', c.oid::regclass) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = '${superuser}'::regrole and ${outsideSystem} and (c.relkind in ('r', 'p', 'v', 'm', 'f')
      or c.relkind = 'S' and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
  union all select format('routine %s', p.oid::regprocedure) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proowner = '${superuser}'::regrole and ${outsideSystem}
  union all select format('type %s', t.oid::regtype) from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typowner = '${superuser}'::regrole and ${outsideSystem} and (t.typtype in ('e', 'd', 'r')
      or t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
  loop execute 'alter ' || one.what || ' owner to ${role}'; end loop; end $$`;

/**
 * Makes the console's role, with a password, and its database; what earlier versions left to the superuser becomes the
 * role's. The superuser has no password, and no rule lets it connect. The database must not run: everything is done in
 * single-user mode, so that nobody can connect before. It may be done again at any time. Rejects when PostgreSQL fails.
 */
export async function prepareRole(place: Place, password: string): Promise<void> {
  // Both may be there already; what is missing afterwards fails the next run.
  await singleUser(place, 'postgres', [`create role ${role}`, `create database ${database}`], 'off');
  await singleUser(place, database, [
    `alter role ${role} ${attributes} password '${password}'`,
    `alter role ${superuser} password null`,
    `alter database ${database} owner to ${role}`,
    `revoke connect, temporary on database ${database} from public`,
    giveAway,
  ]);
}

/**
 * Runs statements as the superuser on a database that is stopped. Rejects when PostgreSQL fails.
 * @param stopsAtErrors whether a statement that fails ends it
 */
export async function singleUser(
  place: Pick<Place, 'binaries' | 'cluster' | 'account'>,
  name: string,
  statements: readonly string[],
  stopsAtErrors: 'on' | 'off' = 'on',
): Promise<void> {
  const settings = {
    exit_on_error: stopsAtErrors,
    password_encryption: 'scram-sha-256',
    // A statement may hold the password, and what the database logs is readable to its account.
    log_min_error_statement: 'panic',
    log_statement: 'none',
  };
  const running = run(
    join(place.binaries.native, 'bin/postgres'),
    [
      '--single',
      '-D',
      place.cluster,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      name,
    ],
    { cwd: '/', env: environment, ...(place.account === null ? {} : place.account) },
  );
  // When the program ends early, its exit code says why.
  running.child.stdin?.on('error', () => undefined);
  // Over standard input: arguments are visible to every user. A line is a statement.
  running.child.stdin?.end(statements.map((one) => `${one.replaceAll(/\s+/g, ' ')}\n`).join(''));
  await running;
}
