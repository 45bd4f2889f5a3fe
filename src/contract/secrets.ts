import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** Most keys that one call reveals. */
export const revealLimit = 200;

const segment = z.string().check(z.minLength(1), z.maxLength(253));
const secretParams = z.extend(clusterParams, { namespace: segment, name: segment });

/** A certificate in a Secret: what it says in public. */
export const certificateSchema = z.object({
  /** The key it stands under. */
  key: z.string(),
  subject: z.string(),
  /** Host names and addresses that it is for. */
  names: z.array(z.string()),
  issuer: z.string(),
  /** ISO. */
  validFrom: z.string(),
  validTo: z.string(),
  isAuthority: z.boolean(),
  /** Whether the private key beside it belongs to it; null without one. */
  fitsKey: z.nullable(z.boolean()),
});
export type SecretCertificate = z.infer<typeof certificateSchema>;

/** What can be told of a Secret without telling a value. */
export const secretContentsSchema = z.object({
  resourceVersion: z.string(),
  type: z.string(),
  keys: z.array(
    z.object({
      key: z.string(),
      /** Bytes of the value. */
      size: z.int(),
      /** Whether the value can be read as text. */
      isText: z.boolean(),
    }),
  ),
  certificates: z.array(certificateSchema),
  /** Registries that a docker configuration names. */
  registries: z.array(z.object({ host: z.string(), hasPassword: z.boolean() })),
  /** Whose token it is and until when, of a service account's. */
  identity: z.nullable(
    z.object({
      serviceAccount: z.string(),
      /** ISO; null for one without an end. */
      expiresAt: z.nullable(z.string()),
    }),
  ),
  /** What of it could not be read, whole sentences. */
  problems: z.array(z.string()),
});
export type SecretContents = z.infer<typeof secretContentsSchema>;

export const secretEndpoints = {
  secretContents: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name',
    summary: 'The keys of a Secret with their sizes, and what its certificates and registries say. No values',
    access: { permission: 'secrets.view' },
    params: secretParams,
    response: secretContentsSchema,
  }),
  revealSecret: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/namespaces/:namespace/secrets/:name/reveal',
    summary: 'The values of some keys of a Secret. Audited by the names of the keys',
    access: { permission: 'secrets.view' },
    perMinute: 120,
    params: secretParams,
    body: z.strictObject({
      keys: z
        .array(z.string().check(z.minLength(1), z.maxLength(253)))
        .check(z.minLength(1), z.maxLength(revealLimit)),
      /** To be shown, or to be put on the clipboard unseen. */
      purpose: z._default(z.enum(['show', 'copy']), 'show'),
    }),
    response: z.object({
      /** The version that they are of. */
      resourceVersion: z.string(),
      values: z.array(
        z.object({
          key: z.string(),
          /** In base64, as the Secret has it. */
          value: z.string(),
        }),
      ),
    }),
  }),
} as const;
