import { keyFileName } from '../../store/keyring.ts';
import { migrateDatabase } from '../../store/migrate.ts';
import { requireKeysFit } from '../../store/open-vault.ts';
import { runDatabase, type RunningDatabase } from '../../store/open.ts';
import { failureAt } from '../../store/refusals.ts';
import { exportTo } from '../../store/transfer/export.ts';
import { importFrom } from '../../store/transfer/import.ts';
import type { AdminContext } from './context.ts';
import { systemClock } from '../../kit/clock.ts';

/** `export FILE`: the whole installation into a new file. */
export async function exportInstallation({ config, say }: AdminContext, file: string): Promise<void> {
  await withDatabase(config, async ({ connection }) => {
    await migrateDatabase(connection);
    const counts = await exportTo(file, connection, systemClock.now());
    say(`Exported to ${file}: ${summary(counts)}`);
    say(
      config.secretKey === null
        ? `The key is not in it: keep ${config.dataDir}/${keyFileName} as well, apart from the file.`
        : 'The key is not in it: keep WHEELHOUSE_SECRET_KEY as well, apart from the file.',
    );
  });
}

/** `import FILE`: fills an empty installation. */
export async function importInstallation({ config, say }: AdminContext, file: string): Promise<void> {
  await withDatabase(config, async ({ connection }) => {
    const counts = await importFrom(file, connection, (db) => requireKeysFit(config, db));
    say(`Imported from ${file}: ${summary(counts)}`);
    say(
      config.secretKey === null
        ? `Before the next start put the key file of the old installation at ${config.dataDir}/${keyFileName} (mode 600).`
        : 'WHEELHOUSE_SECRET_KEY has to be the key of the old installation (or its key file on one line).',
    );
  });
}

async function withDatabase(
  config: AdminContext['config'],
  run: (database: RunningDatabase) => Promise<void>,
): Promise<void> {
  const database = await runDatabase(config);
  try {
    await run(database);
  } catch (error) {
    throw config.databaseUrl === null ? error : failureAt(config.databaseUrl, error);
  } finally {
    await database.stop();
  }
}

function summary(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([table, count]) => `${table} ${count}`)
    .join(', ');
}
