import { randomInt } from 'node:crypto';
import { chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StartError } from '../../../src/server/kit/start-error.ts';
import { superuser } from '../../../src/server/store/embedded/names.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../../src/server/store/embedded/supervisor.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { reachDatabase } from '../../../src/server/store/reach.ts';
import { failureAt } from '../../../src/server/store/refusals.ts';
import { type Authority, makeAuthority } from '../clusters/pki.ts';
import { type DataFolder, dataFolder } from './data-folder.ts';

/** An address of this machine that nothing else listens on; elsewhere there is one alone. */
const host =
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
    : '127.0.0.1';
/** Databases, by what is asked of connections to them. */
const rules = `local all all trust
hostssl encrypted all 127.0.0.0/8 scram-sha-256
hostnossl plain all 127.0.0.0/8 scram-sha-256
host either all 127.0.0.0/8 scram-sha-256
`;
const password = 'p%ss/w#rd%41';
let folder: DataFolder;
let postgres: EmbeddedDatabase;
let authority: Authority;
let caFile: string;
let otherCaFile: string;

beforeAll(async () => {
  folder = await dataFolder();
  const rulesFile = join(folder.path, 'rules');
  await writeFile(rulesFile, rules, { mode: 0o644 });
  const settings = { listen_addresses: host, hba_file: rulesFile, fsync: 'off' };
  const log = { warn: () => undefined, info: () => undefined };
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o711 });
  postgres = await startEmbedded(dataDir, log, { settings });
  authority = await makeAuthority();
  [caFile, otherCaFile] = [join(folder.path, 'ca.pem'), join(folder.path, 'other-ca.pem')];
  await writeFile(caFile, authority.pem);
  await writeFile(otherCaFile, (await makeAuthority('other')).pem);
  await administer([`create role "odd name" login password '${password}'`]);
  for (const name of ['encrypted', 'plain', 'either'])
    await administer([`create database ${name} owner "odd name"`]);
  await useCertificate([host]);
});
afterAll(async () => {
  await postgres.stop();
  await folder.remove();
});

async function administer(statements: readonly string[]): Promise<void> {
  const client = new Client({ host: postgres.connection.host, user: superuser, database: 'postgres' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Gives PostgreSQL a certificate for some names, and waits until it shows it. */
async function useCertificate(hosts: readonly string[]): Promise<void> {
  const { certificate, key } = await authority.issue({ name: 'postgres', hosts });
  const [certFile, keyFile] = [join(folder.path, 'server.crt'), join(folder.path, 'server.key')];
  await writeFile(certFile, certificate, { mode: 0o644 });
  await writeFile(keyFile, key, { mode: 0o600 });
  // The key has to be the database's own, or it does not use it.
  const { uid, gid } = await stat(join(postgres.files, 'cluster'));
  if (process.getuid?.() === 0) await chown(keyFile, uid, gid);
  await administer([
    `alter system set ssl_cert_file = '${certFile}'`,
    `alter system set ssl_key_file = '${keyFile}'`,
  ]);
  await useTls('on');
}

async function useTls(state: 'on' | 'off'): Promise<void> {
  await administer([`alter system set ssl = ${state}`, 'select pg_reload_conf()']);
  // The postmaster reads its settings when it gets to it; a new connection has them then.
  await vi.waitFor(async () => expect(await isTlsOn()).toBe(state === 'on'), {
    timeout: 60_000,
    interval: 20,
  });
}

async function isTlsOn(): Promise<boolean> {
  const client = new Client({ host: postgres.connection.host, user: superuser, database: 'postgres' });
  await client.connect();
  const { rows } = await client.query<{ ssl: string }>('show ssl');
  await client.end();
  return rows[0]?.ssl === 'on';
}

const urlOf = (database: string, parameters: string): string =>
  `postgresql://odd%20name:${encodeURIComponent(password)}@${host}/${database}?${parameters}`;

/** Connects as the console does: whether the connection is encrypted, or the sentence that refuses it. */
async function reach(database: string, parameters: string): Promise<string> {
  const url = urlOf(database, parameters);
  try {
    const client = new Client(await reachDatabase(url));
    try {
      await client.connect();
      const { rows } = await client.query<{ ssl: boolean }>(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      );
      return rows[0]?.ssl === true ? 'encrypted' : 'plain';
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    const failure = failureAt(url, error);
    if (!(failure instanceof StartError)) throw failure;
    return failure.message;
  }
}

describe('sslmode means what it means to libpq', () => {
  test.each([
    ['disable', 'either', 'plain'],
    ['disable', 'encrypted', expect.stringMatching(/no encryption.*It may ask for TLS: set sslmode=require/)],
    ['allow', 'either', 'plain'],
    ['allow', 'encrypted', 'encrypted'],
    ['prefer', 'either', 'encrypted'],
    ['prefer', 'plain', 'plain'],
    ['require', 'either', 'encrypted'],
    ['require', 'plain', expect.stringContaining('refuses the connection: no pg_hba.conf entry')],
    ['verify-ca', 'either', expect.stringContaining('needs the file of a CA in sslrootcert')],
    ['verify-full', 'either', expect.stringMatching(/CA that is not known here .* add sslrootcert=/)],
  ])('%s, to a database that takes %s connections', async (mode, database, result) => {
    expect(await reach(database, `sslmode=${mode}`)).toEqual(result);
  });

  test('none is the same as prefer', async () => {
    expect(await reach('either', '')).toBe('encrypted');
    expect(await reach('plain', '')).toBe('plain');
  });

  test.each(['require', 'verify-ca', 'verify-full'])('%s asks the CA that is named', async (mode) => {
    expect(await reach('either', `sslmode=${mode}&sslrootcert=${caFile}`)).toBe('encrypted');
    expect(await reach('either', `sslmode=${mode}&sslrootcert=${otherCaFile}`)).toContain(
      `no CA in ${otherCaFile} (sslrootcert) has issued`,
    );
  });

  test('verify-full compares the name, verify-ca does not', async () => {
    await useCertificate(['db.example.org']);
    try {
      expect(await reach('either', `sslmode=verify-ca&sslrootcert=${caFile}`)).toBe('encrypted');
      expect(await reach('either', `sslmode=verify-full&sslrootcert=${caFile}`)).toContain(
        'has a certificate for other names',
      );
    } finally {
      await useCertificate([host]);
    }
  });

  test('where PostgreSQL has no TLS, prefer goes without and require is refused', async () => {
    await useTls('off');
    try {
      expect(await reach('either', 'sslmode=prefer')).toBe('plain');
      expect(await reach('either', 'sslmode=require')).toContain(
        'offers no TLS, which sslmode=require asks for',
      );
    } finally {
      await useTls('on');
    }
  });
});

test('files that cannot be used, and a wrong password, are sentences', async () => {
  expect(await reach('either', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem')).toMatch(
    /^The file that sslrootcert in DATABASE_URL names cannot be read \(ENOENT/,
  );
  expect(await reach('either', `sslmode=verify-full&sslrootcert=${join(folder.path, 'rules')}`)).toContain(
    'holds no certificate in PEM',
  );
  const wrong = urlOf('either', '').replace(/:[^:@]*@/, ':wrong@');
  await expect(reachDatabase(wrong)).rejects.toThrow(
    /refuses the connection: password authentication failed for user "odd name"\. Check user, password/,
  );
});

test('all connections of a store are encrypted by the CA of its own, and pg warns of nothing', async () => {
  const warned: string[] = [];
  const note = (warning: Error) => void warned.push(warning.message);
  process.on('warning', note);
  const store = await openStore({
    databaseUrl: urlOf('encrypted', `sslmode=verify-full&sslrootcert=${caFile}`),
    dataDir: '/nowhere',
  });
  try {
    const own = await store.connect('wheelhouse duties');
    const { rows } = await store.pool.query<{ ssl: boolean }>(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = 'encrypted'`,
    );
    await own.end();
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.every(({ ssl }) => ssl)).toBe(true);
    expect(warned).toEqual([]);
  } finally {
    process.off('warning', note);
    await store.close();
  }
});
