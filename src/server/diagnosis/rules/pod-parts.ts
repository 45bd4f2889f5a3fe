import type { Container, ContainerStatus, Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { type PodTrouble, podTrouble } from '../../../kube/pod-trouble.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import { type Proof, type Remedy, field } from '../rule.ts';
import { oneOf, type World } from '../world.ts';

/** What is wrong with a pod now; undefined for one in no trouble, or not yet. */
export function troubleOf(pod: Pod, world: World): PodTrouble | undefined {
  const trouble = podTrouble(pod);
  if (trouble === undefined) return undefined;
  const { notBefore = 0, notAfter = Number.POSITIVE_INFINITY } = trouble;
  return notBefore <= world.now && world.now < notAfter ? trouble : undefined;
}

/** A container of a pod with its state and their places in the object. */
export interface NamedContainer {
  readonly name: string;
  readonly container: Container | undefined;
  readonly status: ContainerStatus | undefined;
  /** `spec.containers[0]`. */
  readonly specPath: string;
  /** `status.containerStatuses[0]`. */
  readonly statusPath: string;
}

/** Finds a container, the init containers included, by its name. */
export function containerOf({ spec = {}, status = {} }: Pod, name: string | undefined): NamedContainer {
  const isInit = spec.initContainers?.some((one) => one.name === name) === true;
  const containers = (isInit ? spec.initContainers : spec.containers) ?? [];
  const statuses = (isInit ? status.initContainerStatuses : status.containerStatuses) ?? [];
  const at = containers.findIndex((one) => one.name === name);
  const statusAt = statuses.findIndex((one) => one.name === name);
  return {
    name: name ?? '?',
    container: containers[at],
    status: statuses[statusAt],
    specPath: `spec.${isInit ? 'initContainers' : 'containers'}[${at}]`,
    statusPath: `status.${isInit ? 'initContainerStatuses' : 'containerStatuses'}[${statusAt}]`,
  };
}

/** Why a container waits, as evidence. */
export const waitingProof = (pod: Pod, { statusPath }: NamedContainer): Proof =>
  field(pod, `${statusPath}.state.waiting.message`);

/** Owners above a pod that are followed: the cluster may name owners in a circle. */
const ownerLimit = 8;

/** What a pod belongs to, as far up as it can be read: the Deployment of its ReplicaSet. */
export function workloadOf(object: KubeObject, world: World): NamedObject | undefined {
  let workload: NamedObject | undefined;
  let below: KubeObject | null | undefined = object;
  for (let level = 0; below && level < ownerLimit; level += 1) {
    const owner = controllerOf(below);
    if (owner === undefined) break;
    const { namespace } = below.metadata ?? {};
    workload = { ...owner, ...(namespace === undefined ? {} : { namespace }) };
    below = world.one(workload);
  }
  return workload;
}

/** Kinds that can be rolled back and restarted, with the ids of those actions' kinds. */
const workloadActions: Readonly<Record<string, string>> = {
  Deployment: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
};

/** Actions of workloads that help their pods. A closed list, so that each one that a rule offers is looked at. */
type WorkloadVerb = 'rollback' | 'scale' | 'setImage' | 'setMemory';

/** An action of the workload of a pod, where it is one that has such actions. */
export function workloadRemedy(pod: Pod, world: World, verb: WorkloadVerb): readonly Remedy[] {
  const workload = workloadOf(pod, world);
  const id = workload && workloadActions[workload.kind];
  return workload === undefined || id === undefined ? [] : [{ id: `${id}.${verb}`, on: workload }];
}

/** The CPU architecture of the node of a pod, with what says so; undefined where it is not known. */
export function architectureOf(
  { spec }: Pod,
  world: World,
): { readonly architecture: string; readonly proof: Proof } | undefined {
  const node = spec?.nodeName === undefined ? undefined : oneOf(world, 'Node', spec.nodeName);
  const architecture = node?.status?.nodeInfo?.architecture ?? node?.metadata?.labels?.['kubernetes.io/arch'];
  if (!node || architecture === undefined) return undefined;
  const path =
    node.status?.nodeInfo?.architecture === undefined ? 'metadata.labels' : 'status.nodeInfo.architecture';
  return { architecture, proof: field(node, path) };
}
