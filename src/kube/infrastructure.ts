import type { Condition, KubeObject } from './object.ts';

/** The parts of core/v1 Node, Service and Event that the console reads. */
export interface Taint {
  key?: string;
  value?: string;
  effect?: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; providerID?: string };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    conditions?: Condition[];
    addresses?: { type?: string; address?: string }[];
    nodeInfo?: {
      kubeletVersion?: string;
      osImage?: string;
      kernelVersion?: string;
      containerRuntimeVersion?: string;
      architecture?: string;
    };
  };
}

export interface ServicePort {
  name?: string;
  port?: number;
  targetPort?: number | string;
  nodePort?: number;
  protocol?: string;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    sessionAffinity?: string;
    externalTrafficPolicy?: string;
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  fieldPath?: string;
}

/** core/v1 Event; newer reporters count repetitions in `series`. */
export interface KubeEvent extends KubeObject {
  involvedObject?: ObjectReference;
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string };
  source?: { component?: string; host?: string };
  reportingComponent?: string;
  reportingInstance?: string;
}

/** When an event last occurred, ISO, by the first of its four time fields that is set. */
export function eventTime(event: KubeEvent): string | undefined {
  return (
    event.series?.lastObservedTime ??
    event.lastTimestamp ??
    event.eventTime ??
    event.firstTimestamp ??
    event.metadata?.creationTimestamp ??
    undefined
  );
}

/** When an event first occurred, ISO. */
export function firstTime(event: KubeEvent): string | undefined {
  return event.firstTimestamp ?? event.eventTime ?? event.metadata?.creationTimestamp ?? undefined;
}

/** The roles of a node by its labels (node-role.kubernetes.io/ROLE and kubernetes.io/role). */
export function nodeRoles(node: Node): string[] {
  const labels = node.metadata?.labels ?? {};
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith('node-role.kubernetes.io/')) return [key.slice('node-role.kubernetes.io/'.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort();
}
