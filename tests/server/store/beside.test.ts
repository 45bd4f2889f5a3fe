import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportInstallation } from '../../../src/server/boot/admin/transfer.ts';
import { auditCommand } from '../../../src/server/boot/admin/verify-audit.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { type OpenStore, openStore } from '../../../src/server/store/open.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { type DataFolder, dataFolder } from './data-folder.ts';

let folder: DataFolder;
let server: OpenStore;
let dataDir: string;
beforeAll(async () => {
  folder = await dataFolder();
  dataDir = join(folder.path, 'data');
  server = await openStore({ databaseUrl: null, dataDir });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

it('commands work beside the server that has the embedded database, and leave that running', async () => {
  const { config } = readConfig({ WHEELHOUSE_DATA: dataDir });
  if (config === null) throw new Error('The settings are wrong.');
  const pid = server.embedded?.pid();
  await server.db.insert(companies).values({ name: 'Acme' });
  const said: string[] = [];
  const context = { config: { ...config, isBesideServer: true }, say: (text: string) => said.push(text) };
  const [, , written] = await Promise.all([
    exportInstallation(context, join(folder.path, 'backup.gz')),
    auditCommand(context, 'verify'),
    server.db.insert(companies).values({ name: 'meanwhile' }).returning(),
  ]);
  expect(written).toHaveLength(1);
  expect(said.join('\n')).toMatch(/Exported to .*backup\.gz: .*companies [12]/);
  expect(said.join('\n')).toContain('The audit is complete.');
  expect(server.embedded?.pid()).toBe(pid);
  expect(await server.db.$count(companies)).toBe(2);
  // A command that needs the folder for itself is refused as before.
  await expect(exportInstallation({ ...context, config }, join(folder.path, 'other.gz'))).rejects.toThrow(
    'Stop it first',
  );
});
