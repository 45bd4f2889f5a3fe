import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { dnsLabelPattern, namespaceNameSchema } from './namespaces.ts';

/** Maximum length of a secret that a Prometheus asks for. */
const secretLimit = 8_192;

/** The name of a Service, or of one of its ports. */
const labelSchema = (sentence: string) =>
  z.string().check(z.minLength(1, sentence), z.maxLength(63), z.regex(dnsLabelPattern, sentence));

/** A label that tells the series of this cluster from those of others in a Prometheus that has several. */
const seriesLabelSchema = z.strictObject({
  name: z
    .string()
    .check(
      z.maxLength(100),
      z.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, 'The name of a label has letters, digits and underscores.'),
    ),
  value: z.string().check(z.minLength(1, 'A label needs a value.'), z.maxLength(200)),
});

const metricsApi = z.strictObject({ from: z.literal('metrics.k8s.io') });

const service = z.strictObject({
  from: z.literal('service'),
  service: labelSchema('This is not the name of a Service.'),
  /** Of the Service. */
  namespace: namespaceNameSchema,
  /** Number or name of the Service's port. */
  port: labelSchema('Enter the number or the name of a port.'),
  isTls: z.boolean(),
  label: z.nullable(seriesLabelSchema),
});

const urlBasis = {
  from: z.literal('url'),
  url: z.string().check(z.minLength(1, 'Enter the address of Prometheus.'), z.maxLength(2_000)),
  /** Certificates in PEM that may vouch for the address; empty for those of the system. */
  ca: z.string().check(z.maxLength(65_536)),
  label: z.nullable(seriesLabelSchema),
} as const;

const noCredential = z.strictObject({ sort: z.literal('none') });
/** What is stored for the address already, and how it is sent. */
const keptCredential = z.strictObject({ sort: z.literal('kept'), as: z.enum(['bearer', 'basic']) });

/**
 * Where a cluster's usage is read: at its metrics.k8s.io, which knows the present alone, or at a Prometheus, which has
 * history. That is reached by the cluster's service proxy with the console's credential for the cluster, or at an
 * address. What an address asks for is never shown again.
 */
export const metricsSourceSchema = z.discriminatedUnion('from', [
  metricsApi,
  service,
  z.strictObject({
    ...urlBasis,
    credential: z.discriminatedUnion('sort', [noCredential, keptCredential]),
  }),
]);
export type MetricsSource = z.infer<typeof metricsSourceSchema>;
/** A source that is a Prometheus. */
export type PrometheusSource = Exclude<MetricsSource, { from: 'metrics.k8s.io' }>;

/** A text that goes into a header. */
const secretSchema = (empty: string) =>
  z
    .string()
    .check(
      z.minLength(1, empty),
      z.maxLength(secretLimit),
      z.regex(/^[\x21-\x7e]+$/, 'Remove the characters that cannot be sent.'),
    );

/** What the address asks for. */
const credentialSchema = z.discriminatedUnion('sort', [
  noCredential,
  keptCredential,
  z.strictObject({ sort: z.literal('bearer'), token: secretSchema('Enter the token.') }),
  z.strictObject({
    sort: z.literal('basic'),
    user: z
      .string()
      .check(
        z.minLength(1, 'Enter the user name.'),
        z.maxLength(200),
        z.regex(/^[^:\p{Cc}]+$/u, 'Remove the colon from the user name.'),
      ),
    password: z.string().check(z.minLength(1, 'Enter the password.'), z.maxLength(secretLimit)),
  }),
]);
export type MetricsCredential = z.infer<typeof credentialSchema>;

/** A source as an Owner enters it. */
export const metricsSourceChangeSchema = z.discriminatedUnion('from', [
  metricsApi,
  service,
  z.strictObject({ ...urlBasis, credential: credentialSchema }),
]);
export type MetricsSourceChange = z.infer<typeof metricsSourceChangeSchema>;

/** Trying a source of metrics. */
export const metricsSourceEndpoints = {
  testMetricsSource: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/settings/global/metrics/test',
    summary: 'Tests a source of metrics as it is entered, without saving it',
    audited: 'test a source of metrics of {cluster}',
    isRoutine: true,
    access: 'owner',
    params: clusterParams,
    // A credential and certificates may be long.
    bodyLimit: 256 * 1024,
    perMinute: 30,
    body: z.strictObject({ metrics: metricsSourceChangeSchema }),
    response: z.object({
      isWorking: z.boolean(),
      /** How it answered, or why not: one sentence. */
      message: z.string(),
    }),
    failure: 'Failed to test the source of metrics',
  }),
} as const;
