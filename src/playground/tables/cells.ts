import { selectorText } from '../kit/selector-text.ts';
import type { Resource } from '../registry/registry.ts';
import { ageOf } from './age.ts';
import { moreCells } from './more-cells.ts';
import { podStatus } from './pod-status.ts';
import { rareCells } from './rare-cells.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import type { Cells } from './printed-cells.ts';

/** A node's kernel version and architecture. */
function kernelOf(info: Rec): string {
  const [kernel, architecture] = [str(info['kernelVersion']), str(info['architecture'])];
  if (kernel === '') return '<unknown>';
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

const NO_VALUE = '<none>';
const text = (value: unknown): string => (value === undefined || value === '' ? NO_VALUE : str(value));
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
const since = (value: unknown, now: number): string =>
  typeof value === 'string' ? ageOf(value, now) : '<unknown>';
const joined = (values: unknown[]): string => (values.length === 0 ? NO_VALUE : values.map(str).join(','));

function containers(template: unknown): Rec {
  const list = recs(at(template, 'spec', 'containers'));
  return {
    Containers: list.map((item) => str(item['name'])).join(','),
    Images: list.map((item) => str(item['image'])).join(','),
  };
}

function pod(object: Obj, now: number): Rec {
  const { reason, ready, total, restarts, restartedAt } = podStatus(object);
  const restarted = restarts > 0 && restartedAt !== undefined ? ` (${since(restartedAt, now)} ago)` : '';
  const gates = recs(at(object, 'spec', 'readinessGates'));
  const passed = gates.filter((gate) =>
    recs(at(object, 'status', 'conditions')).some(
      (item) => item['type'] === gate['conditionType'] && item['status'] === 'True',
    ),
  );
  return {
    Ready: `${ready}/${total}`,
    Status: reason,
    Restarts: `${restarts}${restarted}`,
    IP: text(at(object, 'status', 'podIP')),
    Node: text(at(object, 'spec', 'nodeName')),
    'Nominated Node': text(at(object, 'status', 'nominatedNodeName')),
    'Readiness Gates': gates.length === 0 ? NO_VALUE : `${passed.length}/${gates.length}`,
  };
}

const selectorOf = (object: Obj) => {
  const formatted = selectorText(rec(at(object, 'spec', 'selector')));
  return formatted === '' ? NO_VALUE : formatted;
};

function node(object: Obj): Rec {
  const ready = recs(at(object, 'status', 'conditions')).find((item) => item['type'] === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  const roles = Object.keys(object.metadata.labels ?? {})
    .filter((label) => label.startsWith('node-role.kubernetes.io/'))
    .map((label) => label.slice('node-role.kubernetes.io/'.length))
    .sort();
  const address = (type: string) =>
    text(recs(at(object, 'status', 'addresses')).find((item) => item['type'] === type)?.['address']);
  const info = rec(at(object, 'status', 'nodeInfo'));
  const unknown = (value: unknown) => (value === undefined || value === '' ? '<unknown>' : str(value));
  return {
    Status: at(object, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status,
    Roles: joined(roles),
    Version: str(info['kubeletVersion']),
    'Internal-IP': address('InternalIP'),
    'External-IP': address('ExternalIP'),
    'OS-Image': unknown(info['osImage']),
    'Kernel-Version': kernelOf(info),
    'Container-Runtime': unknown(info['containerRuntimeVersion']),
  };
}

function service(object: Obj): Rec {
  const type = str(at(object, 'spec', 'type'));
  const given = at(object, 'spec', 'externalIPs');
  const balanced =
    type === 'LoadBalancer'
      ? recs(at(object, 'status', 'loadBalancer', 'ingress')).map((item) => item['ip'] ?? item['hostname'])
      : [];
  const external =
    type === 'ExternalName'
      ? text(at(object, 'spec', 'externalName'))
      : joined([...balanced, ...(Array.isArray(given) ? (given as unknown[]) : [])]);
  const ports = recs(at(object, 'spec', 'ports')).map((port) =>
    port['nodePort'] === undefined
      ? `${str(port['port'])}/${str(port['protocol'])}`
      : `${str(port['port'])}:${str(port['nodePort'])}/${str(port['protocol'])}`,
  );
  const selector = Object.entries(strings(at(object, 'spec', 'selector')))
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  return {
    Type: type,
    'Cluster-IP': text(at(object, 'spec', 'clusterIP')),
    'External-IP': type === 'LoadBalancer' && external === NO_VALUE ? '<pending>' : external,
    'Port(s)': ports.length === 0 ? NO_VALUE : ports.join(','),
    Selector: joined(selector),
  };
}

function event(object: Obj, now: number): Rec {
  const involved = rec(object['involvedObject']);
  const source = rec(object['source']);
  const series = object['series'];
  const first = object['firstTimestamp'] ?? object['eventTime'];
  const last = at(series, 'lastObservedTime') ?? object['lastTimestamp'] ?? first;
  const kind = str(involved['kind']).toLowerCase();
  const component = str(source['component']) || str(object['reportingComponent']);
  const instance = str(source['host']) || str(object['reportingInstance']);
  return {
    'Last Seen': since(last, now),
    Type: str(object['type']),
    Reason: str(object['reason']),
    Object: str(involved['name']) === '' ? kind : `${kind}/${str(involved['name'])}`,
    Subobject: str(involved['fieldPath']),
    Source: instance === '' ? component : `${component}, ${instance}`,
    Message: str(object['message']).trim(),
    'First Seen': since(first, now),
    Count: count(at(series, 'count') ?? object['count']) || 1,
  };
}

const byStorage: Readonly<Record<string, Cells>> = {
  ...moreCells,
  ...rareCells,
  '/pods': pod,
  '/nodes': node,
  '/services': service,
  '/events': event,
  '/namespaces': (object) => ({ Status: str(at(object, 'status', 'phase')) }),
  '/configmaps': (object) => ({
    Data: Object.keys(rec(object['data'])).length + Object.keys(rec(object['binaryData'])).length,
  }),
  '/secrets': (object) => ({
    Type: str(object['type']),
    Data: Object.keys(rec(object['data'])).length,
  }),
  '/serviceaccounts': (object) => ({ Secrets: recs(object['secrets']).length }),
  'apps/deployments': (object) => ({
    Ready: `${count(at(object, 'status', 'readyReplicas'))}/${count(at(object, 'spec', 'replicas'))}`,
    'Up-to-date': count(at(object, 'status', 'updatedReplicas')),
    Available: count(at(object, 'status', 'availableReplicas')),
    ...containers(at(object, 'spec', 'template')),
    Selector: selectorOf(object),
  }),
  'apps/replicasets': (object) => ({
    Desired: count(at(object, 'spec', 'replicas')),
    Current: count(at(object, 'status', 'replicas')),
    Ready: count(at(object, 'status', 'readyReplicas')),
    ...containers(at(object, 'spec', 'template')),
    Selector: selectorOf(object),
  }),
  'apps/statefulsets': (object) => ({
    Ready: `${count(at(object, 'status', 'readyReplicas'))}/${count(at(object, 'spec', 'replicas'))}`,
    ...containers(at(object, 'spec', 'template')),
  }),
  'apps/daemonsets': (object) => ({
    Desired: count(at(object, 'status', 'desiredNumberScheduled')),
    Current: count(at(object, 'status', 'currentNumberScheduled')),
    Ready: count(at(object, 'status', 'numberReady')),
    'Up-to-date': count(at(object, 'status', 'updatedNumberScheduled')),
    Available: count(at(object, 'status', 'numberAvailable')),
    'Node Selector': joined(
      Object.entries(strings(at(object, 'spec', 'template', 'spec', 'nodeSelector'))).map(
        ([key, value]) => `${key}=${value}`,
      ),
    ),
    ...containers(at(object, 'spec', 'template')),
    Selector: selectorOf(object),
  }),
};

/** The cells of an object by column name; the table has defaults for missing ones. */
export function cells(resource: Resource, object: Obj, now: number): Rec {
  return byStorage[resource.storage]?.(object, now) ?? {};
}
