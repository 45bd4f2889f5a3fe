import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';

const text = { type: 'string' };
const int32 = { type: 'integer', format: 'int32' };
const flag = { type: 'boolean' };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const list = (items: Rec) => ({ type: 'array', items });
const object = (properties: Rec, required?: readonly string[]): Rec => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const time = { type: 'string', format: 'date-time' };
const conditions = list(
  object(
    {
      type: text,
      status: text,
      reason: text,
      message: text,
      lastTransitionTime: time,
      observedGeneration: { type: 'integer', format: 'int64' },
    },
    ['type', 'status'],
  ),
);
const reference = object({ name: text, kind: text, group: text }, ['name']);
const column = (name: string, jsonPath: string, type = 'string', extra: Rec = {}): Rec => ({
  name,
  type,
  jsonPath,
  ...extra,
});
const condition = (name: string) => `.status.conditions[?(@.type=="${name}")].status`;
const age = column('Age', '.metadata.creationTimestamp', 'date');

/** A custom resource definition, as detailed as lists and forms need it. */
export interface Definition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope?: 'Cluster';
  /** URL of its approval, which Kubernetes' own groups require. */
  readonly approved?: string;
  readonly columns: readonly Rec[];
  readonly spec: Rec;
  readonly status: Rec;
}

const issuerSpec = object({ acme: open, ca: open, selfSigned: open, vault: open });
const issuerStatus = object({ acme: open, conditions });
const issuerColumns = [
  column('Ready', condition('Ready')),
  column('Status', '.status.conditions[?(@.type=="Ready")].message', 'string', { priority: 1 }),
  age,
];

const definitions: readonly Definition[] = [
  {
    group: 'keda.sh',
    version: 'v1alpha1',
    kind: 'ScaledObject',
    plural: 'scaledobjects',
    shortNames: ['so'],
    columns: [
      column('ScaleTargetKind', '.status.scaleTargetKind'),
      column('ScaleTargetName', '.spec.scaleTargetRef.name'),
      column('Min', '.spec.minReplicaCount', 'integer'),
      column('Max', '.spec.maxReplicaCount', 'integer'),
      column('Ready', condition('Ready')),
      column('Active', condition('Active')),
      column('Fallback', condition('Fallback')),
      column('Paused', condition('Paused')),
      column('Triggers', '.status.triggersTypes'),
      column('Authentications', '.status.authenticationsTypes'),
      age,
    ],
    spec: object(
      {
        scaleTargetRef: object({ name: text, kind: text, apiVersion: text, envSourceContainerName: text }, [
          'name',
        ]),
        minReplicaCount: int32,
        maxReplicaCount: int32,
        idleReplicaCount: int32,
        pollingInterval: int32,
        cooldownPeriod: int32,
        initialCooldownPeriod: int32,
        fallback: object({ failureThreshold: int32, replicas: int32 }),
        advanced: open,
        triggers: list(
          object(
            {
              type: text,
              name: text,
              metricType: text,
              useCachedMetrics: flag,
              metadata: { type: 'object', additionalProperties: text },
              authenticationRef: object({ name: text, kind: text }, ['name']),
            },
            ['type', 'metadata'],
          ),
        ),
      },
      ['scaleTargetRef', 'triggers'],
    ),
    status: object({
      conditions,
      scaleTargetKind: text,
      scaleTargetGVKR: open,
      originalReplicaCount: int32,
      pausedReplicaCount: int32,
      hpaName: text,
      triggersTypes: text,
      authenticationsTypes: text,
      lastActiveTime: time,
      externalMetricNames: list(text),
      resourceMetricNames: list(text),
      health: open,
    }),
  },
  {
    group: 'keda.sh',
    version: 'v1alpha1',
    kind: 'TriggerAuthentication',
    plural: 'triggerauthentications',
    shortNames: ['ta', 'triggerauth'],
    columns: [
      column('PodIdentity', '.spec.podIdentity.provider'),
      column('Secret', '.spec.secretTargetRef[*].name'),
      column('Env', '.spec.env[*].name'),
    ],
    spec: object({
      secretTargetRef: list(object({ parameter: text, name: text, key: text })),
      env: list(open),
      podIdentity: object({ provider: text }),
    }),
    status: object({ scaledobjects: text, scaledjobs: text }),
  },
  {
    group: 'cert-manager.io',
    version: 'v1',
    kind: 'Certificate',
    plural: 'certificates',
    shortNames: ['cert', 'certs'],
    categories: ['cert-manager'],
    columns: [
      column('Ready', condition('Ready')),
      column('Secret', '.spec.secretName'),
      column('Issuer', '.spec.issuerRef.name', 'string', { priority: 1 }),
      column('Status', '.status.conditions[?(@.type=="Ready")].message', 'string', { priority: 1 }),
      age,
    ],
    spec: object(
      {
        secretName: text,
        commonName: text,
        dnsNames: list(text),
        duration: text,
        renewBefore: text,
        issuerRef: reference,
        privateKey: open,
        usages: list(text),
      },
      ['secretName', 'issuerRef'],
    ),
    status: object({
      conditions,
      notBefore: time,
      notAfter: time,
      renewalTime: time,
      revision: { type: 'integer' },
      failedIssuanceAttempts: { type: 'integer' },
      lastFailureTime: time,
    }),
  },
  {
    group: 'cert-manager.io',
    version: 'v1',
    kind: 'ClusterIssuer',
    plural: 'clusterissuers',
    shortNames: ['ciss'],
    categories: ['cert-manager'],
    scope: 'Cluster',
    columns: issuerColumns,
    spec: issuerSpec,
    status: issuerStatus,
  },
  {
    group: 'cert-manager.io',
    version: 'v1',
    kind: 'Issuer',
    plural: 'issuers',
    shortNames: ['iss'],
    categories: ['cert-manager'],
    columns: issuerColumns,
    spec: issuerSpec,
    status: issuerStatus,
  },
];

/** Creates the definitions of KEDA, cert-manager and others. */
export function plantDefinitions(world: World, extraDefinitions: readonly Definition[]): void {
  const all = [...definitions, ...extraDefinitions];
  for (const { group, version, kind, plural, shortNames, categories, scope, approved, ...rest } of all) {
    create(world, 'apiextensions.k8s.io/customresourcedefinitions', '', {
      metadata: {
        name: `${plural}.${group}`,
        labels: { 'app.kubernetes.io/part-of': group },
        ...(approved === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': approved } }),
      },
      spec: {
        group,
        scope: scope ?? 'Namespaced',
        names: {
          kind,
          plural,
          singular: kind.toLowerCase(),
          listKind: `${kind}List`,
          ...(shortNames === undefined ? {} : { shortNames: [...shortNames] }),
          ...(categories === undefined ? {} : { categories: [...categories] }),
        },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            subresources: { status: {} },
            additionalPrinterColumns: structuredClone(rest.columns),
            schema: {
              openAPIV3Schema: structuredClone(
                object({
                  apiVersion: text,
                  kind: text,
                  metadata: { type: 'object' },
                  spec: rest.spec,
                  status: rest.status,
                }),
              ),
            },
          },
        ],
      },
    });
  }
}
