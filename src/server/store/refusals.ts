import { type DatabaseAddress, parseDatabaseUrl } from '../kit/database-url.ts';
import { StartError } from '../kit/start-error.ts';
import { isReadOnly, isStoreUnavailable, isTlsMissing, messageOf, sqlStateOf, tlsCodeOf } from './problem.ts';

/** Codes of a certificate whose issuer is not known. */
const unknownIssuer: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * The sentence for a database that does not let the console work, with what to do: it names server, database and role,
 * never the password. Other errors are given back as they are.
 */
export function connectFailure(address: DatabaseAddress, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const sentence = sentenceOf(address, error);
  return sentence === undefined ? error : new StartError(sentence, { cause: error });
}

/** The same for a DATABASE_URL. */
export function failureAt(databaseUrl: string, error: unknown): unknown {
  const parsed = parseDatabaseUrl(databaseUrl);
  return 'value' in parsed ? connectFailure(parsed.value, error) : error;
}

function sentenceOf(address: DatabaseAddress, error: unknown): string | undefined {
  const { host, port, database, user } = address;
  const place = `The database at ${host}${port === 5432 ? '' : `:${port}`} (DATABASE_URL)`;
  const state = sqlStateOf(error);
  const message = messageOf(error);
  if (isReadOnly(error))
    return `${place} takes no changes: ${message}. Name the primary, best by an address that moves to a new one; where it is the primary, its disk may be full, or default_transaction_read_only is on.`;
  if (state === '42501')
    return `The role ${user} may not create what this version needs in the database ${database} at ${host} (DATABASE_URL): ${message}. Let it own the database, or grant it "connect, create on database" and "usage, create on schema public".`;
  if (state === '53300')
    return `${place} has no connection left: ${message}. Raise max_connections, or end what else is connected; a server of Wheelhouse takes 12.`;
  if (state === '08P01' && /startup parameter/.test(message))
    return `${place} is reached through a pooler that refuses a setting: ${message}. Add it to ignore_startup_parameters of PgBouncer, or name PostgreSQL itself.`;
  if (state !== undefined && /^(28|3D)/.test(state))
    return `${place} refuses the connection: ${message}. ${adviceOf(address, message)}`;
  return (
    tlsSentence(address, place, error) ?? (isStoreUnavailable(error) ? awaySentence(place, error) : undefined)
  );
}

function adviceOf({ sslMode }: DatabaseAddress, message: string): string {
  if (/no encryption|SSL off/.test(message) && ['disable', 'allow', 'prefer'].includes(sslMode))
    return 'It may ask for TLS: set sslmode=require or stronger in DATABASE_URL, and see that PostgreSQL has ssl = on.';
  return message.includes('pg_hba.conf')
    ? 'Add a rule for it to pg_hba.conf, or check user, database name and sslmode.'
    : 'Check user, password and database name.';
}

function awaySentence(place: string, error: unknown): string {
  // An address with several answers fails without words, by its code alone.
  const reason = messageOf(error) || String((error as { readonly code?: string }).code);
  return `${place} cannot be reached: ${reason}. Check the address, and that it is running.`;
}

function tlsSentence(address: DatabaseAddress, place: string, error: unknown): string | undefined {
  const { sslMode, rootCert, host } = address;
  const code = tlsCodeOf(error);
  // Node adds how to start it otherwise.
  const message = messageOf(error).replace(/; if the root CA is installed locally.*/, '');
  if (isTlsMissing(error))
    return `${place} offers no TLS, which sslmode=${sslMode} asks for. Set ssl = on in PostgreSQL, or sslmode=disable where nobody else is on the network between the two.`;
  if (code === undefined) return undefined;
  if (unknownIssuer.has(code))
    return rootCert === null
      ? `${place} has a certificate of a CA that is not known here (${message}). Name the file of its CA: add sslrootcert=/path/to/ca.pem to DATABASE_URL.`
      : `${place} has a certificate that no CA in ${rootCert} (sslrootcert) has issued (${message}). Put the CA of the database into that file.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${place} has a certificate for other names: ${message}. Write the name that stands in it into DATABASE_URL, or sslmode=verify-ca, which compares no names.`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${place} has a certificate that is not valid now (${message}). Renew it, and compare the clocks of both machines.`;
  return `The TLS connection to ${host} (DATABASE_URL) fails: ${message} (${code}). Compare what PostgreSQL's own client says: psql "$DATABASE_URL".`;
}
