import type { WriterTool } from '../../contract/writers.ts';
import type { KubeObject, OwnerReference } from '../object.ts';
import { controllerOf } from '../owners.ts';
import { annotationOf, groupOf, labelOf, managersOf, markEvidence, shownValue, valueAt } from './marks.ts';
import type { Around, NamedOwner, Writer } from './writer.ts';

/** Groups of the controllers that are a part of Kubernetes. */
const coreGroups = ['', 'apps', 'batch', 'discovery.k8s.io'];

/** Families of tools by the group of the owner. */
const families: readonly (readonly [RegExp, WriterTool, string])[] = [
  [/(^|\.)(crossplane|upbound)\.io$/, 'crossplane', 'Crossplane'],
  [/(^|\.)cert-manager\.io$/, 'cert-manager', 'cert-manager'],
  [/^operators\.coreos\.com$/, 'olm', 'OLM'],
  [/^keda\.sh$/, 'keda', 'KEDA'],
  [/\.toolkit\.fluxcd\.io$/, 'flux', 'Flux'],
];

function familyOf({ apiVersion, kind }: OwnerReference): readonly [WriterTool, string] {
  const group = groupOf(apiVersion);
  if (group === 'argoproj.io' && kind.startsWith('Application')) return ['argocd', `Argo CD ${kind}`];
  const [, tool, title] = families.find(([pattern]) => pattern.test(group)) ?? [];
  return tool === undefined || title === undefined ? ['operator', kind] : [tool, `${title} ${kind}`];
}

/** The controller above an object, by its owner references. */
export function ownerWriters(object: KubeObject, around: Around): readonly Writer[] {
  const references = object.metadata?.ownerReferences ?? [];
  const owner = controllerOf(object) ?? soleOwner(object);
  if (owner === undefined) return [];
  const evidence = [
    {
      path: `metadata.ownerReferences[${references.indexOf(owner)}]`,
      value: shownValue(`${owner.kind} ${owner.name}`),
    },
  ];
  return coreGroups.includes(groupOf(owner.apiVersion))
    ? [coreWriter(object, owner, around, evidence)]
    : [customWriter(object, owner, evidence)];
}

/**
 * The one owner of a custom kind that does not say that it controls an object. References of that form alone are for the
 * garbage collection, so an operator's mark has to be beside it.
 */
function soleOwner(object: KubeObject): OwnerReference | undefined {
  const [owner, ...others] = object.metadata?.ownerReferences ?? [];
  if (owner === undefined || others.length > 0) return undefined;
  const group = groupOf(owner.apiVersion);
  if (coreGroups.includes(group) || group === 'operators.coreos.com') return undefined;
  const manager = labelOf(object, 'app.kubernetes.io/managed-by');
  const isOfOperator = manager !== undefined && operatorName.test(manager);
  return isOfOperator || operatorsOf(object).length > 0 || isOfFamily(owner) ? owner : undefined;
}

const isOfFamily = (owner: OwnerReference): boolean => familyOf(owner)[0] !== 'operator';

const placed = (object: KubeObject, { apiVersion, kind, name }: OwnerReference): NamedOwner => ({
  apiVersion,
  kind,
  ...(object.metadata?.namespace === undefined || kind === 'Node'
    ? {}
    : { namespace: object.metadata.namespace }),
  name,
});

/** A controller of Kubernetes itself. Of pods the workload is named that their set belongs to, if that is seen. */
function coreWriter(
  object: KubeObject,
  owner: OwnerReference,
  around: Around,
  evidence: Writer['evidence'],
): Writer {
  const by = placed(object, owner);
  const set = owner.kind === 'ReplicaSet' || owner.kind === 'Job' ? around.one(by) : undefined;
  const above = set ? controllerOf(set) : undefined;
  if (set && above !== undefined) {
    const more = {
      of: by,
      path: 'metadata.ownerReferences',
      value: shownValue(`${above.kind} ${above.name}`),
    };
    const [tool, title] = familyOf(above);
    const isCore = coreGroups.includes(groupOf(above.apiVersion));
    return {
      tool: isCore ? 'controller' : tool,
      label: `${isCore ? above.kind : title} ${above.name} by its ${owner.kind} ${owner.name}`,
      by,
      sight: 'needless',
      when: 'anew',
      fields: [],
      managers: [],
      evidence: [...evidence, more],
    };
  }
  return {
    tool: 'controller',
    label: `${owner.kind} ${owner.name}`,
    by,
    sight: 'needless',
    ...coreTime(object),
    managers: [],
    evidence,
  };
}

/** Reactions of Kubernetes' controllers, by the kind of their object. */
function coreTime({ kind }: KubeObject): Pick<Writer, 'when' | 'fields' | 'why'> {
  if (kind === 'ReplicaSet') return { when: 'at-once', fields: ['spec.replicas', 'metadata.annotations'] };
  if (kind === 'EndpointSlice')
    return { when: 'at-once', fields: ['endpoints', 'ports', 'addressType', 'metadata'] };
  return { when: 'anew', fields: [] };
}

function customWriter(object: KubeObject, owner: OwnerReference, evidence: Writer['evidence']): Writer {
  const [tool, title] = familyOf(owner);
  return {
    tool,
    label: `${title} ${owner.name}`,
    by: placed(object, owner),
    sight: 'needless',
    when: customTime(object, tool),
    fields: [],
    managers: operatorsOf(object),
    evidence,
  };
}

/** KEDA watches the autoscalers that it makes; of other operators nobody knows how soon they look. */
function customTime({ kind }: KubeObject, tool: WriterTool): Writer['when'] {
  if (kind === 'Pod') return 'anew';
  return tool === 'keda' ? 'at-once' : 'any-time';
}

/** Names that operators and controllers have as field managers and in labels. */
const operatorName = /(^|[-_./])(operator|controller|manager|reconciler)s?($|[-_./])/i;
/** Components of Kubernetes, and tools of people whose names look alike. */
const otherManager =
  /^(kube-|kubelet|kubectl|cloud-controller|helm|argocd|kustomize-controller|cert-manager|before-first-apply|k3s|k0s|addon-manager|node-)/i;

/** Field managers of an object that are operators by their names. */
const operatorsOf = (object: KubeObject): readonly string[] =>
  managersOf(object).filter((manager) => operatorName.test(manager) && !otherManager.test(manager));

/** Operators that have written fields of an object which nothing else explains. */
export function operatorWriters(object: KubeObject): readonly Writer[] {
  const managers = operatorsOf(object);
  const [manager] = managers;
  if (manager !== undefined)
    return [
      {
        tool: 'operator',
        label: `The controller ${shownValue(manager)}`,
        sight: 'needless',
        when: 'any-time',
        why: 'it wrote fields of this object',
        fields: [],
        managers,
        evidence: [{ path: 'metadata.managedFields', value: shownValue(manager) }],
      },
    ];
  const key = 'app.kubernetes.io/managed-by';
  const label = labelOf(object, key);
  if (label === undefined || !operatorName.test(label) || otherManager.test(label)) return [];
  return [
    {
      tool: 'operator',
      label: shownValue(label),
      sight: 'needless',
      when: 'any-time',
      fields: [],
      managers: [],
      evidence: [markEvidence('labels', key, label)],
    },
  ];
}

const addonMode = 'addonmanager.kubernetes.io/mode';
const rolesUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const flowsUpdate = 'apf.kubernetes.io/autoupdate-spec';
const endpointsManager = 'endpoints.kubernetes.io/managed-by';

/** Objects that the cluster itself keeps: rules that it updates and aggregates, add-ons, addresses and certificates. */
export function clusterWriters(object: KubeObject): readonly Writer[] {
  return clusterMarks(object).map((mark) => ({ sight: 'needless', managers: [], ...mark }));
}

type ClusterMark = Omit<Writer, 'sight' | 'managers'>;

function clusterMarks(object: KubeObject): readonly ClusterMark[] {
  const { kind, apiVersion, metadata } = object;
  const found: ClusterMark[] = [];
  const mode = labelOf(object, addonMode);
  if (mode === 'Reconcile')
    found.push({
      tool: 'cluster',
      label: 'The add-on manager',
      when: 'interval',
      fields: [],
      evidence: [markEvidence('labels', addonMode, mode)],
    });
  const aggregated = kind === 'ClusterRole' ? valueAt(object, 'aggregationRule') : undefined;
  if (aggregated !== undefined)
    found.push({
      tool: 'cluster',
      label: 'The aggregation of roles',
      when: 'at-once',
      fields: ['rules'],
      evidence: [{ path: 'aggregationRule', value: shownValue(aggregated) }],
    });
  for (const [group, key, fields] of [
    ['rbac.authorization.k8s.io', rolesUpdate, ['rules', 'roleRef', 'subjects']],
    ['flowcontrol.apiserver.k8s.io', flowsUpdate, ['spec']],
  ] as const)
    if (groupOf(apiVersion) === group && annotationOf(object, key) === 'true')
      found.push({
        tool: 'cluster',
        label: 'The API server',
        when: 'any-time',
        fields,
        evidence: [markEvidence('annotations', key, 'true')],
      });
  const endpoints = labelOf(object, endpointsManager);
  if (kind === 'Endpoints' && endpoints === 'endpoint-controller')
    found.push({
      tool: 'controller',
      label: `Service ${metadata?.name ?? ''}`,
      when: 'at-once',
      fields: ['subsets', 'metadata.labels'],
      evidence: [markEvidence('labels', endpointsManager, endpoints)],
    });
  return [...found, ...publishedMarks(object)];
}

/** Data that the control plane publishes, by what the objects are called and their types. */
function publishedMarks(object: KubeObject): readonly ClusterMark[] {
  const name = object.metadata?.name ?? '';
  const token = 'kubernetes.io/service-account-token';
  const base = { tool: 'controller', when: 'at-once', fields: ['data'] } as const;
  if (object.kind === 'ConfigMap' && name === 'kube-root-ca.crt')
    return [
      {
        ...base,
        label: 'The publisher of the cluster’s certificate',
        evidence: [{ path: 'metadata.name', value: name }],
      },
    ];
  if (object.kind === 'Secret' && valueAt(object, 'type') === token)
    return [
      {
        ...base,
        label: 'The controller of tokens of service accounts',
        evidence: [{ path: 'type', value: token }],
      },
    ];
  return [];
}
