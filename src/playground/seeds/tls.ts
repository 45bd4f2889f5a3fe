import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key, PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** An ASN.1 value in DER: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = () => sequence(oid('2a8648ce3d040302'));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));

/** A DER time; X.509 wants two-digit years before 2050. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

const pem = (label: string, body: Buffer) =>
  `-----BEGIN ${label}-----\n${(body.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;

/** Makes a certificate for DNS names that its own key signs in the name of `issuer`. Times are ms since 1970. */
export function certificateFor(
  names: readonly [string, ...string[]],
  issuer: string,
  notBefore: number,
  notAfter: number,
): Pair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.from(`01${notBefore.toString(16).padStart(16, '0')}`, 'hex')),
    ecdsaWithSha256(),
    commonName(issuer),
    sequence(time(notBefore), time(notAfter)),
    commonName(names[0]),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, alternatives)))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256(), der(0x03, Buffer.of(0), signature));
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
