import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { orgRoles } from '../../../src/contract/permissions.ts';
import type { Member } from '../../../src/server/access/person.ts';
import type { OwnedDirectory } from '../../../src/server/clusters/directory.ts';
import { createDirectory, type DirectoryOptions } from '../../../src/server/clusters/stored-directory.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { freshDatabase } from '../postgres.ts';

/** A store with a company and its Owner, and directories over it. */
export interface Setting {
  readonly store: Store;
  readonly owner: Member;
  readonly log: Logger;
  /** Everything that was logged. */
  logged(): string;
  person(companyName: string): Promise<Member>;
  /** One replica's directory, with its own connections; closed with the setting. */
  directory(options?: Partial<DirectoryOptions>): Promise<OwnedDirectory>;
  close(): Promise<void>;
}

export async function openSetting(): Promise<Setting> {
  const database = await freshDatabase();
  const source = { databaseUrl: database.url, dataDir: '' };
  const store = await openStore(source);
  const vault = createVault({ current: 'test', keys: new Map([['test', randomBytes(32)]]) });
  const closing: (() => Promise<void>)[] = [() => database.drop(), () => store.close()];
  let text = '';
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString('utf8');
        done();
      },
    }),
  );
  const person = async (companyName: string): Promise<Member> => {
    const [company] = await store.db.insert(companies).values({ name: companyName }).returning();
    if (company === undefined) throw new Error('No company was stored.');
    const email = `${randomBytes(4).toString('hex')}@example.org`;
    const orgRole = orgRoles.Owner;
    const [user] = await store.db.insert(users).values({ name: 'Robin', email }).returning();
    if (user === undefined) throw new Error('No person was stored.');
    await store.db.insert(memberships).values({ userId: user.id, companyId: company.id, orgRole });
    return {
      id: user.id,
      companyId: company.id,
      companyName,
      orgRole,
      name: 'Robin',
      email,
      sessionHash: '',
      providerId: null,
      token: null,
    };
  };
  return {
    store,
    owner: await person('first company'),
    log,
    logged: () => text,
    person,
    async directory(options = {}) {
      const own = await openStore(source);
      const directory = await createDirectory({
        config: { allowCidrs: ['127.0.0.0/8'], metricsSourceCidrs: [], kubeconfigFile: null, billing: null },
        store: own,
        vault,
        log,
        endWork: () => Promise.resolve(),
        ...options,
      });
      closing.push(
        () => own.close(),
        () => directory.close(),
      );
      return directory;
    },
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}
