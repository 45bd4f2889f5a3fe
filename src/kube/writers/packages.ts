import type { KubeObject } from '../object.ts';
import { controllerOf } from '../owners.ts';
import {
  annotationOf,
  fieldEvidence,
  groupOf,
  isOwnMark,
  labelOf,
  managersLike,
  markEvidence,
  shownValue,
  valueAt,
} from './marks.ts';
import type { Around, NamedOwner, Writer } from './writer.ts';

/** Annotations by which Helm marks the objects of a release. */
export const releaseAnnotations = {
  name: 'meta.helm.sh/release-name',
  namespace: 'meta.helm.sh/release-namespace',
} as const;

/** Helm's own name as a field manager; programs that contain Helm have theirs. */
const helmManagers = /^(helm|terraform-provider-helm|provider-helm|rancher|helmfile)/;

/** Helm, if an object belongs to a release. Flux installs by Helm as well, and says so itself. */
export function helmWriters(object: KubeObject): readonly Writer[] {
  const name = annotationOf(object, releaseAnnotations.name);
  const isFlux = labelOf(object, 'helm.toolkit.fluxcd.io/name') !== undefined;
  const path = ['metadata', 'annotations', releaseAnnotations.name];
  if (name === undefined || isFlux || !isOwnMark(object, path, helmManagers)) return [];
  const namespace = annotationOf(object, releaseAnnotations.namespace);
  return [
    {
      tool: 'helm',
      label: `Helm release ${namespace === undefined ? name : `${namespace}/${name}`}`,
      by: {
        apiVersion: 'helm.sh/v3',
        kind: 'Release',
        ...(namespace === undefined ? {} : { namespace }),
        name,
      },
      sight: 'needless',
      when: 'by-hand',
      fields: [],
      managers: managersLike(object, helmManagers),
      evidence: [markEvidence('annotations', releaseAnnotations.name, name)],
    },
  ];
}

const olmManagers = /^(olm|catalog|operator-lifecycle-manager)/;
const olmGroup = 'operators.coreos.com';

/** The parts of a writer of OLM that are the same for all of its objects. */
const olmBase = (object: KubeObject) =>
  ({
    tool: 'olm',
    sight: 'needless',
    fields: [],
    managers: managersLike(object, olmManagers),
  }) as const;

/** The Operator Lifecycle Manager, if it installed an object. */
export function olmWriters(object: KubeObject): readonly Writer[] {
  const found = olmOwner(object) ?? olmReference(object) ?? olmCopy(object) ?? olmComponent(object);
  return found === undefined ? [] : [found];
}

/** By the labels that OLM gives to what a version of an operator, or a group, brings. */
function olmOwner(object: KubeObject): Writer | undefined {
  const name = labelOf(object, 'olm.owner');
  if (name === undefined || !isOwnMark(object, ['metadata', 'labels', 'olm.owner'], olmManagers))
    return undefined;
  const kind = labelOf(object, 'olm.owner.kind') ?? 'ClusterServiceVersion';
  const namespace = labelOf(object, 'olm.owner.namespace') ?? object.metadata?.namespace;
  return {
    ...olmBase(object),
    label: `OLM ${kind} ${name}`,
    by: {
      apiVersion: kind === 'OperatorGroup' ? `${olmGroup}/v1` : `${olmGroup}/v1alpha1`,
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    },
    // OLM compares what it notes of its own last write, and sees other changes only when it writes again.
    when: 'any-time',
    evidence: [markEvidence('labels', 'olm.owner', name)],
  };
}

/** By a reference to one of OLM's objects: pods of a catalogue, plans of a subscription. */
function olmReference(object: KubeObject): Writer | undefined {
  const { metadata } = object;
  const references = metadata?.ownerReferences ?? [];
  const at = references.findIndex(({ apiVersion }) => groupOf(apiVersion) === olmGroup);
  const owner = references[at];
  if (owner === undefined || controllerOf({ metadata: { ownerReferences: references } }) !== undefined)
    return undefined;
  const { apiVersion, kind, name } = owner;
  const namespace = metadata?.namespace;
  return {
    ...olmBase(object),
    label: `OLM ${kind} ${name}`,
    by: { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name },
    when: 'any-time',
    evidence: [{ path: `metadata.ownerReferences[${at}]`, value: shownValue(`${kind} ${name}`) }],
  };
}

/** A version that OLM copies to other namespaces from where its operator is installed. */
function olmCopy(object: KubeObject): Writer | undefined {
  const from = labelOf(object, 'olm.copiedFrom');
  if (from === undefined || object.kind !== 'ClusterServiceVersion') return undefined;
  const name = object.metadata?.name ?? '';
  return {
    ...olmBase(object),
    label: `OLM ClusterServiceVersion ${from}/${name}`,
    by: {
      apiVersion: object.apiVersion ?? `${olmGroup}/v1alpha1`,
      kind: 'ClusterServiceVersion',
      namespace: from,
      name,
    },
    when: 'at-once',
    why: 'a copy',
    evidence: [markEvidence('labels', 'olm.copiedFrom', from)],
  };
}

/** Kinds that people write themselves, though OLM labels them as a part of an operator. */
const ownKinds = ['Subscription', 'OperatorGroup', 'CatalogSource', 'Operator', 'Namespace'];
const componentPrefix = `${olmGroup}/`;

/** A definition or a version that came with an operator. */
function olmComponent(object: KubeObject): Writer | undefined {
  if (controllerOf(object) !== undefined || ownKinds.includes(object.kind ?? '')) return undefined;
  const key = Object.keys(object.metadata?.labels ?? {}).find((one) => one.startsWith(componentPrefix));
  const managed = labelOf(object, 'olm.managed');
  if (key === undefined && managed !== 'true') return undefined;
  const name = key?.slice(componentPrefix.length);
  return {
    ...olmBase(object),
    label: name === undefined ? 'OLM' : `OLM Operator ${name}`,
    ...(name === undefined ? {} : { by: { apiVersion: `${olmGroup}/v1`, kind: 'Operator', name } }),
    when: 'next-sync',
    evidence: [
      key === undefined
        ? markEvidence('labels', 'olm.managed', managed ?? '')
        : { path: `metadata.labels[${shownValue(key)}]`, value: '' },
    ],
  };
}

const pausedMark = 'crossplane.io/paused';
const providerManagers = /^(managed\.|crossplane|provider-|upjet|late-initializer)/i;
const resourceFinalizer = 'finalizer.managedresource.crossplane.io';

/** Crossplane: a composite that composes an object, the claim behind a composite, or the provider of a resource. */
export function crossplaneWriters(object: KubeObject, around: Around): readonly Writer[] {
  const composed = composedWriter(object, around);
  if (composed !== undefined) return [composed];
  const claim = claimWriter(object, around);
  if (claim !== undefined) return [claim];
  if (object.metadata?.finalizers?.includes(resourceFinalizer) !== true) return [];
  const paused = annotationOf(object, pausedMark) === 'true';
  return [
    {
      tool: 'crossplane',
      label: 'The Crossplane provider of this resource',
      sight: 'needless',
      when: paused ? 'paused' : 'any-time',
      why: paused ? `${pausedMark}: true` : 'it fills in what is empty',
      fields: ['spec.forProvider', 'metadata.annotations'],
      managers: managersLike(object, providerManagers),
      evidence: [{ path: 'metadata.finalizers', value: resourceFinalizer }],
    },
  ];
}

/** By the composite that controls an object, which Crossplane labels. */
function composedWriter(object: KubeObject, around: Around): Writer | undefined {
  const composite = labelOf(object, 'crossplane.io/composite');
  const owner = controllerOf(object);
  const resource = annotationOf(object, 'crossplane.io/composition-resource-name');
  const isComposed = composite !== undefined && (owner?.name === composite || resource !== undefined);
  if (!isComposed || composite === object.metadata?.name) return undefined;
  const evidence = [markEvidence('labels', 'crossplane.io/composite', composite)];
  const base = {
    tool: 'crossplane',
    fields: [],
    managers: managersLike(object, /^(apiextensions\.crossplane\.io|crossplane)/),
  } as const;
  if (owner === undefined)
    return {
      ...base,
      label: `Crossplane composite ${composite}`,
      sight: 'needless',
      when: 'at-once',
      evidence,
    };
  const { apiVersion, kind, name } = owner;
  const named = { apiVersion, kind, name };
  const namespace = object.metadata?.namespace;
  // A composite is of the cluster, or of the namespace of what it composes.
  const seen =
    around.one(named) || namespace === undefined ? around.one(named) : around.one({ ...named, namespace });
  const paused = seen ? annotationOf(seen, pausedMark) : undefined;
  return {
    ...base,
    label: `Crossplane ${kind} ${name}`,
    by: named,
    sight: seen ? 'seen' : 'needless',
    when: paused === 'true' ? 'paused' : 'at-once',
    ...(paused === 'true' ? { why: `${pausedMark}: true` } : {}),
    evidence: [
      ...evidence,
      ...(paused === undefined ? [] : [fieldEvidence(named, `metadata.annotations[${pausedMark}]`, paused)]),
    ],
  };
}

/** A composite that somebody claimed follows its claim. */
function claimWriter(object: KubeObject, around: Around): Writer | undefined {
  const { apiVersion, kind, name, namespace } = (valueAt(object, 'spec', 'claimRef') ??
    valueAt(object, 'spec', 'crossplane', 'claimRef') ??
    {}) as Readonly<Record<string, unknown>>;
  if (labelOf(object, 'crossplane.io/claim-name') === undefined || typeof name !== 'string') return undefined;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const by: NamedOwner = {
    apiVersion,
    kind,
    ...(typeof namespace === 'string' ? { namespace } : {}),
    name,
  };
  const seen = around.one(by);
  const isPaused = seen ? annotationOf(seen, pausedMark) === 'true' : false;
  return {
    tool: 'crossplane',
    label: `Crossplane ${kind} ${by.namespace === undefined ? name : `${by.namespace}/${name}`}`,
    by,
    sight: seen ? 'seen' : 'needless',
    when: isPaused ? 'paused' : 'at-once',
    ...(isPaused ? { why: `${pausedMark}: true` } : {}),
    fields: ['spec'],
    managers: [],
    evidence: [{ path: 'spec.claimRef', value: shownValue(`${kind} ${name}`) }],
  };
}

const certificateMark = 'cert-manager.io/certificate-name';
const certManagers = /^cert-manager/;
const certificateVersion = 'cert-manager.io/v1';

/** cert-manager: the certificate of a Secret, or the bundle of authorities that it injects. */
export function certManagerWriters(object: KubeObject, around: Around): readonly Writer[] {
  const issued = certificateWriter(object, around);
  return issued === undefined ? injectors(object) : [issued];
}

function certificateWriter(object: KubeObject, around: Around): Writer | undefined {
  const name = annotationOf(object, certificateMark);
  const path = ['metadata', 'annotations', certificateMark];
  if (name === undefined || object.kind !== 'Secret' || !isOwnMark(object, path, certManagers))
    return undefined;
  const { namespace, name: secret } = object.metadata ?? {};
  const by = {
    apiVersion: certificateVersion,
    kind: 'Certificate',
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
  const owner = around.one(by);
  // A Secret that was copied, or that its certificate left for another one.
  if (owner === null || (owner && valueAt(owner, 'spec', 'secretName') !== secret)) return undefined;
  const renewal = owner ? valueAt(owner, 'status', 'renewalTime') : undefined;
  return {
    tool: 'cert-manager',
    label: `cert-manager Certificate ${name}`,
    by,
    sight: owner ? 'seen' : 'unseen',
    when: 'at-once',
    ...(typeof renewal === 'string' ? { why: `renewed anyway at ${shownValue(renewal)}` } : {}),
    fields: ['data', 'metadata.labels', 'metadata.annotations'],
    managers: managersLike(object, certManagers),
    evidence: [markEvidence('annotations', certificateMark, name)],
  };
}

/** Fields that cert-manager's injector writes, by kind. */
const injected: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: 'webhooks.*.clientConfig.caBundle',
  MutatingWebhookConfiguration: 'webhooks.*.clientConfig.caBundle',
  APIService: 'spec.caBundle',
  CustomResourceDefinition: 'spec.conversion.webhook.clientConfig.caBundle',
};
const injectionMarks = ['inject-ca-from', 'inject-ca-from-secret', 'inject-apiserver-ca'];

function injectors(object: KubeObject): readonly Writer[] {
  const field = injected[object.kind ?? ''];
  if (field === undefined) return [];
  return injectionMarks.flatMap((mark): readonly Writer[] => {
    const key = `cert-manager.io/${mark}`;
    const value = annotationOf(object, key);
    if (value === undefined || value === 'false') return [];
    const [namespace = '', name = ''] = value.split('/');
    const isCertificate = mark === 'inject-ca-from' && name !== '';
    return [
      {
        tool: 'cert-manager',
        label: isCertificate ? `cert-manager Certificate ${value}` : 'cert-manager',
        ...(isCertificate
          ? { by: { apiVersion: certificateVersion, kind: 'Certificate', namespace, name } }
          : {}),
        sight: 'needless',
        when: 'at-once',
        why: 'it injects the bundle of authorities',
        fields: [field],
        managers: managersLike(object, certManagers),
        evidence: [markEvidence('annotations', key, value)],
      },
    ];
  });
}
