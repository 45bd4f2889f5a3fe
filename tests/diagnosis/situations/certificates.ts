import { object, objects } from './manifests.ts';
import type { Situation } from './situation.ts';

/** The definition of a kind of cert-manager, without a schema. */
export const certificateDefinition = (
  kind: string,
  plural: string,
  scope: string,
  group = 'cert-manager.io',
): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.${group}`,
    `spec: { group: ${group}, scope: ${scope}, names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }, versions: [{ name: v1, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }] }`,
  );

/** A condition that a controller set while the situation happened. */
export const reported = (type: string, status: string, reason: string, message: string): string =>
  `{ type: ${type}, status: '${status}', reason: ${reason}, message: ${JSON.stringify(message)}, lastTransitionTime: '2026-03-01T08:01:00Z' }`;

const issuing = 'Issuing certificate as Secret does not exist';
const waits = 'Waiting on certificate issuance from order default/shop-1-3114: "pending"';

/** Situations of certificates. */
export const certificateSituations: readonly Situation[] = [
  {
    id: 'certificate-challenge',
    what: 'The authority cannot check that the name of a certificate is its owner’s.',
    manifests: objects(
      certificateDefinition('Certificate', 'certificates', 'Namespaced'),
      certificateDefinition('CertificateRequest', 'certificaterequests', 'Namespaced'),
      certificateDefinition('ClusterIssuer', 'clusterissuers', 'Cluster'),
      certificateDefinition('Challenge', 'challenges', 'Namespaced', 'acme.cert-manager.io'),
      object('cert-manager.io/v1', 'ClusterIssuer', 'letsencrypt', 'spec: { acme: {} }'),
      object(
        'cert-manager.io/v1',
        'Certificate',
        'shop',
        'spec: { secretName: shop-tls, dnsNames: [shop.example.org], issuerRef: { kind: ClusterIssuer, name: letsencrypt } }',
      ),
      object(
        'cert-manager.io/v1',
        'CertificateRequest',
        'shop-1',
        'spec: { issuerRef: { kind: ClusterIssuer, name: letsencrypt } }',
        'annotations: { cert-manager.io/certificate-name: shop }',
      ),
      object(
        'acme.cert-manager.io/v1',
        'Challenge',
        'shop-1-3114-1',
        'spec: { type: HTTP-01, dnsName: shop.example.org }',
      ),
    ),
    steps: [
      {
        after: 60,
        apply: objects(
          object(
            'cert-manager.io/v1',
            'ClusterIssuer',
            'letsencrypt',
            `status: { conditions: [${reported('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server')}] }`,
          ),
          object(
            'cert-manager.io/v1',
            'Certificate',
            'shop',
            `status: { conditions: [${reported('Ready', 'False', 'DoesNotExist', issuing)}, ${reported('Issuing', 'True', 'DoesNotExist', issuing)}] }`,
          ),
          object(
            'cert-manager.io/v1',
            'CertificateRequest',
            'shop-1',
            `status: { conditions: [${reported('Ready', 'False', 'Pending', waits)}] }`,
          ),
          object(
            'acme.cert-manager.io/v1',
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
];
