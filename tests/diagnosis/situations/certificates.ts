import { object, objects } from './manifests.ts';
import type { Situation } from './situation.ts';

const group = 'cert-manager.io';
const acmeGroup = `acme.${group}`;

/** The definition of a kind of cert-manager, without a schema. */
const definition = (kind: string, plural: string, scope = 'Namespaced', of = group): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.${of}`,
    `spec: { group: ${of}, scope: ${scope}, names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }, versions: [{ name: v1, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }] }`,
  );

/** The certificate shop with its first request, both of one issuer, beside the issuer letsencrypt. */
const certificateOf = (issuer: string): string =>
  objects(
    definition('Certificate', 'certificates'),
    definition('CertificateRequest', 'certificaterequests'),
    definition('ClusterIssuer', 'clusterissuers', 'Cluster'),
    object(`${group}/v1`, 'ClusterIssuer', 'letsencrypt', 'spec: { acme: {} }'),
    object(
      `${group}/v1`,
      'Certificate',
      'shop',
      `spec: { secretName: shop-tls, dnsNames: [shop.example.org], issuerRef: { group: ${group}, kind: ClusterIssuer, name: ${issuer} } }`,
    ),
    object(
      `${group}/v1`,
      'CertificateRequest',
      'shop-1',
      `spec: { issuerRef: { group: ${group}, kind: ClusterIssuer, name: ${issuer} } }`,
      `annotations: { ${group}/certificate-name: shop }`,
    ),
  );

/** A condition that a controller set while the situation happened. */
const condition = (type: string, status: string, reason: string, message: string): string =>
  `{ type: ${type}, status: '${status}', reason: ${reason}, message: ${JSON.stringify(message)}, lastTransitionTime: '2026-03-01T08:01:00Z' }`;

/** What a controller of cert-manager says of an object. */
const report = (kind: string, name: string, ...conditions: readonly string[]): string =>
  object(`${group}/v1`, kind, name, `status: { conditions: [${conditions.join(', ')}] }`);

const issuing = 'Issuing certificate as Secret does not exist';
const certificateReport = report(
  'Certificate',
  'shop',
  condition('Ready', 'False', 'DoesNotExist', issuing),
  condition('Issuing', 'True', 'DoesNotExist', issuing),
);

/** Situations of certificates. */
export const certificateSituations: readonly Situation[] = [
  {
    id: 'certificate-challenge',
    what: 'The authority cannot check that the name of a certificate is its owner’s.',
    manifests: objects(
      certificateOf('letsencrypt'),
      definition('Challenge', 'challenges', 'Namespaced', acmeGroup),
      object(
        `${acmeGroup}/v1`,
        'Challenge',
        'shop-1-3114-1',
        'spec: { type: HTTP-01, dnsName: shop.example.org }',
      ),
    ),
    steps: [
      {
        after: 60,
        apply: objects(
          report(
            'ClusterIssuer',
            'letsencrypt',
            condition(
              'Ready',
              'True',
              'ACMEAccountRegistered',
              'The ACME account was registered with the ACME server',
            ),
          ),
          certificateReport,
          report(
            'CertificateRequest',
            'shop-1',
            condition(
              'Ready',
              'False',
              'Pending',
              'Waiting on certificate issuance from order default/shop-1-3114: "pending"',
            ),
          ),
          object(
            `${acmeGroup}/v1`,
            'Challenge',
            'shop-1-3114-1',
            "status: { presented: true, processing: true, state: pending, reason: \"Waiting for HTTP-01 challenge propagation: wrong status code '404', expected '200'\" }",
          ),
        ),
      },
    ],
    after: 900,
    ask: 'Certificate.cert-manager.io default/shop',
    rule: 'challenge.fails',
    object: 'Challenge shop-1-3114',
    names: /shop\.example\.org.*404/,
  },
  {
    id: 'certificate-issuer',
    what: 'A certificate is never issued, since its issuer does not exist.',
    manifests: certificateOf('letsencrypt-prod'),
    steps: [
      {
        after: 60,
        apply: objects(
          certificateReport,
          report(
            'CertificateRequest',
            'shop-1',
            condition(
              'Approved',
              'True',
              'cert-manager.io',
              'Certificate request has been approved by cert-manager.io',
            ),
            condition(
              'Ready',
              'False',
              'Pending',
              'Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt-prod" not found',
            ),
          ),
        ),
      },
    ],
    after: 900,
    ask: 'Certificate.cert-manager.io default/shop',
    rule: 'certificate.issuer',
    object: 'Certificate shop',
    names: /letsencrypt-prod/,
  },
];
