import { isLoopback } from './config-values.ts';

/** An OpenID Connect provider as the operator writes it into the environment; anybody may sign in by it. */
export interface InstallationProvider {
  /** Names it in addresses: `google`, or its name in the variables in lower case. */
  readonly key: string;
  /** Its button reads "Continue with …". */
  readonly label: string;
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that lists a person's groups; null where none is read. */
  readonly groupsClaim: string | null;
}

const shape = /^WHEELHOUSE_OIDC_([A-Z][A-Z0-9]{0,19})_(ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL|GROUPS_CLAIM)$/;
const googleIssuer = new URL('https://accounts.google.com');

/** Whether a name is one of the variables that describe a provider. */
export function isProviderVariable(name: string): boolean {
  return shape.test(name);
}

/**
 * Reads the providers of the installation: `WHEELHOUSE_OIDC_<NAME>_…`, several by several names, and Google. Problems
 * never repeat a secret.
 */
export function parseProviders(env: Readonly<Record<string, string | undefined>>): {
  readonly providers: readonly InstallationProvider[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const get = (name: string): string | null => env[name]?.trim() || null;
  const names = [...new Set(Object.keys(env).flatMap((name) => shape.exec(name)?.[1] ?? []))].sort();
  const providers: InstallationProvider[] = [];
  for (const name of names) {
    const prefix = `WHEELHOUSE_OIDC_${name}_`;
    const [issuer, clientId, clientSecret] = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'].map((part) =>
      get(prefix + part),
    );
    if (name === 'GOOGLE') {
      problems.push(
        `${prefix}… is not needed: set WHEELHOUSE_GOOGLE_CLIENT_ID and WHEELHOUSE_GOOGLE_CLIENT_SECRET.`,
      );
    } else if (issuer == null || clientId == null || clientSecret == null) {
      problems.push(
        `${prefix}ISSUER, ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET only work together: set all three.`,
      );
    } else {
      const read = parseIssuer(issuer);
      if ('problem' in read) problems.push(`${prefix}ISSUER is "${issuer}"; ${read.problem}`);
      else
        providers.push({
          key: name.toLowerCase(),
          label: get(`${prefix}LABEL`) ?? 'single sign-on',
          issuer: read.value,
          clientId,
          clientSecret,
          groupsClaim: get(`${prefix}GROUPS_CLAIM`),
        });
    }
  }
  const clientId = get('WHEELHOUSE_GOOGLE_CLIENT_ID');
  const clientSecret = get('WHEELHOUSE_GOOGLE_CLIENT_SECRET');
  if (clientId !== null && clientSecret !== null) {
    providers.push({
      key: 'google',
      label: 'Google',
      issuer: googleIssuer,
      clientId,
      clientSecret,
      groupsClaim: null,
    });
  } else if (clientId !== null || clientSecret !== null) {
    problems.push(
      'WHEELHOUSE_GOOGLE_CLIENT_ID and WHEELHOUSE_GOOGLE_CLIENT_SECRET only work together: set both.',
    );
  }
  return { providers, problems };
}

/** Reads the address of an issuer: https, or http on loopback; its configuration is found below it. */
export function parseIssuer(text: string): { value: URL } | { problem: string } {
  const expected = 'it must be the address of an OpenID Connect issuer, such as https://id.example.org.';
  if (!URL.canParse(text)) return { problem: expected };
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.protocol === 'http:' && !isLoopback(host))
    return {
      problem: 'over plain http anyone on the network could sign in as anybody. Use an https address.',
    };
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return { problem: expected };
  if (url.search !== '' || url.hash !== '') return { problem: `${expected} Leave out what follows ? or #.` };
  return { value: url };
}
