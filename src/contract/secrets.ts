import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Maximum number of keys that one call reveals. */
export const revealLimit = 200;

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const secretParams = z.extend(clusterParams, { namespace: segment, name: segment });

/** The public data of a certificate in a Secret. */
export const certificateSchema = z.object({
  /** Its key in the Secret. */
  key: z.string(),
  subject: z.string(),
  /** Its host names and addresses. */
  names: z.array(z.string()),
  issuer: z.string(),
  /** ISO. */
  validFrom: z.string(),
  validTo: z.string(),
  isAuthority: z.boolean(),
  /** Whether the private key in the Secret belongs to it; null without one. */
  fitsKey: z.nullable(z.boolean()),
});
export type SecretCertificate = z.infer<typeof certificateSchema>;

/** What may be shown about a Secret without revealing a value. */
export const secretContentsSchema = z.object({
  resourceVersion: z.string(),
  type: z.string(),
  keys: z.array(
    z.object({
      key: z.string(),
      /** Size of the value in bytes. */
      size: z.int(),
      /** Whether the value is text. */
      isText: z.boolean(),
    }),
  ),
  certificates: z.array(certificateSchema),
  /** The registries of a docker configuration. */
  registries: z.array(z.object({ host: z.string(), hasPassword: z.boolean() })),
  /** The identity and expiry of a service account token. */
  identity: z.nullable(
    z.object({
      serviceAccount: z.string(),
      /** ISO; null if it does not expire. */
      expiresAt: z.nullable(z.string()),
    }),
  ),
  /** What could not be read, whole sentences. */
  problems: z.array(z.string()),
});
export type SecretContents = z.infer<typeof secretContentsSchema>;

export const secretEndpoints = {
  secretContents: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name',
    summary:
      'The keys of a Secret with their sizes, and details of its certificates and registries. No values',
    access: { permission: 'secrets.view', at: 'namespace' },
    params: secretParams,
    response: secretContentsSchema,
  }),
  revealSecret: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name/reveal',
    summary: 'The values of some keys of a Secret. Audited with the names of the keys',
    audited: 'reveal values of a Secret on {cluster}',
    isRoutine: true,
    access: { permission: 'secrets.view', at: 'namespace' },
    tokens: 'secrets.reveal',
    proof: 'act',
    perMinute: 120,
    params: secretParams,
    body: z.strictObject({
      keys: z
        .array(z.string().check(z.minLength(1), z.maxLength(253)))
        .check(z.minLength(1), z.maxLength(revealLimit)),
      /** Whether to show the values, or to copy them to the clipboard without showing them. */
      purpose: z._default(z.enum(['show', 'copy']), 'show'),
    }),
    response: z.object({
      /** The version of the Secret. */
      resourceVersion: z.string(),
      values: z.array(
        z.object({
          key: z.string(),
          /** The base64 value of the Secret. */
          value: z.string(),
        }),
      ),
    }),
  }),
} as const;
