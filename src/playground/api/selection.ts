import {
  type FieldRequirement,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type Requirement,
  SelectorError,
} from '../../kube/selector.ts';
import { keyProblem, valueProblem } from '../kit/names.ts';
import type { Resource } from '../registry/registry.ts';
import { badRequest } from '../kit/status.ts';
import { at, type Obj, str } from '../kit/values.ts';

const pods = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.podIPs',
  'status.nominatedNodeName',
];
const events = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];
/** Field names of events in the events group, each with its name in the core group. */
const coreFieldNames: Readonly<Record<string, string>> = {
  'regarding.kind': 'involvedObject.kind',
  'regarding.namespace': 'involvedObject.namespace',
  'regarding.name': 'involvedObject.name',
  'regarding.uid': 'involvedObject.uid',
  'regarding.apiVersion': 'involvedObject.apiVersion',
  'regarding.resourceVersion': 'involvedObject.resourceVersion',
  'regarding.fieldPath': 'involvedObject.fieldPath',
  reportingController: 'reportingComponent',
};

/** Fields besides name and namespace that a resource can be selected by, by storage. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  '/pods': pods,
  '/events': events,
  '/namespaces': ['status.phase'],
  '/nodes': ['spec.unschedulable'],
  '/secrets': ['type'],
  '/services': ['spec.clusterIP', 'spec.type'],
  '/replicationcontrollers': ['status.replicas'],
  'apps/replicasets': ['status.replicas'],
  'batch/jobs': ['status.successful'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
  'resource.k8s.io/resourceslices': ['spec.nodeName', 'spec.driver'],
  'networking.k8s.io/ipaddresses': ['spec.parentRef'],
};
/** Storages whose refusal of a field selector does not list the supported fields. */
const general = new Set([
  '/pods',
  '/events',
  '/namespaces',
  '/nodes',
  '/secrets',
  '/services',
  '/replicationcontrollers',
  'certificates.k8s.io/certificatesigningrequests',
]);

/** The message for an unsupported field selector. */
function unsupported({ storage, custom }: Resource, field: string): string {
  if (custom !== undefined || general.has(storage)) return `field label not supported: ${field}`;
  if (storage === 'resource.k8s.io/resourceslices') {
    return `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`;
  }
  if (storage === 'batch/jobs') return `field label ${JSON.stringify(field)} not supported for Job`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** The objects that a list or watch selects. */
export interface Selection {
  readonly namespace: string;
  readonly labels: readonly Requirement[];
  readonly fields: readonly FieldRequirement[];
  /** Whether only the namespace restricts the selection. */
  readonly isUnfiltered: boolean;
  readonly matches: (object: Obj) => boolean;
}

function fieldValue(object: Obj, selector: string): string {
  const field = object.kind === 'Event' ? (coreFieldNames[selector] ?? selector) : selector;
  if (field === 'source') {
    return str(at(object, 'source', 'component') ?? object['reportingComponent']);
  }
  const value = at(object, ...field.split('.'));
  if (value !== undefined) return str(value);
  if (field === 'status.successful') return str(at(object, 'status', 'succeeded') ?? 0);
  if (field === 'status.replicas') return '0';
  return field === 'spec.unschedulable' || field === 'spec.hostNetwork' ? 'false' : '';
}

/** Refuses a label requirement with an invalid key or value. Throws 400. */
function checkRequirement({ key, operator, values }: Requirement): void {
  const refuse = (field: string, value: string, why: string) =>
    badRequest(`unable to parse requirement: ${field}: Invalid value: ${JSON.stringify(value)}: ${why}`);
  const problem = keyProblem(key);
  if (problem !== undefined) throw refuse('<nil>', key, problem);
  for (const [index, value] of values.entries()) {
    if ((operator === 'GreaterThan' || operator === 'LessThan') && !/^[+-]?\d+$/.test(value)) {
      throw refuse(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer");
    }
    const refused = valueProblem(value);
    if (refused !== undefined) throw refuse(`values[${index}][${key}]`, value, refused);
  }
}

/** Reads the selectors of a list or watch. Throws 400. */
export function readSelection(
  resource: Resource,
  namespace: string,
  name: string,
  query: URLSearchParams,
): Selection {
  let labels: Requirement[];
  let fields: FieldRequirement[];
  try {
    labels = parseLabelSelector(query.get('labelSelector') ?? '');
    fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
  for (const requirement of labels) checkRequirement(requirement);
  for (const { field } of fields) {
    if (field === 'metadata.name') continue;
    // Cluster-scoped kinds with selectable fields of their own refuse a namespace; others ignore it.
    const anyNamespace =
      resource.namespaced || (resource.custom === undefined && !general.has(resource.storage));
    if (field === 'metadata.namespace' && anyNamespace) continue;
    const supportedFields = resource.custom?.selectable ?? selectable[resource.storage] ?? [];
    const old = resource.group === 'events.k8s.io' ? coreFieldNames[field] : undefined;
    if (old === undefined && !supportedFields.includes(field)) throw badRequest(unsupported(resource, field));
  }
  if (name !== '') fields.push({ field: 'metadata.name', equal: true, value: name });
  return {
    namespace,
    labels,
    fields,
    isUnfiltered: labels.length === 0 && fields.length === 0,
    matches: (object) =>
      (namespace === '' || object.metadata.namespace === namespace) &&
      matchesLabels(labels, object.metadata.labels) &&
      fields.every(({ field, equal, value }) => (fieldValue(object, field) === value) === equal),
  };
}
