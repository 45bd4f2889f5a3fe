import { at, type Rec, recs, str } from '../kit/values.ts';

/** History of one autoscaler: recent recommendations, and replicas added and removed, with times in ms. */
export interface Advice {
  advised: { readonly at: number; readonly replicas: number }[];
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

const usualWindow = { scaleUp: 0, scaleDown: 300 };
const windowOf = (behaviour: Rec, way: 'scaleUp' | 'scaleDown'): number =>
  Number(at(behaviour, way, 'stabilizationWindowSeconds') ?? usualWindow[way]) * 1000;

/**
 * Stabilizes a recommendation: grows to the lowest one in the scale-up window, shrinks to the highest one in the
 * scale-down window.
 */
export function stabilize(
  memory: Advice,
  advised: number,
  replicas: number,
  behaviour: Rec,
  now: number,
): { replicas: number; reason: string; message: string } {
  const [up, down] = [windowOf(behaviour, 'scaleUp'), windowOf(behaviour, 'scaleDown')];
  const since = (window: number) =>
    memory.advised.filter((item) => item.at > now - window).map((item) => item.replicas);
  const [low, high] = [Math.min(advised, ...since(up)), Math.max(advised, ...since(down))];
  memory.advised = memory.advised.filter((item) => item.at > now - Math.max(up, down));
  memory.advised.push({ at: now, replicas: advised });
  const steady = Math.min(Math.max(replicas, low), high);
  // Without a `behavior`, the autoscaler applies the highest recommendation of the window.
  const plain = Object.keys(behaviour).length === 0;
  const result = plain ? high : steady;
  return plain || advised < replicas
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
const tooFew = (replicas: number, least: number): Limited => ({
  replicas,
  limited: true,
  reason: 'TooFewReplicas',
  message:
    least === 0
      ? 'the desired replica count is zero'
      : 'the desired replica count is less than the minimum replica count',
});

/**
 * Limits replicas without a `behavior`: to the autoscaler's bounds, and to twice the present ones (at least
 * four).
 */
export function within(replicas: number, wanted: number, least: number, most: number): Limited {
  const fast = Math.max(2 * replicas, 4);
  if (wanted < least) return tooFew(least, least);
  if (wanted > Math.min(most, fast)) {
    return fast < most
      ? {
          replicas: fast,
          limited: true,
          reason: 'ScaleUpLimit',
          message: 'the desired replica count is increasing faster than the maximum scale rate',
        }
      : tooMany(most);
  }
  return inRange(wanted);
}

const usualPolicies = {
  scaleUp: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
  scaleDown: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** The replicas that the policies of one direction allow. */
function allowed(
  memory: Advice,
  replicas: number,
  behaviour: Rec,
  way: 'scaleUp' | 'scaleDown',
  now: number,
): number {
  const select = str(at(behaviour, way, 'selectPolicy')) || 'Max';
  if (select === 'Disabled') return replicas;
  const given = recs(at(behaviour, way, 'policies'));
  const policies: readonly Rec[] = given.length === 0 ? usualPolicies[way] : given;
  const changed = (list: readonly { at: number; by: number }[], period: number) =>
    list.filter((item) => item.at > now - period).reduce((sum, item) => sum + item.by, 0);
  const bounds = policies.map((policy) => {
    const period = Number(policy['periodSeconds']) * 1000;
    const value = Number(policy['value']);
    const start = replicas - changed(memory.ups, period) + changed(memory.downs, period);
    if (way === 'scaleUp') {
      return policy['type'] === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
    }
    return policy['type'] === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
  });
  const widest = way === 'scaleUp' ? Math.max(...bounds) : Math.min(...bounds);
  const narrowest = way === 'scaleUp' ? Math.min(...bounds) : Math.max(...bounds);
  return select === 'Min' ? narrowest : widest;
}

/** Limits replicas by the policies of a `behavior`: a number or a percentage per period. */
export function limitRate(
  memory: Advice,
  replicas: number,
  wanted: number,
  least: number,
  most: number,
  behaviour: Rec,
  now: number,
): Limited {
  const longest = 1_800_000;
  memory.ups = memory.ups.filter((item) => item.at > now - longest);
  memory.downs = memory.downs.filter((item) => item.at > now - longest);
  if (wanted > replicas) {
    const bound = Math.max(replicas, allowed(memory, replicas, behaviour, 'scaleUp', now));
    if (wanted > Math.min(most, bound)) {
      if (bound >= most) return tooMany(most);
      return {
        replicas: bound,
        limited: true,
        reason: 'ScaleUpLimit',
        message: 'the desired replica count is increasing faster than the maximum scale rate',
      };
    }
  } else if (wanted < replicas) {
    const bound = Math.min(replicas, allowed(memory, replicas, behaviour, 'scaleDown', now));
    if (wanted < Math.max(least, bound)) {
      if (bound <= least) return tooFew(least, least);
      return {
        replicas: bound,
        limited: true,
        reason: 'ScaleDownLimit',
        message: 'the desired replica count is decreasing faster than the maximum scale rate',
      };
    }
  }
  return wanted > most ? tooMany(most) : wanted < least ? tooFew(least, least) : inRange(wanted);
}
