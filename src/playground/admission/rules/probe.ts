import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, rec, recs, str } from '../../kit/values.ts';
import {
  emptyScope,
  type Check,
  inside,
  notNegative,
  oneOf,
  port,
  positive,
  required,
  type RuleSet,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const handler: Check = (value, path) => {
  const given = handlers.filter((kind) => rec(value)[kind] !== undefined);
  if (given.length === 0) return [cause.required(path, 'must specify a handler type')];
  return given
    .slice(1)
    .map((kind) => cause.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type'));
};

/** Restrictions of a probe by its purpose; they come last. */
const purpose: Check = (value, path) => {
  const [count, grace] = [at(value, 'successThreshold'), at(value, 'terminationGracePeriodSeconds')];
  if (path.endsWith('.readinessProbe')) {
    const field = `${path}.terminationGracePeriodSeconds`;
    return grace === undefined ? [] : [cause.invalid(field, grace, 'must not be set for readinessProbes')];
  }
  return Number(count ?? 1) === 1 ? [] : [cause.invalid(`${path}.successThreshold`, count, 'must be 1')];
};

/** The sleep of a lifecycle hook: no longer than the pod's termination grace period. */
const sleep: Check = (value, path, _owner, { pod }) => {
  const seconds = Number(at(value, 'seconds') ?? 0);
  const grace = Number(pod?.['terminationGracePeriodSeconds'] ?? 30);
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return isRec(value) && (seconds < 0 || seconds > grace) ? [cause.invalid(path, seconds, why)] : [];
};

const headers: Check = (value, path) =>
  recs(value).flatMap((header): Cause[] => {
    const name = str(header['name']);
    const why =
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
    return /^[-A-Za-z0-9]+$/.test(name) ? [] : [cause.invalid(path, name, why)];
  });

/** Lifecycle hooks: each has exactly one handler. */
export const lifecycle: Check = (value, path) =>
  ['postStart', 'preStop'].flatMap((hook) => {
    const given = at(value, hook);
    return isRec(given) ? handler(given, `${path}.${hook}`, {}, emptyScope) : [];
  });

/** Rules of probes and lifecycle handlers. */
export const probeRules: RuleSet = {
  [`${core}Probe`]: {
    '*': handler,
    exec: inside,
    httpGet: inside,
    tcpSocket: inside,
    grpc: inside,
    initialDelaySeconds: notNegative,
    timeoutSeconds: notNegative,
    periodSeconds: notNegative,
    successThreshold: notNegative,
    failureThreshold: notNegative,
    terminationGracePeriodSeconds: positive,
    '*purpose': purpose,
  },
  [`${core}Lifecycle`]: { postStart: inside, preStop: inside, stopSignal: inside },
  [`${core}LifecycleHandler`]: { exec: inside, httpGet: inside, tcpSocket: inside, sleep },
  [`${core}ExecAction`]: { command: required() },
  [`${core}HTTPGetAction`]: {
    path: required(),
    port,
    scheme: oneOf(['HTTP', 'HTTPS'], true),
    httpHeaders: headers,
  },
  [`${core}TCPSocketAction`]: { port },
  [`${core}GRPCAction`]: { port },
};
