import { at, type Rec, recs, str } from '../kit/values.ts';

/** History of one autoscaler: recent recommendations, and replicas added and removed, with times in ms. */
export interface ScalingHistory {
  recommendations: { readonly at: number; readonly replicas: number }[];
  ups: { readonly at: number; readonly by: number }[];
  downs: { readonly at: number; readonly by: number }[];
}

/** A limited number of replicas, with reason and message of the ScalingLimited condition. */
export interface Limited {
  readonly replicas: number;
  readonly limited: boolean;
  readonly reason: string;
  readonly message: string;
}

const defaultWindow = { scaleUp: 0, scaleDown: 300 };
const windowOf = (behaviour: Rec, direction: 'scaleUp' | 'scaleDown'): number =>
  Number(at(behaviour, direction, 'stabilizationWindowSeconds') ?? defaultWindow[direction]) * 1000;

/**
 * Stabilizes a recommendation: grows to the lowest one in the scale-up window, shrinks to the highest one in the
 * scale-down window.
 */
export function stabilize(
  history: ScalingHistory,
  recommended: number,
  replicas: number,
  behaviour: Rec,
  now: number,
): { replicas: number; reason: string; message: string } {
  const [up, down] = [windowOf(behaviour, 'scaleUp'), windowOf(behaviour, 'scaleDown')];
  const since = (window: number) =>
    history.recommendations.filter((item) => item.at > now - window).map((item) => item.replicas);
  const [low, high] = [Math.min(recommended, ...since(up)), Math.max(recommended, ...since(down))];
  history.recommendations = history.recommendations.filter((item) => item.at > now - Math.max(up, down));
  history.recommendations.push({ at: now, replicas: recommended });
  const stabilized = Math.min(Math.max(replicas, low), high);
  // Without a `behavior`, the autoscaler applies the highest recommendation of the window.
  const hasNoBehaviour = Object.keys(behaviour).length === 0;
  const result = hasNoBehaviour ? high : stabilized;
  return hasNoBehaviour || recommended < replicas
    ? {
        replicas: result,
        reason: 'ScaleDownStabilized',
        message:
          'recent recommendations were higher than current one, applying the highest recent recommendation',
      }
    : {
        replicas: result,
        reason: 'ScaleUpStabilized',
        message:
          'recent recommendations were lower than current one, applying the lowest recent recommendation',
      };
}

const inRange = (replicas: number): Limited => ({
  replicas,
  limited: false,
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
});
const tooMany = (replicas: number): Limited => ({
  replicas,
  limited: true,
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
});
const tooFew = (replicas: number, minReplicas: number): Limited => ({
  replicas,
  limited: true,
  reason: 'TooFewReplicas',
  message:
    minReplicas === 0
      ? 'the desired replica count is zero'
      : 'the desired replica count is less than the minimum replica count',
});

/**
 * Limits replicas without a `behavior`: to the autoscaler's bounds, and to twice the present ones (at least
 * four).
 */
export function limitToRange(
  replicas: number,
  wanted: number,
  minReplicas: number,
  maxReplicas: number,
): Limited {
  const maxScaleUp = Math.max(2 * replicas, 4);
  if (wanted < minReplicas) return tooFew(minReplicas, minReplicas);
  if (wanted > Math.min(maxReplicas, maxScaleUp)) {
    return maxScaleUp < maxReplicas
      ? {
          replicas: maxScaleUp,
          limited: true,
          reason: 'ScaleUpLimit',
          message: 'the desired replica count is increasing faster than the maximum scale rate',
        }
      : tooMany(maxReplicas);
  }
  return inRange(wanted);
}

const defaultPolicies = {
  scaleUp: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
  scaleDown: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** The replicas that the policies of one direction allow. */
function allowed(
  history: ScalingHistory,
  replicas: number,
  behaviour: Rec,
  direction: 'scaleUp' | 'scaleDown',
  now: number,
): number {
  const select = str(at(behaviour, direction, 'selectPolicy')) || 'Max';
  if (select === 'Disabled') return replicas;
  const given = recs(at(behaviour, direction, 'policies'));
  const policies: readonly Rec[] = given.length === 0 ? defaultPolicies[direction] : given;
  const changed = (list: readonly { at: number; by: number }[], period: number) =>
    list.filter((item) => item.at > now - period).reduce((sum, item) => sum + item.by, 0);
  const bounds = policies.map((policy) => {
    const period = Number(policy['periodSeconds']) * 1000;
    const value = Number(policy['value']);
    const start = replicas - changed(history.ups, period) + changed(history.downs, period);
    if (direction === 'scaleUp') {
      return policy['type'] === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
    }
    return policy['type'] === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
  });
  const loosestBound = direction === 'scaleUp' ? Math.max(...bounds) : Math.min(...bounds);
  const strictestBound = direction === 'scaleUp' ? Math.min(...bounds) : Math.max(...bounds);
  return select === 'Min' ? strictestBound : loosestBound;
}

/** Limits replicas by the policies of a `behavior`: a number or a percentage per period. */
export function limitRate(
  history: ScalingHistory,
  replicas: number,
  wanted: number,
  minReplicas: number,
  maxReplicas: number,
  behaviour: Rec,
  now: number,
): Limited {
  const maxPeriod = 1_800_000;
  history.ups = history.ups.filter((item) => item.at > now - maxPeriod);
  history.downs = history.downs.filter((item) => item.at > now - maxPeriod);
  if (wanted > replicas) {
    const bound = Math.max(replicas, allowed(history, replicas, behaviour, 'scaleUp', now));
    if (wanted > Math.min(maxReplicas, bound)) {
      if (bound >= maxReplicas) return tooMany(maxReplicas);
      return {
        replicas: bound,
        limited: true,
        reason: 'ScaleUpLimit',
        message: 'the desired replica count is increasing faster than the maximum scale rate',
      };
    }
  } else if (wanted < replicas) {
    const bound = Math.min(replicas, allowed(history, replicas, behaviour, 'scaleDown', now));
    if (wanted < Math.max(minReplicas, bound)) {
      if (bound <= minReplicas) return tooFew(minReplicas, minReplicas);
      return {
        replicas: bound,
        limited: true,
        reason: 'ScaleDownLimit',
        message: 'the desired replica count is decreasing faster than the maximum scale rate',
      };
    }
  }
  return wanted > maxReplicas
    ? tooMany(maxReplicas)
    : wanted < minReplicas
      ? tooFew(minReplicas, minReplicas)
      : inRange(wanted);
}
