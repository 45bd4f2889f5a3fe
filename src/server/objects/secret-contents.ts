import { isUtf8 } from 'node:buffer';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { SecretCertificate, SecretContents } from '../../contract/secrets.ts';
import { type Secret, secretKeys, secretTypes } from '../../kube/secret.ts';
import { cleanText } from '../../kube/text.ts';
import { readToken } from '../clusters/certificates.ts';
import { isPlain } from './read.ts';

/** Largest value that is looked into, bytes. */
const maxReadLength = 256 * 1024;
/** Maximum number of certificates listed of one Secret: bundles of authorities have hundreds. */
const maxCertificates = 20;
const maxNames = 100;
const maxRegistries = 100;
const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g;

/** The values of a Secret, decoded; those that are no text in the answer count as empty. */
export function valuesOf(secret: Secret): ReadonlyMap<string, Buffer> {
  return new Map(
    secretKeys(secret).map((key) => {
      const value: unknown = secret.data?.[key];
      return [key, Buffer.from(typeof value === 'string' ? value : '', 'base64')];
    }),
  );
}

/** The contents of a Secret without its values. The cluster is not trusted to keep to its types. */
export function contentsOf(secret: Secret): SecretContents {
  const values = valuesOf(secret);
  const type = typeof secret.type === 'string' ? secret.type : secretTypes.opaque;
  const problems: string[] = [];
  return {
    resourceVersion: secret.metadata?.resourceVersion ?? '',
    type: cleanText(type),
    keys: [...values].map(([key, value]) => ({
      key: cleanText(key),
      size: value.length,
      isText: isUtf8(value) && !value.includes(0),
    })),
    certificates: certificatesOf(values, problems),
    registries: registriesOf(type, values, problems),
    identity: identityOf(type, secret, values),
    problems,
  };
}

function certificatesOf(values: ReadonlyMap<string, Buffer>, problems: string[]): SecretCertificate[] {
  const found: SecretCertificate[] = [];
  for (const [key, value] of values) {
    if (value.length > maxReadLength || !value.includes('-----BEGIN CERTIFICATE-----')) continue;
    const blocks = value.toString('latin1').match(block) ?? [];
    const left = maxCertificates - found.length;
    if (blocks.length > left)
      problems.push(`“${cleanText(key)}” has ${blocks.length} certificates; only the first are listed.`);
    for (const pem of blocks.slice(0, Math.max(0, left))) {
      const read = readCertificate(key, pem, values.get('tls.key'));
      if (read === undefined) problems.push(`“${cleanText(key)}” has a certificate that cannot be read.`);
      else found.push(read);
    }
  }
  return found;
}

function readCertificate(
  key: string,
  pem: string,
  privateKey: Buffer | undefined,
): SecretCertificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const line = (text: string | undefined) => cleanText((text ?? '').replaceAll('\n', ', '));
    return {
      key: cleanText(key),
      subject: line(certificate.subject),
      names: (certificate.subjectAltName ?? '')
        .split(', ')
        .filter((name) => name !== '')
        .slice(0, maxNames)
        .map((name) => cleanText(name.replace(/^(?:DNS|IP Address):/, ''))),
      issuer: line(certificate.issuer),
      validFrom: new Date(certificate.validFrom).toISOString(),
      validTo: new Date(certificate.validTo).toISOString(),
      isAuthority: certificate.ca,
      fitsKey: key === 'tls.crt' && privateKey !== undefined ? fits(certificate, privateKey) : null,
    };
  } catch {
    // The library's own words may quote what it read: they are not passed on.
    return undefined;
  }
}

/** Null where the key cannot be read, as one with a passphrase. */
function fits(certificate: X509Certificate, privateKey: Buffer): boolean | null {
  try {
    return certificate.checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return null;
  }
}

function registriesOf(
  type: string,
  values: ReadonlyMap<string, Buffer>,
  problems: string[],
): SecretContents['registries'] {
  const isOld = type === secretTypes.oldDockerConfig;
  if (type !== secretTypes.dockerConfig && !isOld) return [];
  const value = values.get(isOld ? '.dockercfg' : '.dockerconfigjson');
  if (value === undefined || value.length > maxReadLength) return [];
  let auths: unknown;
  try {
    const config: unknown = JSON.parse(value.toString('utf8'));
    auths = isOld || !isPlain(config) ? config : config['auths'];
  } catch {
    problems.push('Its Docker configuration is not valid JSON.');
    return [];
  }
  if (!isPlain(auths)) return [];
  return Object.entries(auths)
    .slice(0, maxRegistries)
    .map(([host, auth]) => ({
      host: withoutCredentials(cleanText(host)),
      hasPassword:
        isPlain(auth) &&
        ['auth', 'password', 'identitytoken', 'registrytoken'].some((name) => Boolean(auth[name])),
    }));
}

/** A registry's address without a user and password that somebody wrote into it. */
const withoutCredentials = (host: string) => host.replace(/^([a-z]+:\/\/)?[^/@]*@/i, '$1');

function identityOf(
  type: string,
  { metadata }: Secret,
  values: ReadonlyMap<string, Buffer>,
): SecretContents['identity'] {
  if (type !== secretTypes.serviceAccountToken) return null;
  const { expiresAt } = readToken(values.get('token')?.toString('latin1') ?? '');
  return {
    serviceAccount: cleanText(metadata?.annotations?.['kubernetes.io/service-account.name'] ?? ''),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
