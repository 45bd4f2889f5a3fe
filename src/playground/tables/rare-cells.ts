import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import type { Cells } from './printed-cells.ts';

const NO_VALUE = '<none>';
const UNSET = '<unset>';
const stringList = (value: unknown): string[] => (Array.isArray(value) ? value.map(str) : []);

/** The Available condition of an APIService as text, with the reason when it is not True. */
function available(object: Obj): string {
  const condition = recs(at(object, 'status', 'conditions')).find((item) => item['type'] === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition['status'] === 'True'
    ? 'True'
    : `${str(condition['status'])} (${str(condition['reason'])})`;
}

const parameterKind = (object: Obj): string => {
  const kind = at(object, 'spec', 'paramKind');
  return kind === undefined ? UNSET : `${str(at(kind, 'apiVersion'))}/${str(at(kind, 'kind'))}`;
};

const policyBinding = (object: Obj): Rec => {
  const reference = at(object, 'spec', 'paramRef');
  return {
    PolicyName: str(at(object, 'spec', 'policyName')),
    ParamRef: reference === undefined ? UNSET : str(at(reference, 'name')) || '*',
  };
};

function flowSchema(object: Obj): Rec {
  const dangling = recs(at(object, 'status', 'conditions')).find((item) => item['type'] === 'Dangling');
  return {
    PriorityLevel: str(at(object, 'spec', 'priorityLevelConfiguration', 'name')),
    MatchingPrecedence: Number(at(object, 'spec', 'matchingPrecedence') ?? 0),
    DistinguisherMethod: str(at(object, 'spec', 'distinguisherMethod', 'type')) || NO_VALUE,
    MissingPL: str(dangling?.['status']) || '?',
  };
}

function priorityLevel(object: Obj): Rec {
  const limited = at(object, 'spec', 'limited');
  const queuing = at(limited, 'limitResponse', 'queuing');
  const shares =
    at(limited, 'nominalConcurrencyShares') ?? at(object, 'spec', 'exempt', 'nominalConcurrencyShares');
  return {
    Type: str(at(object, 'spec', 'type')),
    NominalConcurrencyShares: shares ?? NO_VALUE,
    Queues: at(queuing, 'queues') ?? NO_VALUE,
    HandSize: at(queuing, 'handSize') ?? NO_VALUE,
    QueueLengthLimit: at(queuing, 'queueLengthLimit') ?? NO_VALUE,
  };
}

function claimState(object: Obj): string {
  const states: string[] = [];
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) states.push('deleted');
  const allocated = at(object, 'status', 'allocation') !== undefined;
  if (allocated) states.push('allocated');
  else if (deletionTimestamp === undefined) states.push('pending');
  if (recs(at(object, 'status', 'reservedFor')).length > 0) states.push('reserved');
  return states.join(',');
}

/** Cells of rarely listed kinds. */
export const rareCells: Readonly<Record<string, Cells>> = {
  'apiregistration.k8s.io/apiservices': (object) => {
    const service = at(object, 'spec', 'service');
    return {
      Service:
        service === undefined ? 'Local' : `${str(at(service, 'namespace'))}/${str(at(service, 'name'))}`,
      Available: available(object),
    };
  },
  'networking.k8s.io/ipaddresses': (object) => {
    const parent = strings(at(object, 'spec', 'parentRef'));
    const { group = '', resource = '', namespace = '', name = '' } = parent;
    return {
      ParentRef: [group === '' ? resource : `${resource}.${group}`, namespace, name]
        .filter(Boolean)
        .join('/'),
    };
  },
  'networking.k8s.io/servicecidrs': (object) => ({
    CIDRs: stringList(at(object, 'spec', 'cidrs')).join(','),
  }),
  'storage.k8s.io/csidrivers': (object) => {
    const spec = rec(object['spec']);
    const audiences = recs(spec['tokenRequests']).map((request) => str(request['audience']));
    return {
      AttachRequired: spec['attachRequired'] !== false,
      PodInfoOnMount: spec['podInfoOnMount'] === true,
      StorageCapacity: spec['storageCapacity'] === true,
      TokenRequests: audiences.length === 0 ? UNSET : audiences.join(','),
      RequiresRepublish: spec['requiresRepublish'] === true,
      Modes: stringList(spec['volumeLifecycleModes']).join(','),
    };
  },
  'admissionregistration.k8s.io/validatingadmissionpolicies': (object) => ({
    Validations: recs(at(object, 'spec', 'validations')).length,
    ParamKind: parameterKind(object),
  }),
  'admissionregistration.k8s.io/mutatingadmissionpolicies': (object) => ({
    Mutations: recs(at(object, 'spec', 'mutations')).length,
    ParamKind: parameterKind(object),
  }),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policyBinding,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': policyBinding,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchema,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevel,
  'resource.k8s.io/resourceclaims': (object) => ({ State: claimState(object) }),
  'resource.k8s.io/resourceslices': (object) => ({
    Node: str(at(object, 'spec', 'nodeName')) || NO_VALUE,
    Driver: str(at(object, 'spec', 'driver')),
    Pool: str(at(object, 'spec', 'pool', 'name')),
  }),
};
