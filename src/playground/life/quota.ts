import { concerns, evaluatorOf, only, plus } from '../admission/quota-usage.ts';
import { at, type Obj, strings } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { putStatus } from './write.ts';

const quotas = '/resourcequotas';
/** Interval at which every quota is recalculated, ms. */
const resync = 300_000;

/** The usage of a quota in its namespace, by resource of `hard`. */
function usedOf(quota: Obj, hard: Readonly<Record<string, string>>, { world }: Life): Record<string, string> {
  const names = Object.keys(hard);
  const now = world.clock.now();
  let used: Record<string, string> = {};
  for (const { storage } of world.registry.stored()) {
    const evaluator = evaluatorOf(storage);
    const counted = evaluator === undefined ? [] : names.filter(evaluator.counts);
    if (evaluator === undefined || counted.length === 0) continue;
    used = { ...Object.fromEntries(counted.map((name) => [name, '0'])), ...used };
    for (const [, object] of world.store.entries(storage, `${quota.metadata.namespace ?? ''}/`)) {
      if (!concerns(quota, names, evaluator, object, now)) continue;
      used = plus(used, only(evaluator.usage(object, now), counted));
    }
  }
  return used;
}

/** Whether a change may have reduced usage: an object was deleted, or a pod ended. */
const mayReduceUsage = (before: Obj | undefined, after: Obj | undefined): boolean => {
  if (after === undefined) return true;
  const phase = at(after, 'status', 'phase');
  return phase !== at(before, 'status', 'phase') && (phase === 'Failed' || phase === 'Succeeded');
};

/** Updates the usage in the status of quotas. */
export const quotaController: Controller = {
  name: 'resourcequota-controller',
  interested: ({ storage, key, before, after }, { world }) => {
    if (storage === quotas && after !== undefined) return before?.['spec'] === after['spec'] ? [] : [key];
    if (world.store.count(quotas) === 0 || !mayReduceUsage(before, after)) return [];
    const namespace = (after ?? before)?.metadata.namespace;
    if (namespace === undefined) return [];
    return Array.from(world.store.entries(quotas, `${namespace}/`), ([quotaKey]) => quotaKey);
  },
  reconcile: (key, life) => {
    const quota = life.world.store.get(quotas, key);
    if (quota === undefined) return;
    const hard = strings(at(quota, 'spec', 'hard'));
    putStatus(life.world, quotas, quota, { hard, used: usedOf(quota, hard, life) });
    life.look(quotaController, key, resync);
  },
};
