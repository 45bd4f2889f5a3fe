import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type MetricsCredential,
  type MetricsSource,
  type MetricsSourceChange,
  metricsSourceSchema,
} from '../../contract/metrics-source.ts';
import { Problem } from '../../contract/problem.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { metricsCredentialContext } from '../store/sealed.ts';
import { SealError, type Vault } from '../store/vault.ts';
import type { Config } from '../kit/config.ts';
import { type AddressGuard, createAddressGuard, guardOfEntered } from './address.ts';
import { readCertificates } from './certificates.ts';

/** The columns of a cluster that say where its usage is read. */
export type StoredMetricsSource = Pick<ClusterRow, 'metricsSource' | 'metricsCredential'>;

/** The settings that say which addresses metrics sources may have. */
export type SourceConfig = Pick<Config, 'allowCidrs' | 'metricsSourceCidrs'>;

/** The guard of the metrics source of a cluster at an address. */
export function guardOfSource(
  { allowCidrs, metricsSourceCidrs }: SourceConfig,
  { carriedOver }: Pick<ClusterRow, 'carriedOver'>,
  url: string,
): AddressGuard {
  return guardOfEntered(createAddressGuard(metricsSourceCidrs), { url, carriedOver }, allowCidrs);
}

const sealedSchema = z.object({
  /** The address that it may be sent to. */
  url: z.string(),
  /** The certificates that vouch for the address: whoever chooses them chooses who reads it. */
  ca: z.string().default(''),
  /** The value of the header. */
  authorization: z.string(),
});

/** Where a cluster's usage is read. What another version stored that this one does not know is metrics.k8s.io. */
export function metricsSourceOf({ metricsSource }: Pick<ClusterRow, 'metricsSource'>): MetricsSource {
  const parsed = metricsSourceSchema.safeParse(metricsSource);
  return parsed.success ? parsed.data : { from: 'metrics.k8s.io' };
}

const refused = (path: string, message: string) =>
  new Problem({ status: 400, title: message, issues: [{ path: `body.metrics.${path}`, message }] });

/**
 * The address of a Prometheus, as far as it can be judged by what it says; what its name leads to is judged when it is
 * dialled. Without a slash at the end. Throws Problem 400.
 */
export function parseSourceUrl(text: string, guard: AddressGuard): string {
  const fail = (message: string) => refused('url', message);
  // Control characters and blanks are dropped silently by the parser.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text))
    throw fail('This is not an address. Enter one like https://prometheus.example.org.');
  // Also where nothing follows: the parser's parts are empty then.
  if (/[?#]/.test(text)) throw fail('Remove the part after ? or # from the address.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw fail('The address must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw fail('Leave the user name and password out of the address. Enter them below.');
  const reason = guard.refusalOfHost(url.hostname);
  if (reason !== undefined)
    throw fail(
      `The console does not connect to ${url.hostname}: that is ${reason}. The operator can list it in WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The header of a credential. */
function authorizationOf(credential: Exclude<MetricsCredential, { sort: 'none' | 'kept' }>): string {
  return credential.sort === 'bearer'
    ? `Bearer ${credential.token}`
    : `Basic ${Buffer.from(`${credential.user}:${credential.password}`).toString('base64')}`;
}

/** A source that an Owner entered, judged, with what it asks for. */
export interface EnteredSource {
  readonly source: MetricsSource;
  /** The value of the header; undefined without one. */
  readonly authorization: string | undefined;
}

/**
 * Judges a source as it was entered. What is stored for one address goes to no other, nor to it under other
 * certificates: whoever changes either enters the credential again, so that no Owner learns what another one entered. Throws Problem 400 whose issues name the
 * fields.
 * @param before the cluster as it is stored
 */
export function readEnteredSource(
  change: MetricsSourceChange,
  before: StoredMetricsSource & Pick<ClusterRow, 'id' | 'carriedOver'>,
  { config, vault }: { readonly config: SourceConfig; readonly vault: Vault },
): EnteredSource {
  if (change.from !== 'url') return { source: change, authorization: undefined };
  const { credential, ...rest } = change;
  const url = parseSourceUrl(change.url, guardOfSource(config, before, change.url));
  const ca = authoritiesOf(change.ca);
  if (credential.sort !== 'kept') {
    return credential.sort === 'none'
      ? { source: { ...rest, url, ca, credential }, authorization: undefined }
      : {
          source: { ...rest, url, ca, credential: { sort: 'kept', as: credential.sort } },
          authorization: authorizationOf(credential),
        };
  }
  const stored = metricsSourceOf(before);
  if (stored.from !== 'url' || stored.url !== url || stored.ca !== ca)
    throw refused(
      'credential',
      'The address or the certificates changed, so the credential is needed again. Enter it below.',
    );
  const authorization = openKept(before, stored, vault);
  return { source: { ...rest, url, ca, credential: stored.credential }, authorization };
}

/** What is stored for an address that stays. Throws Problem 400 where it cannot be opened. */
function openKept(
  before: Pick<ClusterRow, 'id' | 'metricsCredential'>,
  address: { readonly url: string; readonly ca: string },
  vault: Vault,
): string | undefined {
  try {
    return openAuthorization(before, address, vault);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw refused('credential', 'The stored credential cannot be decrypted. Enter it again.');
  }
}

/** The certificates of a PEM text and nothing else of it. Throws Problem 400. */
function authoritiesOf(text: string): string {
  if (text.trim() === '') return '';
  const read = readCertificates(text);
  if (read === undefined)
    throw refused('ca', 'This is not a PEM certificate: it must begin with -----BEGIN CERTIFICATE-----.');
  return read.pem;
}

/** The columns of a source. @param clusterId by which what it asks for is sealed */
export function storedSource(
  { source, authorization }: EnteredSource,
  clusterId: number,
  vault: Vault,
): StoredMetricsSource {
  if (source.from === 'metrics.k8s.io') return { metricsSource: null, metricsCredential: null };
  return {
    metricsSource: source,
    metricsCredential:
      source.from !== 'url' || authorization === undefined
        ? null
        : vault.seal(
            JSON.stringify({ url: source.url, ca: source.ca, authorization } satisfies z.infer<
              typeof sealedSchema
            >),
            metricsCredentialContext(clusterId),
          ),
  };
}

/**
 * What is sent to an address as its credential; undefined where nothing is stored, or something for another address or
 * other certificates: two changes at a time must not send the one's credential to the other's address. Throws SealError.
 */
export function openAuthorization(
  { id, metricsCredential }: Pick<ClusterRow, 'id' | 'metricsCredential'>,
  { url, ca }: { readonly url: string; readonly ca: string },
  vault: Vault,
): string | undefined {
  if (metricsCredential === null) return undefined;
  const opened = sealedSchema.parse(JSON.parse(vault.open(metricsCredential, metricsCredentialContext(id))));
  return opened.url === url && opened.ca === ca ? opened.authorization : undefined;
}

/** SHA-256 of the certificates that were entered, by which the audit tells one set from another. */
function fingerprintOf(text: string): string {
  const pem = readCertificates(text)?.pem ?? text;
  return createHash('sha256').update(pem).digest('hex').slice(0, 32);
}

/** Whether a source brings a credential along, rather than naming the stored one. */
export function isCredentialEntered(source: MetricsSource | MetricsSourceChange): boolean {
  return source.from === 'url' && source.credential.sort !== 'kept' && source.credential.sort !== 'none';
}

/** A source in words, for the audit: never with a credential, but with that one was entered. */
export function describeSource(
  source: MetricsSource | MetricsSourceChange,
  isEntered = isCredentialEntered(source),
): string {
  if (source.from === 'metrics.k8s.io') return source.from;
  const label = source.label === null ? '' : `, ${source.label.name}=${source.label.value}`;
  if (source.from === 'service')
    return `Service ${source.namespace}/${source.service}:${source.port}${source.isTls ? ' by TLS' : ''}${label}`;
  const url = URL.parse(source.url);
  const { credential } = source;
  const sort = credential.sort === 'kept' ? credential.as : credential.sort;
  // What was entered and refused may hold anything.
  const address = url === null ? 'an address' : `${url.origin}${url.pathname}`;
  const held = sort === 'none' ? '' : ` with a credential (${sort}${isEntered ? ', entered anew' : ''})`;
  const vouching = source.ca.trim() === '' ? '' : `, certificates ${fingerprintOf(source.ca)}`;
  return `${address}${held}${vouching}${label}`;
}
