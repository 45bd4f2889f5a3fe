import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { keyOf, type Store } from '../store/store.ts';
import { at, isRec, type Obj, type Rec, str } from '../kit/values.ts';
import { serviceAccountUser, type User } from './user.ts';

/** Issuer of service account tokens, and their audience when the request names none. */
export const issuer = 'https://kubernetes.default.svc.cluster.local';
export const ownAudience = 'https://kubernetes.default.svc';

/** The claims of a token to be issued. */
export interface TokenRequest {
  readonly account: Obj;
  readonly audiences?: readonly string[];
  /** Validity, seconds. */
  readonly seconds: number;
  /** The object that the token expires with: a Pod, a Secret or a Node. */
  readonly bound?: Obj;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const boundReference = (object: Obj): Rec => ({ name: object.metadata.name, uid: object.metadata.uid });
const storages: Readonly<Record<string, string>> = { pod: '/pods', secret: '/secrets', node: '/nodes' };

/**
 * Issues and checks service account tokens: JSON web tokens as the API server signs them. The signing key is made
 * by this process and never leaves it.
 */
export class AccountTokens {
  readonly #store: Store;
  #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject; readonly id: string } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Generated with the first token, which most playgrounds never issue. */
  get #pair() {
    if (this.#keys === undefined) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const der = publicKey.export({ type: 'spki', format: 'der' });
      this.#keys = { privateKey, publicKey, id: createHash('sha256').update(der).digest('base64url') };
    }
    return this.#keys;
  }

  /** Issues a token. */
  issue({ account, audiences, seconds, bound, now }: TokenRequest): string {
    const { privateKey, id } = this.#pair;
    const { namespace = '', name = '' } = account.metadata;
    const time = Math.floor(now / 1000);
    const node = bound?.kind === 'Pod' ? str(at(bound, 'spec', 'nodeName')) : '';
    const host = node === '' ? undefined : this.#store.get('/nodes', node);
    const claims = {
      aud: audiences ?? [ownAudience],
      exp: time + seconds,
      iat: time,
      iss: issuer,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(host === undefined ? {} : { node: boundReference(host) }),
        ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: boundReference(bound) }),
        serviceaccount: boundReference(account),
      },
      nbf: time,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const text = `${encoded({ alg: 'ES256', kid: id })}.${encoded(claims)}`;
    const signed = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signed.toString('base64url')}`;
  }

  /**
   * The user that a token authenticates at a time (ms). Undefined when the token is foreign, expired or for
   * another audience, or when its account or bound object is gone.
   */
  find(token: string, now: number, audience: string = ownAudience): User | undefined {
    const claims = this.#claims(token);
    if (claims === undefined) return undefined;
    const { exp, nbf, aud, iss, jti } = claims;
    const time = now / 1000;
    if (iss !== issuer || typeof exp !== 'number' || typeof nbf !== 'number') return undefined;
    if (time >= exp || time < nbf - 1 || !Array.isArray(aud) || !aud.includes(audience)) return undefined;
    const kubernetesClaims = claims['kubernetes.io'];
    const namespace = str(at(kubernetesClaims, 'namespace'));
    const name = str(at(kubernetesClaims, 'serviceaccount', 'name'));
    const uid = str(at(kubernetesClaims, 'serviceaccount', 'uid'));
    if (this.#store.get('/serviceaccounts', keyOf(namespace, name))?.metadata.uid !== uid) return undefined;
    const extra: Record<string, string[]> = {
      'authentication.kubernetes.io/credential-id': [`JTI=${str(jti)}`],
    };
    for (const [kind, storage] of Object.entries(storages)) {
      const bound = at(kubernetesClaims, kind);
      if (!isRec(bound)) continue;
      const boundName = str(bound['name']);
      const key = kind === 'node' ? boundName : keyOf(namespace, boundName);
      // A pod's token also names the node; only the pod must still exist.
      const isPodToken = kind === 'node' && isRec(at(kubernetesClaims, 'pod'));
      if (!isPodToken && this.#store.get(storage, key)?.metadata.uid !== bound['uid']) return undefined;
      if (kind === 'secret') continue;
      extra[`authentication.kubernetes.io/${kind}-name`] = [boundName];
      extra[`authentication.kubernetes.io/${kind}-uid`] = [str(bound['uid'])];
    }
    return { ...serviceAccountUser(namespace, name, uid), extra };
  }

  /** The claims of a token with our signature; undefined for any other text. */
  #claims(token: string): Rec | undefined {
    const [head = '', body = '', signature = '', ...rest] = token.split('.');
    if (signature === '' || rest.length > 0 || this.#keys === undefined) return undefined;
    const key = { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const isOurs = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    if (!isOurs) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    return isRec(claims) ? claims : undefined;
  }

  /** GET /openid/v1/jwks: the public key that verifies the tokens. */
  keys(): Rec {
    const { publicKey, id } = this.#pair;
    const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty, kid: id, crv, alg: 'ES256', x, y }] };
  }
}

/** GET /.well-known/openid-configuration. */
export function openidConfiguration(address: string): Rec {
  return {
    issuer,
    jwks_uri: `https://${address}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}
