import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { type DatabaseAddress, parseDatabaseUrl } from '../kit/database-url.ts';
import { StartError } from '../kit/start-error.ts';
import { isTlsMissing, sqlStateOf } from './problem.ts';
import { connectFailure } from './refusals.ts';

/** How long a connection may take, ms. */
export const connectTimeout = 10_000;

/**
 * Gives how to connect to the PostgreSQL that a DATABASE_URL names. `allow` and `prefer` say that encryption is used where
 * it can be, which is decided here by connecting, and kept, so that nobody who gets between the two later can take it
 * away. Throws StartError with what to do.
 */
export async function reachDatabase(databaseUrl: string): Promise<ClientConfig> {
  const parsed = parseDatabaseUrl(databaseUrl);
  if ('problem' in parsed) throw new StartError(parsed.problem);
  const address = parsed.value;
  const base: ClientConfig = {
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    application_name: address.applicationName ?? 'wheelhouse',
    ...(address.options === null ? {} : { options: address.options }),
  };
  const [first, second] = await encryptionsOf(address);
  const configOf = (ssl: false | ConnectionOptions): ClientConfig => ({
    ...base,
    ssl,
    ...(ssl !== false && address.isDirectTls ? { sslnegotiation: 'direct' as const } : {}),
    ...(ssl !== false && address.bindsChannel ? { enableChannelBinding: true } : {}),
  });
  // Where there is one way, whoever connects next meets what is wrong.
  if (second === undefined) return configOf(first);
  try {
    await tryConnection(configOf(first));
    return configOf(first);
  } catch (error) {
    if (!mayTryOther(error)) throw connectFailure(address, error);
    try {
      await tryConnection(configOf(second));
      return configOf(second);
    } catch (other) {
      // Of two refusals the one that says more: a rule for other encryption, or none at all, is the way that was tried first.
      throw connectFailure(address, isTlsMissing(error) || sqlStateOf(error) === '28000' ? other : error);
    }
  }
}

/** The ways to encrypt that an address allows, in the order in which they are tried. */
async function encryptionsOf(
  address: DatabaseAddress,
): Promise<readonly [false | ConnectionOptions, (false | ConnectionOptions)?]> {
  const { sslMode, host } = address;
  // A socket of this machine is not encrypted, by PostgreSQL's own programs neither.
  if (sslMode === 'disable' || host.startsWith('/')) return [false];
  const files = await filesOf(address);
  const isVerified = sslMode === 'verify-full';
  // A CA that is named is asked also by `require`, as in PostgreSQL's own programs; names are compared by verify-full alone.
  const checksIssuer =
    isVerified || sslMode === 'verify-ca' || (sslMode === 'require' && address.rootCert !== null);
  const encrypted: ConnectionOptions = {
    ...files,
    rejectUnauthorized: checksIssuer,
    ...(isVerified ? {} : { checkServerIdentity: () => undefined }),
  };
  if (sslMode === 'allow') return [false, encrypted];
  if (sslMode === 'prefer') return [encrypted, false];
  return [encrypted];
}

/** The files of an address. Throws StartError for one that cannot be read or used. */
async function filesOf({ rootCert, clientCert }: DatabaseAddress): Promise<ConnectionOptions> {
  const files: ConnectionOptions = {
    ...(rootCert === null ? {} : { ca: await textOf('sslrootcert', rootCert) }),
    ...(clientCert === null
      ? {}
      : { cert: await textOf('sslcert', clientCert.cert), key: await textOf('sslkey', clientCert.key) }),
  };
  if (typeof files.ca === 'string' && !files.ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new StartError(
      `The file ${rootCert} (sslrootcert in DATABASE_URL) holds no certificate in PEM. It has to begin with -----BEGIN CERTIFICATE-----.`,
    );
  try {
    createSecureContext(files);
  } catch (error) {
    throw new StartError(
      `The files that sslrootcert, sslcert and sslkey in DATABASE_URL name cannot be used: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return files;
}

async function textOf(parameter: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(
      `The file that ${parameter} in DATABASE_URL names cannot be read (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

async function tryConnection(config: ClientConfig): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: connectTimeout });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a refusal may be due to the encryption, or to its lack: not where nothing answered, or PostgreSQL is not up. */
function mayTryOther(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return state.startsWith('28') || state === '08P01';
  return !('syscall' in (error as object)) || (error as { code?: string }).code === 'ECONNRESET';
}
