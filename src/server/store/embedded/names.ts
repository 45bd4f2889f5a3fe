/** The role that made the files, and owns PostgreSQL itself. Nobody connects as it: it has no password, and no rule. */
export const superuser = 'wheelhouse';

/** The console's role: it owns the console's database, and has no right besides. */
export const role = 'console';

/** The console's database. */
export const database = 'wheelhouse';
