import { isIP } from 'node:net';
import { type Cause, cause } from '../../kit/status.ts';
import { at, type Obj, recs, same, str } from '../../kit/values.ts';
import { subdomainProblem } from '../../kit/names.ts';
import { address, emptyScope, type Check, empty, notNegative, type RuleSet, type Rules } from './rule.ts';

const apps = 'io.k8s.api.apps.v1.';
const core = 'io.k8s.api.core.v1.';

/** Counts that are not negative. */
const counts = (...fields: readonly string[]): Rules =>
  Object.fromEntries(fields.map((field) => [field, notNegative]));

/** Counts that must not exceed another count of the same status. */
const within =
  (limits: readonly (readonly [string, string, string])[]): Check =>
  (value, path) =>
    limits.flatMap(([field, limitField, limitName]) => {
      const [count, limit] = [Number(at(value, field) ?? 0), Number(at(value, limitField) ?? 0)];
      return count > limit
        ? [cause.invalid(`${path}.${field}`, count, `cannot be greater than ${limitName}`)]
        : [];
    });

const ofReplicas = (...fields: readonly string[]) =>
  fields.map((field) => [field, 'replicas', 'status.replicas'] as const);

const sets: Rules = {
  ...counts('replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'),
  '*': within([
    ...ofReplicas('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
    ['availableReplicas', 'readyReplicas', 'readyReplicas'],
  ]),
};

/** Ingress addresses of a load balancer. */
const balanced: Check = (value, path) =>
  recs(at(value, 'ingress')).flatMap((one, index) => {
    const inner = `${path}.ingress[${index}]`;
    const causes: Cause[] = [...address(one['ip'], `${inner}.ip`, one, emptyScope)];
    const host = str(one['hostname']);
    const problem = host === '' ? undefined : subdomainProblem(host);
    if (problem !== undefined) causes.push(cause.invalid(`${inner}.hostname`, host, problem));
    if (isIP(host) !== 0) {
      causes.push(cause.invalid(`${inner}.hostname`, host, 'must be a DNS name, not an IP address'));
    }
    return causes;
  });

/** Rules of the status of objects. */
export const statusRules: RuleSet = {
  [`${apps}DeploymentStatus`]: {
    ...counts(
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'terminatingReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
    ),
    '*': within([
      ...ofReplicas('updatedReplicas', 'readyReplicas', 'availableReplicas'),
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ]),
  },
  [`${apps}ReplicaSetStatus`]: sets,
  [`${core}ReplicationControllerStatus`]: sets,
  [`${apps}StatefulSetStatus`]: {
    ...counts(
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ),
    '*': within([
      ...ofReplicas('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
      ['availableReplicas', 'readyReplicas', 'status.readyReplicas'],
    ]),
  },
  [`${apps}DaemonSetStatus`]: counts(
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ),
  'io.k8s.api.batch.v1.JobStatus': counts('active', 'ready', 'succeeded', 'failed', 'terminating'),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus': counts('currentReplicas', 'desiredReplicas'),
  'io.k8s.api.policy.v1.PodDisruptionBudgetStatus': counts(
    'disruptionsAllowed',
    'currentHealthy',
    'desiredHealthy',
    'expectedPods',
  ),
  [`${core}LoadBalancerStatus`]: { '*': balanced },
  'io.k8s.api.networking.v1.IngressLoadBalancerStatus': { '*': balanced },
};

/** A pod that ended does not run again, unless its restart policy allows it. */
function pod(object: Obj, before: Obj): Cause[] {
  const causes: Cause[] = [];
  const [now, then] = [at(object, 'status', 'qosClass'), at(before, 'status', 'qosClass')];
  if (!empty(then) && !same(now, then)) {
    causes.push(cause.invalid('status.qosClass', now ?? '', 'field is immutable'));
  }
  const policy = at(before, 'spec', 'restartPolicy');
  if (policy === 'Always') return causes;
  for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
    for (const [index, old] of recs(at(before, 'status', field)).entries()) {
      const ended = at(old, 'state', 'terminated');
      if (ended === undefined || (policy === 'OnFailure' && at(ended, 'exitCode') !== 0)) continue;
      const next = recs(at(object, 'status', field)).find((one) => one['name'] === old['name']);
      if (next === undefined || at(next, 'state', 'terminated') !== undefined) continue;
      const why = 'may not be transitioned to non-terminated state';
      causes.push(cause.forbidden(`status.${field}[${index}].state`, why));
    }
  }
  return causes;
}

function namespace(object: Obj): Cause[] {
  const phase = str(at(object, 'status', 'phase'));
  const going = object.metadata.deletionTimestamp !== undefined;
  const expected = going ? 'Terminating' : 'Active';
  const why = `may only be '${expected}' if \`deletionTimestamp\` is ${going ? 'not ' : ''}empty`;
  return phase === expected ? [] : [cause.invalid('status.Phase', phase, why)];
}

function service(object: Obj): Cause[] {
  const balancers = recs(at(object, 'status', 'loadBalancer', 'ingress'));
  if (at(object, 'spec', 'type') === 'LoadBalancer' || balancers.length === 0) return [];
  return [
    cause.forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'"),
  ];
}

const transitions: Readonly<Record<string, (object: Obj, before: Obj) => Cause[]>> = {
  '/namespaces': namespace,
  '/pods': pod,
  '/services': service,
};

/** The causes for which a status must not follow the stored one. */
export function statusTransition(storage: string, object: Obj, before: Obj): Cause[] {
  return transitions[storage]?.(object, before) ?? [];
}
