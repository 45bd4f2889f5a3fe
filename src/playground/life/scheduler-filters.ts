import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { affinityAllows, selectorMatches } from './node-affinity.ts';
import { type Amounts, demandOf, lacks, type Room } from './scheduler-fit.ts';
import type { Refusal } from './scheduler-words.ts';
import { toleratesTaint, tolerationsOf, untolerated } from './taints.ts';
import { freeVolume } from './volume.ts';

/** A node that fits a pod. */
export interface Placement {
  readonly node: Obj;
  readonly room: Room;
}

/** A pod to schedule, with the inputs that do not depend on a node. */
export interface Candidate {
  readonly pod: Obj;
  readonly spec: Rec;
  readonly demand: Amounts;
  readonly tolerations: readonly Rec[];
  /** Node affinities of the volumes that its claims are bound to. */
  readonly volumes: readonly Rec[];
  /** Claims that wait for an existing volume, since their class provisions none. */
  readonly waiting: readonly Obj[];
}

const claims = '/persistentvolumeclaims';
const volumesStorage = '/persistentvolumes';
const classes = 'storage.k8s.io/storageclasses';

/** Evaluates a pod's claims. Returns the candidate, or why no node fits. */
export function prefilter(pod: Obj, life: Life): Candidate | string {
  const { store } = life.world;
  const { namespace = '', name: podName = '' } = pod.metadata;
  const volumes: Rec[] = [];
  const unbound: string[] = [];
  const waiting: Obj[] = [];
  for (const volume of recs(at(pod, 'spec', 'volumes'))) {
    const ephemeral = volume['ephemeral'] !== undefined;
    const name = ephemeral
      ? `${podName}-${str(volume['name'])}`
      : str(at(volume, 'persistentVolumeClaim', 'claimName'));
    if (name === '') continue;
    const claim = store.get(claims, `${namespace}/${name}`);
    if (claim === undefined) {
      return ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
        : `persistentvolumeclaim "${name}" not found`;
    }
    if (claim.metadata.deletionTimestamp !== undefined) {
      return `persistentvolumeclaim "${name}" is being deleted`;
    }
    if (at(claim, 'status', 'phase') === 'Lost') {
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${str(at(claim, 'spec', 'volumeName'))}"`;
    }
    const named = store.get(volumesStorage, str(at(claim, 'spec', 'volumeName')));
    // A claim may name a volume that it has not got, or never gets.
    const bound = at(claim, 'status', 'phase') === 'Bound' ? named : undefined;
    if (bound !== undefined) {
      const affinity = at(bound, 'spec', 'nodeAffinity', 'required');
      if (affinity !== undefined) volumes.push(rec(affinity));
      continue;
    }
    const storageClass = store.get(classes, str(at(claim, 'spec', 'storageClassName')));
    if (storageClass?.['volumeBindingMode'] !== 'WaitForFirstConsumer') unbound.push(name);
    else if (storageClass['provisioner'] === 'kubernetes.io/no-provisioner') waiting.push(claim);
  }
  if (unbound.length > 0) return 'pod has unbound immediate PersistentVolumeClaims';
  return {
    pod,
    spec: rec(pod['spec']),
    demand: demandOf(pod),
    tolerations: tolerationsOf(pod),
    volumes,
    waiting,
  };
}

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const refused = (filter: string, reason: string, final = true): Refusal => ({
  filter,
  reasons: [reason],
  final,
});

/** Why a node does not fit a pod: the refusal of the scheduler's first failing plugin; undefined when it fits. */
export function refusalOf(candidate: Candidate, node: Obj, room: Room, life: Life): Refusal | undefined {
  const { pod, spec, tolerations } = candidate;
  if (
    at(node, 'spec', 'unschedulable') === true &&
    !tolerations.some((item) => toleratesTaint(item, cordon))
  ) {
    return refused('NodeUnschedulable', 'node(s) were unschedulable');
  }
  if (untolerated(node, tolerations, 'NoSchedule', 'NoExecute') !== undefined) {
    return refused('TaintToleration', 'node(s) had untolerated taint(s)');
  }
  if (!affinityAllows(spec, node)) {
    return refused('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  if (portTaken(pod, room)) {
    return refused('NodePorts', "node(s) didn't have free ports for the requested pod ports", false);
  }
  const { reasons, never } = lacks(room, candidate.demand);
  if (reasons.length > 0) return { filter: 'NodeResourcesFit', reasons, final: never };
  if (candidate.volumes.some((affinity) => !selectorMatches(affinity, node))) {
    return refused('VolumeBinding', "node(s) didn't match PersistentVolume's node affinity");
  }
  const lacksVolume = candidate.waiting.some((claim) => {
    const className = str(at(claim, 'spec', 'storageClassName'));
    return freeVolume(claim, className, life, node) === undefined;
  });
  if (lacksVolume) {
    return refused('VolumeBinding', "node(s) didn't find available persistent volumes to bind");
  }
  return spreadRefusal(pod, node, life) ?? affinityRefusal(pod, node, life);
}

const hostPorts = (pod: Obj): string[] =>
  recs(at(pod, 'spec', 'containers')).flatMap((container) =>
    recs(container['ports']).flatMap((port) => {
      const number = Number(port['hostPort'] ?? 0);
      return number === 0 ? [] : [`${str(port['protocol']) || 'TCP'}/${number}`];
    }),
  );

/** Whether another pod on the node uses a host port of the pod. */
export function portTaken(pod: Obj, room: Room): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  const taken = new Set(room.pods.flatMap(hostPorts));
  return wanted.some((port) => taken.has(port));
}

/** Number of pods that a selector matches, by topology domain. */
export function domainCounts(
  life: Life,
  key: string,
  namespaces: ReadonlySet<string>,
  selector: LabelSelector | undefined,
  counts: (node: Obj) => boolean,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const node of life.world.store.list('/nodes')) {
    const domain = node.metadata.labels?.[key];
    if (domain === undefined || !counts(node)) continue;
    const here = life.children
      .podsOn(node.metadata.name ?? '')
      .filter(
        (pod) =>
          namespaces.has(pod.metadata.namespace ?? '') &&
          pod.metadata.deletionTimestamp === undefined &&
          matchesSelector(selector, pod.metadata.labels),
      ).length;
    found.set(domain, (found.get(domain) ?? 0) + here);
  }
  return found;
}

function spreadRefusal(pod: Obj, node: Obj, life: Life): Refusal | undefined {
  for (const rule of recs(at(pod, 'spec', 'topologySpreadConstraints'))) {
    if (rule['whenUnsatisfiable'] === 'ScheduleAnyway') continue;
    const key = str(rule['topologyKey']);
    const domain = node.metadata.labels?.[key];
    if (domain === undefined) {
      return refused(
        'PodTopologySpread',
        "node(s) didn't match pod topology spread constraints (missing required label)",
      );
    }
    const selector = rule['labelSelector'] as LabelSelector | undefined;
    const ownNamespace = new Set([pod.metadata.namespace ?? '']);
    const counts = domainCounts(life, key, ownNamespace, selector, (other) =>
      affinityAllows(rec(pod['spec']), other),
    );
    const minCount = counts.size < Number(rule['minDomains'] ?? 1) ? 0 : Math.min(...counts.values());
    const self = matchesSelector(selector, pod.metadata.labels) ? 1 : 0;
    if ((counts.get(domain) ?? 0) + self - minCount > Number(rule['maxSkew'] ?? 1)) {
      return refused('PodTopologySpread', "node(s) didn't match pod topology spread constraints", false);
    }
  }
  return undefined;
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

function namespacesOf(term: Rec, pod: Obj, life: Life): Set<string> {
  const namespaces = Array.isArray(term['namespaces']) ? term['namespaces'].map(str) : [];
  const selector = term['namespaceSelector'] as LabelSelector | undefined;
  if (selector === undefined)
    return new Set(namespaces.length > 0 ? namespaces : [pod.metadata.namespace ?? '']);
  const chosen = life.world.store
    .list('/namespaces')
    .filter((namespace) => matchesSelector(selector, namespace.metadata.labels))
    .map((namespace) => namespace.metadata.name ?? '');
  return new Set([...namespaces, ...chosen]);
}

function finds(term: Rec, owner: Obj, other: Obj, life: Life): boolean {
  return (
    namespacesOf(term, owner, life).has(other.metadata.namespace ?? '') &&
    matchesSelector(term['labelSelector'] as LabelSelector | undefined, other.metadata.labels)
  );
}

function affinityRefusal(pod: Obj, node: Obj, life: Life): Refusal | undefined {
  const wishes = recs(at(pod, 'spec', 'affinity', 'podAffinity', required));
  const aversions = recs(at(pod, 'spec', 'affinity', 'podAntiAffinity', required));
  const inDomain = (term: Rec) => {
    const key = str(term['topologyKey']);
    const domain = node.metadata.labels?.[key];
    return life.world.store
      .list('/nodes')
      .filter((other) => domain !== undefined && other.metadata.labels?.[key] === domain)
      .flatMap((other) => life.children.podsOn(other.metadata.name ?? ''));
  };
  const anywhere = (term: Rec) =>
    life.world.store
      .list('/nodes')
      .some((other) =>
        life.children.podsOn(other.metadata.name ?? '').some((otherPod) => finds(term, pod, otherPod, life)),
      );
  const satisfied = wishes.every((term) => {
    if (node.metadata.labels?.[str(term['topologyKey'])] === undefined) return false;
    return inDomain(term).some((otherPod) => finds(term, pod, otherPod, life));
  });
  if (!satisfied) {
    // The first of pods with affinity to each other may run anywhere.
    const first = wishes.every((term) => finds(term, pod, pod, life) && !anywhere(term));
    if (!first) return refused('InterPodAffinity', "node(s) didn't match pod affinity rules");
  }
  if (aversions.some((term) => inDomain(term).some((otherPod) => finds(term, pod, otherPod, life)))) {
    return refused('InterPodAffinity', "node(s) didn't match pod anti-affinity rules", false);
  }
  const disliked = life.children.averse().some((other) =>
    recs(at(other, 'spec', 'affinity', 'podAntiAffinity', required)).some((term) => {
      const key = str(term['topologyKey']);
      const domainValue = life.world.store.get('/nodes', str(at(other, 'spec', 'nodeName')))?.metadata
        .labels?.[key];
      return (
        domainValue !== undefined &&
        domainValue === node.metadata.labels?.[key] &&
        finds(term, other, pod, life)
      );
    }),
  );
  return disliked
    ? refused('InterPodAffinity', "node(s) didn't satisfy existing pods anti-affinity rules", false)
    : undefined;
}
