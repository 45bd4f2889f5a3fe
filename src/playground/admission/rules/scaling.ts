import { compareQuantities } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, rec, recs, str } from '../../kit/values.ts';
import { pathProblem } from '../../kit/names.ts';
import {
  all,
  atMostAll,
  type Check,
  countOrPercent,
  inside,
  label,
  oneOf,
  required,
  requiredPathName,
  type RuleSet,
  text,
} from './rule.ts';

const autoscaling = 'io.k8s.api.autoscaling.';

const least: Check = (value, path) =>
  typeof value === 'number' && value < 1
    ? [cause.invalid(path, value, 'must be greater than or equal to 1')]
    : [];

const maxReplicas: Check = (value, path, owner) => {
  const count = Number(value ?? 0);
  const less = count < Number(owner['minReplicas'] ?? 0);
  return [
    ...(count < 1 ? [cause.invalid(path, count, 'must be greater than 0')] : []),
    ...(less ? [cause.invalid(path, count, 'must be greater than or equal to `minReplicas`')] : []),
  ];
};

/** The field that holds a metric's source, by metric type. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** Source fields of a metric, in the server's order. */
const order = ['object', 'external', 'pods', 'resource', 'containerResource'];

const metricType: Check = (value, path) => {
  const type = str(value);
  const missing = type === '' ? [cause.required(path, 'must specify a metric source type')] : [];
  return Object.hasOwn(sources, type)
    ? []
    : [...missing, cause.notSupported(path, type, Object.keys(sources))];
};

/** Checks that exactly the source field of a metric's type is set; comes after the checks of the source. */
const metric: Check = (value, path) => {
  if (!isRec(value)) return [];
  const type = str(value['type']);
  const expected = sources[type];
  const causes: Cause[] = [];
  const given = order.filter((field) => value[field] !== undefined);
  if (expected === undefined) causes.push(cause.notSupported(`${path}.type`, type, Object.keys(sources)));
  else if (!given.includes(expected)) {
    const why = 'must populate information for the given metric source';
    causes.push(cause.required(`${path}.${expected}`, why));
  }
  if (given.length === 1) return causes;
  const others = given.filter((field) => field !== expected);
  return [
    ...causes,
    ...others.map((field) =>
      cause.forbidden(`${path}.${field}`, 'must populate the given metric source only'),
    ),
  ];
};

const isPositive = (value: unknown, path: string): Cause[] =>
  value !== undefined && compareQuantities(str(value), '0') <= 0
    ? [cause.invalid(path, str(value), 'must be positive')]
    : [];

const target: Check = (value, path) => {
  const given = rec(value);
  const causes: Cause[] = [];
  const type = str(given['type']);
  if (type === '') causes.push(cause.required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    causes.push(cause.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  causes.push(
    ...isPositive(given['value'], `${path}.value`),
    ...isPositive(given['averageValue'], `${path}.averageValue`),
  );
  const share = given['averageUtilization'];
  if (typeof share === 'number' && share < 1) {
    causes.push(cause.invalid(`${path}.averageUtilization`, share, 'must be greater than 0'));
  }
  return causes;
};

/** Checks the target of a metric source by the source's kind; comes after the target's own checks. */
const targetOf =
  (check: (target: Rec, path: string) => Cause[]): Check =>
  (value, path) =>
    check(rec(at(value, 'target')), `${path}.target`);

const ofResource = targetOf(({ averageUtilization, averageValue }, path) => {
  const causes: Cause[] = [];
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    causes.push(cause.required(`${path}.averageUtilization`, why));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = 'may not set both a target raw value and a target utilization';
    causes.push(cause.forbidden(`${path}.averageValue`, why));
  }
  return causes;
});
const ofObject = targetOf(({ value, averageValue }, path) =>
  value === undefined && averageValue === undefined
    ? [cause.required(`${path}.averageValue`, 'must set either a target value or averageValue')]
    : [],
);
const ofPods = targetOf(({ averageValue }, path) =>
  averageValue === undefined
    ? [cause.required(`${path}.averageValue`, 'must specify a positive target averageValue')]
    : [],
);
const ofExternal = targetOf(({ value, averageValue }, path) => {
  if (value === undefined && averageValue === undefined) {
    const why = 'must set either a target value for metric or a per-pod target';
    return [cause.required(`${path}.averageValue`, why)];
  }
  const why = 'may not set both a target value for metric and a per-pod target';
  return value !== undefined && averageValue !== undefined ? [cause.forbidden(`${path}.value`, why)] : [];
});

/** Scaling to zero needs a metric that exists without pods: Object or External. */
const wakes: Check = (value, path) =>
  at(value, 'minReplicas') === 0 &&
  !recs(at(value, 'metrics')).some(({ type }) => type === 'Object' || type === 'External')
    ? [
        cause.forbidden(
          `${path}.metrics`,
          'must specify at least one Object or External metric to support scaling to zero replicas',
        ),
      ]
    : [];

/** A disruption budget as Go holds it: fields in declaration order, absent ones as null. */
const goBudget = ({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: Rec) => ({
  MinAvailable: minAvailable ?? null,
  Selector: selector ?? null,
  MaxUnavailable: maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
});

const scaling = { minReplicas: least, maxReplicas, scaleTargetRef: inside };
const scaleTargetRules = { kind: requiredPathName, name: requiredPathName };

/** Rules of autoscalers and disruption budgets. */
export const scalingRules: RuleSet = {
  [`${autoscaling}v2.HorizontalPodAutoscalerSpec`]: {
    ...scaling,
    metrics: inside,
    '*wakes': wakes,
    behavior: inside,
  },
  [`${autoscaling}v2.HorizontalPodAutoscalerBehavior`]: { scaleUp: inside, scaleDown: inside },
  [`${autoscaling}v1.HorizontalPodAutoscalerSpec`]: scaling,
  [`${autoscaling}v2.CrossVersionObjectReference`]: scaleTargetRules,
  [`${autoscaling}v1.CrossVersionObjectReference`]: scaleTargetRules,
  [`${autoscaling}v2.MetricSpec`]: {
    type: metricType,
    ...Object.fromEntries(order.map((field) => [field, inside])),
    '*': metric,
  },
  [`${autoscaling}v2.MetricTarget`]: { '*': target },
  [`${autoscaling}v2.ObjectMetricSource`]: {
    describedObject: inside,
    metric: inside,
    target: inside,
    '*target': ofObject,
  },
  [`${autoscaling}v2.ExternalMetricSource`]: { metric: inside, target: inside, '*target': ofExternal },
  [`${autoscaling}v2.PodsMetricSource`]: { metric: inside, target: inside, '*target': ofPods },
  [`${autoscaling}v2.ResourceMetricSource`]: {
    name: required('must specify a resource name'),
    target: inside,
    '*target': ofResource,
  },
  [`${autoscaling}v2.ContainerResourceMetricSource`]: {
    name: required('must specify a resource name'),
    container: all(required('must specify a container'), label),
    target: inside,
    '*target': ofResource,
  },
  [`${autoscaling}v2.MetricIdentifier`]: {
    name: all(required('must specify a metric name'), text(pathProblem)),
  },
  [`${autoscaling}v2.HPAScalingRules`]: {
    stabilizationWindowSeconds: (value, path) => {
      if (typeof value !== 'number') return [];
      if (value < 0) return [cause.invalid(path, value, 'must be greater than or equal to zero')];
      return value > 3600 ? [cause.invalid(path, value, 'must be less than or equal to 3600')] : [];
    },
    selectPolicy: oneOf(['Disabled', 'Max', 'Min']),
    policies: required('must specify at least one Policy'),
  },
  [`${autoscaling}v2.HPAScalingPolicy`]: {
    type: oneOf(['Percent', 'Pods']),
    value: (value, path) =>
      Number(value ?? 0) <= 0 ? [cause.invalid(path, Number(value ?? 0), 'must be greater than zero')] : [],
    periodSeconds: (value, path) => {
      const seconds = Number(value ?? 0);
      if (seconds <= 0) return [cause.invalid(path, seconds, 'must be greater than zero')];
      return seconds > 1800 ? [cause.invalid(path, seconds, 'must be less than or equal to 1800')] : [];
    },
  },
  'io.k8s.api.policy.v1.PodDisruptionBudgetSpec': {
    '*': (value, path) =>
      isRec(value) && value['minAvailable'] !== undefined && value['maxUnavailable'] !== undefined
        ? [cause.invalid(path, goBudget(value), 'minAvailable and maxUnavailable cannot be both set')]
        : [],
    minAvailable: all(countOrPercent, atMostAll),
    maxUnavailable: all(countOrPercent, atMostAll),
    selector: inside,
    unhealthyPodEvictionPolicy: oneOf(['AlwaysAllow', 'IfHealthyBudget']),
  },
};
