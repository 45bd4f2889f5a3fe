import { epochSeconds } from '../../kube/age.ts';
import type { Deployment, ReplicaSet, StatefulSet } from '../../kube/apps.ts';
import type { Job } from '../../kube/batch.ts';
import type { ConfigMap, Namespace, Pod } from '../../kube/core.ts';
import type { ApiService } from '../../kube/custom.ts';
import type { DisruptionBudget } from '../../kube/disruption.ts';
import type { Gateway, GatewayClass, ReferenceGrant } from '../../kube/gateway.ts';
import { eventTime, type KubeEvent, type Node, type Service } from '../../kube/infrastructure.ts';
import type { EndpointSlice, IngressClass } from '../../kube/networking.ts';
import type { ResourceQuota } from '../../kube/quota.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kube/storage.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { LabelSelector } from '../../kube/selector.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { NamedObject } from '../../registry/kinds/refs.ts';
import type { ObjectFacts } from './object-facts.ts';

/** Objects that a rule looks for. */
export interface Lookup {
  readonly apiVersion: string;
  readonly kind: string;
  /** All namespaces, or the cluster, without one. */
  readonly namespace?: string | undefined;
  readonly selector?: LabelSelector | undefined;
  /** Events alone: uid of the object that they are about. */
  readonly about?: string;
  /** Where there are very many, some of them are enough. */
  readonly isPartEnough?: true;
}

/** A run of a container whose log a rule asks for. */
export interface LogPlace {
  readonly pod: NamedObject;
  readonly container: string;
  /** The run before the present one. */
  readonly previous: boolean;
}

/** A line of a log, without what looks like a secret. */
export interface LogLine {
  /** Epoch seconds of when it was written; null if that is not known. */
  readonly at: number | null;
  readonly text: string;
}

/**
 * The objects that rules judge by. What is not known is asked for in the background: rules are run again when it is
 * there, and a rule that misses something says nothing.
 */
export interface World {
  /** Epoch seconds. */
  readonly now: number;
  /** An object; null if it does not exist, undefined while that is not known. */
  one(named: NamedObject): KubeObject | null | undefined;
  /** All objects of a lookup; undefined while they are not known, or not all of them. */
  all(lookup: Lookup): readonly KubeObject[] | undefined;
  /** The last lines of a container, the oldest first; undefined while they are not known, and where nobody can read them. */
  log(place: LogPlace): readonly LogLine[] | undefined;
  /** Facts of an object that people do not see and rules may know; null and undefined as for the object. */
  facts(named: NamedObject): ObjectFacts | null | undefined;
  /** What the console knows of the kind of an object; undefined for kinds that it does not have. */
  kindOf(named: Pick<NamedObject, 'apiVersion' | 'kind'>): AnyKind | undefined;
}

/** The kinds that rules look for by name, with their types. */
interface Kinds {
  readonly APIService: ApiService;
  readonly ConfigMap: ConfigMap;
  readonly Event: KubeEvent;
  readonly Namespace: Namespace;
  readonly Node: Node;
  readonly PersistentVolume: PersistentVolume;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly Pod: Pod;
  readonly PodDisruptionBudget: DisruptionBudget;
  readonly ResourceQuota: ResourceQuota;
  readonly Secret: KubeObject;
  readonly Service: Service;
  readonly ServiceAccount: KubeObject;
  readonly Deployment: Deployment;
  readonly ReplicaSet: ReplicaSet;
  readonly StatefulSet: StatefulSet;
  readonly Job: Job;
  readonly EndpointSlice: EndpointSlice;
  readonly IngressClass: IngressClass;
  readonly StorageClass: StorageClass;
  readonly GatewayClass: GatewayClass;
  readonly Gateway: Gateway;
  readonly PriorityClass: KubeObject;
  readonly ReferenceGrant: ReferenceGrant;
}
type KindName = keyof Kinds;

const apiVersions: Readonly<Record<KindName, string>> = {
  APIService: 'apiregistration.k8s.io/v1',
  ConfigMap: 'v1',
  Event: 'v1',
  Namespace: 'v1',
  Node: 'v1',
  PersistentVolume: 'v1',
  PersistentVolumeClaim: 'v1',
  Pod: 'v1',
  PodDisruptionBudget: 'policy/v1',
  ResourceQuota: 'v1',
  Secret: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  IngressClass: 'networking.k8s.io/v1',
  StorageClass: 'storage.k8s.io/v1',
  GatewayClass: 'gateway.networking.k8s.io/v1',
  Gateway: 'gateway.networking.k8s.io/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  ReferenceGrant: 'gateway.networking.k8s.io/v1beta1',
};

/** Names an object. @param namespace undefined for an object of the cluster */
export const namedObject = (kind: KindName, name: string, namespace?: string): NamedObject => ({
  apiVersion: apiVersions[kind],
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
});

/** An object; null if it does not exist, undefined while that is not known. Its kind has no objects of other types. */
export function oneOf<Kind extends KindName>(
  world: World,
  kind: Kind,
  name: string,
  namespace?: string,
): Kinds[Kind] | null | undefined {
  return world.one(namedObject(kind, name, namespace));
}

/** All objects of a kind that are looked for; undefined while they are not known, or not all of them. */
export function allOf<Kind extends KindName>(
  world: World,
  kind: Kind,
  where: Omit<Lookup, 'apiVersion' | 'kind'> = {},
): readonly Kinds[Kind][] | undefined {
  return world.all({ apiVersion: apiVersions[kind], kind, ...where });
}

/** The namespace of an object; empty for one of the cluster. */
export const namespaceOf = ({ metadata }: KubeObject): string => metadata?.namespace ?? '';

/** How references name an object that was read. */
export function nameOf({ apiVersion = 'v1', kind = '', metadata = {} }: KubeObject): NamedObject {
  const { namespace, name = '' } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Epoch seconds of when an event was last seen; null if it does not say. */
export const seenAt = (event: KubeEvent): number | null => epochSeconds(eventTime(event));

/** Warnings about an object, newest first; none while they are not known. */
export function warningsOf(world: World, object: KubeObject): readonly KubeEvent[] {
  const { uid, namespace } = object.metadata ?? {};
  if (uid === undefined) return [];
  const found = allOf(world, 'Event', { namespace, about: uid }) ?? [];
  return found
    .filter(({ type }) => type === 'Warning')
    .toSorted((a, b) => (seenAt(b) ?? 0) - (seenAt(a) ?? 0));
}
