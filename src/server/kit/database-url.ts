import { percentDecoded } from './percent-decoded.ts';

/** How a connection to PostgreSQL is encrypted, the weakest first; each means the same as in PostgreSQL's own programs. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

/** A DATABASE_URL taken apart. */
export interface DatabaseAddress {
  /** A name or address; with a slash first, the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** File of the CA that has to have issued the server's certificate; null: Node's own list, where one is asked for. */
  readonly rootCert: string | null;
  /** Files of the certificate and the key by which the console shows who it is. */
  readonly clientCert: { readonly cert: string; readonly key: string } | null;
  /** Whether TLS begins without asking. */
  readonly isDirectTls: boolean;
  /** Whether the password is bound to the TLS connection where the server can. */
  readonly bindsChannel: boolean;
  /** `application_name` of its connections; null: the console's own. */
  readonly applicationName: string | null;
  /** Settings of each session, as `-c name=value`. */
  readonly options: string | null;
}

/** Parameters that are taken. */
const parameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'ssl',
  'sslnegotiation',
  'channel_binding',
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'application_name',
  'options',
  'target_session_attrs',
] as const;

/** Parameters that have no effect here, and that providers write into their addresses. */
const ignored: ReadonlySet<string> = new Set([
  'client_encoding',
  'connect_timeout',
  'fallback_application_name',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'krbsrvname',
  'pgbouncer',
  'schema',
  'sslcompression',
  'sslsni',
  'tcp_user_timeout',
  'uselibpqcompat',
]);

type Parsed<T> = { value: T } | { problem: string };

const form =
  'DATABASE_URL is not of the form postgresql://user:password@host:5432/database. Characters such as /, # or ? in the password are written as %2F, %23 or %3F.';

/**
 * Takes a DATABASE_URL apart. Sentences never repeat what may be a password: parameters are named, the values of user
 * and password are not.
 */
export function parseDatabaseUrl(text: string): Parsed<DatabaseAddress> {
  // Without a host (`postgresql://user@/database?host=/run`) an address with a user is none for URL.
  const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost');
  if (!URL.canParse(whole)) return { problem: severalHosts(text) ?? form };
  const url = new URL(whole);
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '') return { problem: form };
  const unknown = [...url.searchParams.keys()].find(
    (name) => !ignored.has(name) && !parameters.some((one) => one === name),
  );
  if (unknown !== undefined)
    return {
      problem: `DATABASE_URL has the parameter "${unknown}", which Wheelhouse does not know. It takes ${parameters.join(', ')}.`,
    };
  const get = (name: (typeof parameters)[number]): string | null => url.searchParams.get(name) || null;
  const host = get('host') ?? percentDecoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (host.includes(',')) return { problem: oneHost };
  const port = Number(get('port') ?? (url.port === '' ? '5432' : url.port));
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    return { problem: 'The port in DATABASE_URL is not a number from 1 to 65535.' };
  const tls = tlsOf(get);
  if ('problem' in tls) return tls;
  const session = get('target_session_attrs');
  if (session !== null && !['any', 'read-write', 'primary'].includes(session))
    return {
      problem: `target_session_attrs in DATABASE_URL is "${session}"; Wheelhouse writes, so it must be read-write, or left out.`,
    };
  const user = get('user') ?? percentDecoded(url.username);
  return {
    value: {
      host: host === '' ? 'localhost' : host,
      port,
      user,
      password: get('password') ?? percentDecoded(url.password),
      database: get('dbname') ?? (percentDecoded(url.pathname.slice(1)) || user),
      applicationName: get('application_name'),
      options: get('options'),
      ...tls.value,
    },
  };
}

const oneHost =
  'DATABASE_URL names several hosts. Wheelhouse takes one: a name or address that always leads to the primary, such as the Service that your PostgreSQL operator keeps for writing.';

/** Several hosts with ports are no address for URL. */
function severalHosts(text: string): string | undefined {
  return /^postgres(ql)?:\/\/([^@/]*@)?[\w.-]+(:\d+)?(,[\w.-]+(:\d+)?)+(\/|$)/.test(text)
    ? oneHost
    : undefined;
}

type TlsAddress = Pick<
  DatabaseAddress,
  'sslMode' | 'rootCert' | 'clientCert' | 'isDirectTls' | 'bindsChannel'
>;

function tlsOf(get: (name: (typeof parameters)[number]) => string | null): Parsed<TlsAddress> {
  const named = get('sslmode') ?? (get('ssl') === 'true' ? 'require' : null);
  const sslMode = sslModes.find((mode) => mode === (named ?? 'prefer'));
  if (sslMode === undefined)
    return { problem: `sslmode in DATABASE_URL is "${named}"; it must be one of ${sslModes.join(', ')}.` };
  const root = get('sslrootcert');
  if (root === 'system' && sslMode !== 'verify-full')
    return {
      problem: `sslrootcert in DATABASE_URL is "system", to which anybody may belong: only sslmode=verify-full protects with it, and sslmode is "${sslMode}".`,
    };
  const rootCert = root === 'system' ? null : root;
  if (sslMode === 'verify-ca' && rootCert === null)
    return {
      problem:
        'sslmode in DATABASE_URL is "verify-ca", which needs the file of a CA in sslrootcert. For a certificate of a public CA write sslmode=verify-full.',
    };
  const cert = get('sslcert');
  const key = get('sslkey');
  if ((cert === null) !== (key === null))
    return { problem: 'sslcert and sslkey in DATABASE_URL only work together: name both files.' };
  const negotiation = get('sslnegotiation') ?? 'postgres';
  if (negotiation !== 'postgres' && negotiation !== 'direct')
    return { problem: `sslnegotiation in DATABASE_URL is "${negotiation}"; it must be postgres or direct.` };
  if (negotiation === 'direct' && ['disable', 'allow', 'prefer'].includes(sslMode))
    return {
      problem:
        'sslnegotiation in DATABASE_URL is "direct", which needs sslmode=require, verify-ca or verify-full.',
    };
  return {
    value: {
      sslMode,
      rootCert,
      clientCert: cert === null || key === null ? null : { cert, key },
      isDirectTls: negotiation === 'direct',
      bindsChannel: ['prefer', 'require'].includes(get('channel_binding') ?? ''),
    },
  };
}
