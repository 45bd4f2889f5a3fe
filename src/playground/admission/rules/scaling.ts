import { compareQuantities } from '../../quantity.ts';
import { type Cause, cause } from '../../status.ts';
import { isRec, type Rec, rec, str } from '../../values.ts';
import {
  all,
  atMostAll,
  type Check,
  countOrPercent,
  inside,
  oneOf,
  required,
  requiredPathName,
  type RuleSet,
} from './rule.ts';

const autoscaling = 'io.k8s.api.autoscaling.';

const least: Check = (value, path) =>
  typeof value === 'number' && value < 1
    ? [cause.invalid(path, value, 'must be greater than or equal to 1')]
    : [];

const most: Check = (value, path, owner) => {
  const count = Number(value ?? 0);
  if (count < 1) return [cause.invalid(path, count, 'must be greater than 0')];
  return count < Number(owner['minReplicas'] ?? 0)
    ? [cause.invalid(path, count, 'must be greater than or equal to `minReplicas`')]
    : [];
};

/** Where each type of metric says what it is. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

const metric: Check = (value, path) => {
  if (!isRec(value)) return [];
  const type = str(value['type']);
  if (type === '') return [cause.required(`${path}.type`, 'must specify a metric source type')];
  const expected = sources[type];
  if (expected === undefined) return [cause.notSupported(`${path}.type`, type, Object.keys(sources))];
  const given = Object.values(sources).filter((field) => value[field] !== undefined);
  if (!given.includes(expected)) {
    return [cause.required(`${path}.${expected}`, 'must populate information for the given metric source')];
  }
  return given
    .filter((field) => field !== expected)
    .map((field) => cause.forbidden(`${path}.${field}`, 'must populate the given metric source only'));
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
  else if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
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

const ofResource: Check = (value, path) => {
  const given = rec(value);
  const causes: Cause[] = [];
  const { averageUtilization, averageValue } = given;
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    causes.push(cause.required(`${path}.averageUtilization`, why));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = 'may not set both a target raw value and a target utilization';
    causes.push(cause.forbidden(`${path}.averageValue`, why));
  }
  return causes;
};

/** A budget as Go holds it: its fields in their order, what is missing as null. */
const goBudget = ({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: Rec) => ({
  MinAvailable: minAvailable ?? null,
  Selector: selector ?? null,
  MaxUnavailable: maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
});

const scaling = { minReplicas: least, maxReplicas: most, scaleTargetRef: inside };
const scaled = { kind: requiredPathName, name: requiredPathName };

/** Rules of autoscalers and of disruption budgets. */
export const scalingRules: RuleSet = {
  [`${autoscaling}v2.HorizontalPodAutoscalerSpec`]: { ...scaling, metrics: inside, behavior: inside },
  [`${autoscaling}v1.HorizontalPodAutoscalerSpec`]: scaling,
  [`${autoscaling}v2.CrossVersionObjectReference`]: scaled,
  [`${autoscaling}v1.CrossVersionObjectReference`]: scaled,
  [`${autoscaling}v2.MetricSpec`]: { '*': metric },
  [`${autoscaling}v2.MetricTarget`]: { '*': target },
  [`${autoscaling}v2.ResourceMetricSource`]: {
    name: required('must specify a resource name'),
    target: ofResource,
  },
  [`${autoscaling}v2.ContainerResourceMetricSource`]: {
    name: required('must specify a resource name'),
    container: required('must specify a container'),
    target: ofResource,
  },
  [`${autoscaling}v2.MetricIdentifier`]: { name: required('must specify a metric name') },
  [`${autoscaling}v2.HPAScalingRules`]: {
    stabilizationWindowSeconds: (value, path) => {
      if (typeof value !== 'number') return [];
      if (value < 0) return [cause.invalid(path, value, 'must be greater than or equal to zero')];
      return value > 3600 ? [cause.invalid(path, value, 'must be less than or equal to 3600')] : [];
    },
    selectPolicy: oneOf(['Disabled', 'Max', 'Min']),
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
