import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { at, type Rec, recs, same } from '../kit/values.ts';
import type { Controller } from './engine.ts';
import { put } from './write.ts';

const storage = 'rbac.authorization.k8s.io/clusterroles';

/**
 * Sets the rules of aggregated cluster roles to those of the roles that their aggregation rule selects, in order
 * of name.
 */
export const roleAggregator: Controller = {
  name: 'clusterrole-aggregation-controller',
  interested: ({ storage: changedStorage }, { world }) => {
    if (changedStorage !== storage) return [];
    return Array.from(world.store.entries(storage))
      .filter(([, role]) => role['aggregationRule'] !== undefined)
      .map(([key]) => key);
  },
  reconcile: (key, { world }) => {
    const role = world.store.get(storage, key);
    const selectors = recs(at(role, 'aggregationRule', 'clusterRoleSelectors')) as LabelSelector[];
    if (role === undefined || selectors.length === 0) return;
    const rules: Rec[] = [];
    for (const [name, other] of world.store.entries(storage)) {
      if (name === key || !selectors.some((selector) => matchesSelector(selector, other.metadata.labels)))
        continue;
      for (const rule of recs(other['rules']))
        if (!rules.some((existing) => same(existing, rule))) rules.push(rule);
    }
    if (!same(role['rules'], rules)) put(world, storage, { ...role, rules });
  },
};
