import { createPublicKey, sign, verify } from 'node:crypto';

/** The sources of an image, and its builder. */
export interface ImageBuild {
  /** Name of the image. */
  readonly name: string;
  /** Digest of its manifest, `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** Commit of the sources, 40 hex digits. */
  readonly commit: string;
  /** The bases by the argument that named them, each with its digest. */
  readonly bases: Readonly<Record<string, string>>;
  /** SHA-256 of package-lock.json, which names every package with its integrity: hex. */
  readonly lock: string;
  /** URI of who built it. */
  readonly builder: string;
}

/** A statement of in-toto v1 with the provenance of SLSA v1. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: 'https://slsa.dev/provenance/v1';
  readonly predicate: object;
}

/** An envelope of DSSE 1.0, as `cosign verify-blob-attestation` reads it. */
export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly sig: string }[];
}

const payloadType = 'application/vnd.in-toto+json';
const sha256Of = (digest: string): string => {
  const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  if (hex === undefined) throw new Error(`"${digest}" is no digest of the form sha256:….`);
  return hex;
};

/** The provenance of an image. The same build gives the same statement: it has no time in it. */
export function statementOf({ name, digest, commit, bases, lock, builder }: ImageBuild): Statement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256: sha256Of(digest) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:wheelhouse:deploy/Dockerfile',
        externalParameters: { bases },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
          ...Object.entries(bases).map(([base, of]) => ({ name: base, digest: { sha256: sha256Of(of) } })),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

/** The bytes that DSSE signs: type and payload with their lengths, so that neither can be taken for the other. */
export function signedBytes(type: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Signs a statement. @param privateKey PEM of an EC key on P-256 */
export function signStatement(statement: Statement, privateKey: string): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign('sha256', signedBytes(payloadType, payload), privateKey).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ sig }] };
}

/**
 * The statement of an envelope about an image. Throws where nobody with the key signed it, or it is about another image.
 * @param publicKey PEM
 * @param digest of the image, `sha256:…`
 */
export function verifyEnvelope(envelope: Envelope, publicKey: string, digest: string): Statement {
  const key = createPublicKey(publicKey);
  const payload = Buffer.from(envelope.payload, 'base64');
  const bytes = signedBytes(envelope.payloadType, payload);
  const isSigned = envelope.signatures.some(({ sig }) =>
    verify('sha256', bytes, key, Buffer.from(sig, 'base64')),
  );
  if (envelope.payloadType !== payloadType || !isSigned)
    throw new Error('The provenance is not signed by this key.');
  const statement = JSON.parse(payload.toString('utf8')) as Statement;
  if (!statement.subject.some(({ digest: of }) => of.sha256 === sha256Of(digest)))
    throw new Error(`The provenance is about another image than ${digest}.`);
  return statement;
}
