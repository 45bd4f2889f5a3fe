// @peculiar/x509 uses tsyringe, which needs this import and does not bring it.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** Certificates of an HTTPS server on loopback, PEM. */
export interface Certificates {
  /** Certificate of the authority that clients trust; its key is discarded. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const year = 365 * 24 * 3600 * 1000;

/** Makes an authority and a server certificate for loopback, valid for a year from `now` (ms). */
export async function makeCertificates(now: number): Promise<Certificates> {
  const generate = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [root, leaf] = await Promise.all([generate(), generate()]);
  const notBefore = new Date(now - 3600_000);
  const notAfter = new Date(now + year);
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=playground-ca',
    notBefore,
    notAfter,
    keys: root,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const certificate = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=playground',
    issuer: authority.subject,
    notBefore,
    notAfter,
    publicKey: leaf.publicKey,
    signingKey: root.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'dns', value: 'kubernetes.default.svc' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', leaf.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
  return {
    authority: `${authority.toString('pem')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
    key,
  };
}
