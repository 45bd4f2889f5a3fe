import type { CustomObject } from '../../../src/kube/custom.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { gatewayGroup } from '../../../src/kube/gateway.ts';
import type { RelatedObject } from '../../../src/registry/kinds/kind.ts';
import { routeRefs } from './gateway.ts';

/** API groups and versions of cert-manager and KEDA in references. */
const certManager = 'cert-manager.io/v1';

/**
 * Kinds of an add-on that belong together, by API group. If a graph contains one of them, it also loads the others,
 * because nothing refers to what they own.
 */
export const kindFamilies: readonly (readonly { readonly group: string; readonly kind: string }[])[] = [
  [
    { group: 'cert-manager.io', kind: 'Certificate' },
    { group: 'cert-manager.io', kind: 'CertificateRequest' },
    { group: 'cert-manager.io', kind: 'Issuer' },
    { group: 'cert-manager.io', kind: 'ClusterIssuer' },
    { group: 'acme.cert-manager.io', kind: 'Order' },
    { group: 'acme.cert-manager.io', kind: 'Challenge' },
  ],
  [
    { group: 'keda.sh', kind: 'ScaledJob' },
    { group: 'keda.sh', kind: 'TriggerAuthentication' },
    { group: 'keda.sh', kind: 'ClusterTriggerAuthentication' },
  ],
];

type Part = Readonly<Record<string, unknown>>;

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
const partsOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? value.map(partOf) : []);
const wordOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const objectKey = ({ metadata }: KubeObject) =>
  metadata?.namespace === undefined ? {} : { namespace: metadata.namespace };

const secretsNamed = (object: KubeObject, names: readonly unknown[]): readonly RelatedObject[] =>
  names.flatMap((one) => {
    const name = wordOf(one);
    // The namespace of Secrets for cluster-scoped issuers is unknown.
    return name === undefined || object.metadata?.namespace === undefined
      ? []
      : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'Secret', ...objectKey(object), name }];
  });

function issuerOf(object: KubeObject, spec: Part): readonly RelatedObject[] {
  const { name, kind, group } = partOf(spec.issuerRef);
  const issuerName = wordOf(name);
  if (issuerName === undefined || (wordOf(group) ?? 'cert-manager.io') !== 'cert-manager.io') return [];
  const isOfCluster = kind === 'ClusterIssuer';
  return [
    {
      relation: 'uses',
      apiVersion: certManager,
      kind: isOfCluster ? 'ClusterIssuer' : 'Issuer',
      ...(isOfCluster ? {} : objectKey(object)),
      name: issuerName,
    },
  ];
}

function secretsOfIssuer(object: KubeObject, spec: Part): readonly RelatedObject[] {
  const { acme, ca } = spec;
  return secretsNamed(object, [
    partOf(partOf(acme).privateKeySecretRef).name,
    partOf(partOf(acme).accountPrivateKeySecretRef).name,
    partOf(ca).secretName,
  ]);
}

function authentications(object: KubeObject, spec: Part): readonly RelatedObject[] {
  const found = new Map<string, RelatedObject>();
  for (const { authenticationRef } of partsOf(spec.triggers)) {
    const { name, kind } = partOf(authenticationRef);
    const targetName = wordOf(name);
    if (targetName === undefined) continue;
    const isOfCluster = kind === 'ClusterTriggerAuthentication';
    found.set(`${String(isOfCluster)} ${targetName}`, {
      relation: 'uses',
      apiVersion: 'keda.sh/v1alpha1',
      kind: isOfCluster ? 'ClusterTriggerAuthentication' : 'TriggerAuthentication',
      ...(isOfCluster ? {} : objectKey(object)),
      name: targetName,
    });
  }
  return [...found.values()];
}

function sourcesOf(object: KubeObject, spec: Part): readonly RelatedObject[] {
  const { secretTargetRef, configMapTargetRef } = spec;
  const maps = [...new Set(partsOf(configMapTargetRef).map(({ name }) => wordOf(name)))];
  return [
    ...secretsNamed(object, [...new Set(partsOf(secretTargetRef).map(({ name }) => name))]),
    ...maps.flatMap((name) =>
      name === undefined || object.metadata?.namespace === undefined
        ? []
        : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'ConfigMap', ...objectKey(object), name }],
    ),
  ];
}

type Refs = (object: KubeObject, spec: Part) => readonly RelatedObject[];

/** References in objects of well-known add-ons, by group and kind; their definitions do not declare them. */
const addonRefs: Readonly<Record<string, Refs>> = {
  'cert-manager.io Certificate': (object, spec) => {
    const made = secretsNamed(object, [spec.secretName]);
    return [...made.map((one) => ({ ...one, relation: 'targets' as const })), ...issuerOf(object, spec)];
  },
  'cert-manager.io CertificateRequest': issuerOf,
  'cert-manager.io Issuer': secretsOfIssuer,
  'cert-manager.io ClusterIssuer': secretsOfIssuer,
  'acme.cert-manager.io Order': issuerOf,
  'acme.cert-manager.io Challenge': issuerOf,
  [`${gatewayGroup} TLSRoute`]: routeRefs,
  [`${gatewayGroup} TCPRoute`]: routeRefs,
  [`${gatewayGroup} UDPRoute`]: routeRefs,
  'keda.sh ScaledJob': authentications,
  'keda.sh TriggerAuthentication': sourcesOf,
};

/** The references in objects of a custom kind; undefined for unknown kinds. */
export function knownRefs(
  group: string,
  kind: string,
): ((object: CustomObject) => readonly RelatedObject[]) | undefined {
  const name = `${group} ${kind}`;
  const refs = Object.hasOwn(addonRefs, name) ? addonRefs[name] : undefined;
  return refs === undefined
    ? undefined
    : (object) => refs(object, partOf((object as { readonly spec?: unknown }).spec));
}

/** The Certificate for which a Secret was issued, by cert-manager's annotation. */
export function certificateOf(object: KubeObject): readonly RelatedObject[] {
  const name = wordOf(object.metadata?.annotations?.['cert-manager.io/certificate-name']);
  return name === undefined
    ? []
    : [{ relation: 'uses', apiVersion: certManager, kind: 'Certificate', ...objectKey(object), name }];
}
