import type { LabelSelector } from '../../kube/selector.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import { selectorText } from '../kit/selector-text.ts';
import { ageOf, humanDuration } from './age.ts';
import type { Cells } from './printed-cells.ts';
import { controllerOf } from '../../kube/owners.ts';

const NO_VALUE = '<none>';
const UNSET = '<unset>';
const or = (value: unknown, other: string) => (value === undefined || value === '' ? other : str(value));
const truth = (value: unknown) => (value === true ? 'True' : 'False');
const since = (value: unknown, now: number, other: string) =>
  typeof value === 'string' ? ageOf(value, now) : other;

/** The first three values, and the number of others. */
function firstThree(values: readonly string[], empty: string): string {
  if (values.length === 0) return empty;
  const firstValues = values.slice(0, 3).join(',');
  return values.length > 3 ? `${firstValues} + ${values.length - 3} more...` : firstValues;
}

const selected = (selector: unknown) => {
  const text = selectorText(selector as LabelSelector | undefined);
  return text === '' ? NO_VALUE : text;
};

function containers(template: unknown): Rec {
  const list = recs(at(template, 'spec', 'containers'));
  return {
    Containers: list.map((item) => str(item['name'])).join(','),
    Images: list.map((item) => str(item['image'])).join(','),
  };
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modes = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((mode: unknown) => shortModes[str(mode)] ?? str(mode)).join(',');

const phase = (object: Obj) =>
  object.metadata.deletionTimestamp === undefined ? str(at(object, 'status', 'phase')) : 'Terminating';

function claim(object: Obj): Rec {
  const spec = rec(object['spec']);
  const bound = str(spec['volumeName']) !== '';
  return {
    Status: phase(object),
    Volume: str(spec['volumeName']),
    Capacity: bound ? str(at(object, 'status', 'capacity', 'storage')) : '',
    'Access Modes': bound ? modes(at(object, 'status', 'accessModes')) : '',
    StorageClass: str(spec['storageClassName']),
    VolumeAttributesClass: or(spec['volumeAttributesClassName'], UNSET),
    VolumeMode: or(spec['volumeMode'], UNSET),
  };
}

function volume(object: Obj): Rec {
  const spec = rec(object['spec']);
  const owner = rec(spec['claimRef']);
  return {
    Capacity: str(at(spec, 'capacity', 'storage')),
    'Access Modes': modes(spec['accessModes']),
    'Reclaim Policy': str(spec['persistentVolumeReclaimPolicy']),
    Status: phase(object),
    Claim: owner['name'] === undefined ? '' : `${str(owner['namespace'])}/${str(owner['name'])}`,
    StorageClass: str(spec['storageClassName']),
    VolumeAttributesClass: or(spec['volumeAttributesClassName'], UNSET),
    Reason: str(at(object, 'status', 'reason')),
    VolumeMode: or(spec['volumeMode'], UNSET),
  };
}

function job(object: Obj, now: number): Rec {
  const spec = rec(object['spec']);
  const status = rec(object['status']);
  const holds = (type: string) =>
    recs(status['conditions']).some((item) => item['type'] === type && item['status'] === 'True');
  const succeeded = Number(status['succeeded'] ?? 0);
  const parallelism = Number(spec['parallelism'] ?? 0);
  const wanted =
    spec['completions'] !== undefined
      ? str(spec['completions'])
      : parallelism > 1
        ? `1 of ${parallelism}`
        : '1';
  const state = ['Complete', 'Failed'].find(holds);
  const going = object.metadata.deletionTimestamp !== undefined ? 'Terminating' : undefined;
  const other = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds);
  const start = status['startTime'];
  const end = status['completionTime'];
  const finished = typeof end === 'string' ? Date.parse(end) : now;
  return {
    Status: state ?? going ?? other ?? 'Running',
    Completions: `${succeeded}/${wanted}`,
    Duration: since(start, finished, ''),
    ...containers(spec['template']),
    Selector: selected(spec['selector']),
  };
}

/** The field with a metric's source, by metric type. */
const metricSource: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** A metric as "current/target". */
function metricText(metric: Rec, current: Rec | undefined): string {
  const type = str(metric['type']);
  const source = metricSource[type];
  if (source === undefined) return '<unknown type>';
  const wanted = rec(at(metric, source, 'target'));
  const now = rec(at(current, source, 'current'));
  const { averageValue } = wanted;
  if (type === 'Resource' || type === 'ContainerResource') {
    const name = str(at(metric, source, 'name'));
    if (averageValue !== undefined)
      return `${name}: ${or(now['averageValue'], '<unknown>')}/${str(averageValue)}`;
    const used = now['averageUtilization'];
    const share = wanted['averageUtilization'];
    const currentShare = share === undefined ? '<auto>' : `${str(share)}%`;
    return `${name}: ${used === undefined ? '<unknown>' : `${str(used)}%`}/${currentShare}`;
  }
  if (type === 'Pods') return `${or(now['averageValue'], '<unknown>')}/${str(averageValue)}`;
  if (averageValue !== undefined) return `${or(now['averageValue'], '<unknown>')}/${str(averageValue)} (avg)`;
  return `${or(now['value'], '<unknown>')}/${str(wanted['value'])}`;
}

function horizontal(object: Obj): Rec {
  const spec = rec(object['spec']);
  const current = recs(at(object, 'status', 'currentMetrics'));
  const targets = recs(spec['metrics']).map((metric, index) => metricText(metric, current[index]));
  const firstTargets = targets.slice(0, 2).join(', ');
  return {
    Reference: `${str(at(spec, 'scaleTargetRef', 'kind'))}/${str(at(spec, 'scaleTargetRef', 'name'))}`,
    Targets:
      targets.length === 0
        ? NO_VALUE
        : targets.length > 2
          ? `${firstTargets} + ${targets.length - 2} more...`
          : firstTargets,
    MinPods: or(spec['minReplicas'], UNSET),
    MaxPods: Number(spec['maxReplicas'] ?? 0),
    Replicas: Number(at(object, 'status', 'currentReplicas') ?? 0),
  };
}

function ingress(object: Obj): Rec {
  const hosts = recs(at(object, 'spec', 'rules'))
    .map((rule) => str(rule['host']))
    .filter((host) => host !== '');
  const addresses = recs(at(object, 'status', 'loadBalancer', 'ingress')).map((item) =>
    str(item['ip'] ?? item['hostname']),
  );
  return {
    Class: or(at(object, 'spec', 'ingressClassName'), NO_VALUE),
    Hosts: firstThree(hosts, '*'),
    Address: addresses.join(','),
    Ports: recs(at(object, 'spec', 'tls')).length > 0 ? '80, 443' : '80',
  };
}

function binding(object: Obj): Rec {
  const subjects = recs(object['subjects']);
  const of = (kind: string) => subjects.filter((subject) => subject['kind'] === kind);
  const names = (kind: string) => of(kind).map((subject) => str(subject['name']));
  return {
    Role: `${str(at(object, 'roleRef', 'kind'))}/${str(at(object, 'roleRef', 'name'))}`,
    Users: names('User').join(', '),
    Groups: names('Group').join(', '),
    ServiceAccounts: of('ServiceAccount')
      .map((subject) => `${str(subject['namespace'])}/${str(subject['name'])}`)
      .join(', '),
  };
}

function quota(object: Obj): Rec {
  const hard = strings(at(object, 'status', 'hard'));
  const used = strings(at(object, 'status', 'used'));
  const lines = (limits: boolean) =>
    Object.keys(hard)
      .filter((name) => name.startsWith('limits') === limits)
      .sort()
      .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? ''}`)
      .join(', ');
  return { Request: lines(false), Limit: lines(true) };
}

function slice(object: Obj): Rec {
  const ports = recs(object['ports']).map((port) => or(port['port'], '*'));
  const addresses = recs(object['endpoints']).flatMap((endpoint) => endpoint['addresses'] as string[]);
  return {
    AddressType: str(object['addressType']),
    Ports: firstThree(ports, UNSET),
    Endpoints: firstThree(addresses, UNSET),
  };
}

function endpoints(object: Obj): Rec {
  const endpointTexts = recs(object['subsets']).flatMap((subset) => {
    const addresses = recs(subset['addresses']).map((address) => str(address['ip']));
    const ports = recs(subset['ports']).map((port) => str(port['port']));
    return ports.length === 0
      ? addresses
      : ports.flatMap((port) => addresses.map((address) => `${address}:${port}`));
  });
  return { Endpoints: firstThree(endpointTexts, NO_VALUE) };
}

function signingRequest(object: Obj): Rec {
  const conditions = recs(at(object, 'status', 'conditions')).map((item) => str(item['type']));
  const issued = str(at(object, 'status', 'certificate')) !== '';
  const seconds = at(object, 'spec', 'expirationSeconds');
  return {
    SignerName: or(at(object, 'spec', 'signerName'), NO_VALUE),
    Requestor: str(at(object, 'spec', 'username')),
    RequestedDuration: typeof seconds === 'number' ? humanDuration(seconds * 1000) : NO_VALUE,
    Condition: [...(conditions.length === 0 ? ['Pending'] : conditions), ...(issued ? ['Issued'] : [])].join(
      ',',
    ),
  };
}

const isDefault = 'storageclass.kubernetes.io/is-default-class';
const webhooks = (object: Obj): Rec => ({ Webhooks: recs(object['webhooks']).length });

/** Cells of less common kinds. */
export const moreCells: Readonly<Record<string, Cells>> = {
  '/persistentvolumeclaims': claim,
  '/persistentvolumes': volume,
  '/endpoints': endpoints,
  '/resourcequotas': quota,
  '/podtemplates': (object) => ({
    ...containers(object['template']),
    'Pod Labels': Object.entries(strings(at(object, 'template', 'metadata', 'labels')))
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  }),
  '/replicationcontrollers': (object) => ({
    Desired: Number(at(object, 'spec', 'replicas') ?? 0),
    Current: Number(at(object, 'status', 'replicas') ?? 0),
    Ready: Number(at(object, 'status', 'readyReplicas') ?? 0),
    ...containers(at(object, 'spec', 'template')),
    Selector: selected({ matchLabels: strings(at(object, 'spec', 'selector')) }),
  }),
  'apps/controllerrevisions': (object) => {
    const owner = controllerOf(object);
    const group = owner?.apiVersion.includes('/') === true ? `.${owner.apiVersion.split('/')[0] ?? ''}` : '';
    return {
      Controller: owner === undefined ? NO_VALUE : `${owner.kind.toLowerCase()}${group}/${owner.name}`,
      Revision: Number(object['revision'] ?? 0),
    };
  },
  'batch/jobs': job,
  'batch/cronjobs': (object, now) => ({
    Schedule: str(at(object, 'spec', 'schedule')),
    Timezone: or(at(object, 'spec', 'timeZone'), NO_VALUE),
    Suspend: truth(at(object, 'spec', 'suspend')),
    Active: recs(at(object, 'status', 'active')).length,
    'Last Schedule': since(at(object, 'status', 'lastScheduleTime'), now, NO_VALUE),
    ...containers(at(object, 'spec', 'jobTemplate', 'spec', 'template')),
    Selector: selected(at(object, 'spec', 'jobTemplate', 'spec', 'selector')),
  }),
  'autoscaling/horizontalpodautoscalers': horizontal,
  'policy/poddisruptionbudgets': (object) => ({
    'Min Available': or(at(object, 'spec', 'minAvailable'), 'N/A'),
    'Max Unavailable': or(at(object, 'spec', 'maxUnavailable'), 'N/A'),
    'Allowed Disruptions': Number(at(object, 'status', 'disruptionsAllowed') ?? 0),
  }),
  'networking.k8s.io/ingresses': ingress,
  'networking.k8s.io/ingressclasses': (object) => {
    const parameters = rec(at(object, 'spec', 'parameters'));
    const group = str(parameters['apiGroup']);
    const kind = `${str(parameters['kind'])}${group === '' ? '' : `.${group}`}`;
    return {
      Controller: str(at(object, 'spec', 'controller')),
      Parameters: parameters['kind'] === undefined ? NO_VALUE : `${kind}/${str(parameters['name'])}`,
    };
  },
  'networking.k8s.io/networkpolicies': (object) => ({
    'Pod-Selector': selected(at(object, 'spec', 'podSelector')),
  }),
  'discovery.k8s.io/endpointslices': slice,
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'storage.k8s.io/storageclasses': (object) => ({
    Name: `${object.metadata.name ?? ''}${object.metadata.annotations?.[isDefault] === 'true' ? ' (default)' : ''}`,
    Provisioner: str(object['provisioner']),
    ReclaimPolicy: or(object['reclaimPolicy'], 'Delete'),
    VolumeBindingMode: or(object['volumeBindingMode'], 'Immediate'),
    AllowVolumeExpansion: object['allowVolumeExpansion'] === true,
  }),
  'storage.k8s.io/csinodes': (object) => ({ Drivers: recs(at(object, 'spec', 'drivers')).length }),
  'storage.k8s.io/volumeattachments': (object) => ({
    Attacher: str(at(object, 'spec', 'attacher')),
    PV: str(at(object, 'spec', 'source', 'persistentVolumeName')),
    Node: str(at(object, 'spec', 'nodeName')),
    Attached: at(object, 'status', 'attached') === true,
  }),
  'storage.k8s.io/volumeattributesclasses': (object) => ({ DriverName: str(object['driverName']) }),
  'scheduling.k8s.io/priorityclasses': (object) => ({
    Value: Number(object['value'] ?? 0),
    'Global-Default': object['globalDefault'] === true,
    PreemptionPolicy: str(object['preemptionPolicy']),
  }),
  'coordination.k8s.io/leases': (object) => ({ Holder: str(at(object, 'spec', 'holderIdentity')) }),
  'node.k8s.io/runtimeclasses': (object) => ({ Handler: str(object['handler']) }),
  'certificates.k8s.io/certificatesigningrequests': signingRequest,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
};
