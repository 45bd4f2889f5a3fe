import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate with its key, PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of a test. */
export interface Authority {
  readonly pem: string;
  issue(options?: { name?: string; hosts?: readonly string[]; notAfter?: Date }): Promise<Pair>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const generate = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const day = 24 * 3600 * 1000;
let serial = 1;

async function keyPem(key: CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

/** Makes an authority that is valid from a year ago to a year from now. */
export async function makeAuthority(name = 'test-ca'): Promise<Authority> {
  const keys = await generate();
  const notBefore = new Date(Date.now() - 365 * day);
  const root: X509Certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore,
    notAfter: new Date(Date.now() + 365 * day),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  return {
    pem: `${root.toString('pem')}\n`,
    async issue({ name: subject = 'leaf', hosts = ['127.0.0.1', 'localhost'], notAfter } = {}) {
      const own = await generate();
      serial += 1;
      const certificate = await X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(2, '0'),
        subject: `CN=${subject}`,
        issuer: root.subject,
        notBefore,
        notAfter: notAfter ?? new Date(Date.now() + 300 * day),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new SubjectAlternativeNameExtension(
            hosts.map((value) => ({
              type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
              value,
            })),
          ),
        ],
      });
      return { certificate: `${certificate.toString('pem')}\n`, key: await keyPem(own.privateKey) };
    },
  };
}
