import { createPrivateKey, X509Certificate } from 'node:crypto';

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** PEM text in base64, as the …-data fields of a kubeconfig carry it; undefined when it is not base64. */
export function decodeData(data: string): string | undefined {
  // Without its line breaks first: a pattern that allows them anywhere is slow on what is no base64.
  const bare = data.replaceAll(/\s+/g, '');
  return base64.test(bare) ? Buffer.from(bare, 'base64').toString('utf8') : undefined;
}

/** The certificates in a PEM text and nothing else of it; undefined when there is none or one cannot be read. */
export function readCertificates(
  pem: string,
):
  | { readonly pem: string; readonly all: readonly X509Certificate[]; readonly first: X509Certificate }
  | undefined {
  const blocks = pem.match(block) ?? [];
  try {
    const all = blocks.map((text) => new X509Certificate(text));
    const [first] = all;
    return first === undefined ? undefined : { pem: `${blocks.join('\n')}\n`, all, first };
  } catch {
    return undefined;
  }
}

/** The reason why a PEM private key does not fit a certificate; undefined if it does. */
export function keyProblem(certificate: X509Certificate, key: string): string | undefined {
  if (/ENCRYPTED/.test(key)) return 'is encrypted; store it without a passphrase';
  try {
    const parsed = createPrivateKey(key);
    return certificate.checkPrivateKey(parsed) ? undefined : 'does not belong to client-certificate-data';
  } catch {
    // The library's own words may quote the key: they are not passed on.
    return 'is not a private key in PEM';
  }
}

/** The common name of a certificate, for people; empty without one. */
export function commonName(certificate: X509Certificate): string {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '';
}

/** Subject and end of a JSON web token, unverified: only to show. Empty for any other token. */
export function readToken(token: string): { readonly subject?: string; readonly expiresAt?: Date } {
  const parts = token.split('.');
  const payload = parts[1];
  if (parts.length !== 3 || payload === undefined) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null) return {};
    const { sub, exp } = claims as { sub?: unknown; exp?: unknown };
    const end = typeof exp === 'number' ? new Date(exp * 1000) : undefined;
    return {
      ...(typeof sub === 'string' ? { subject: sub } : {}),
      ...(end !== undefined && !Number.isNaN(end.getTime()) ? { expiresAt: end } : {}),
    };
  } catch {
    return {};
  }
}
