import type { World } from '../store/world.ts';
import { compareQuantities, lessQuantity } from '../kit/quantity.ts';
import type { Resource } from '../registry/registry.ts';
import { forbidden } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, rec, strings } from '../kit/values.ts';
import { concerns, type Evaluator, evaluatorOf, only, plus } from './quota-usage.ts';

const quotas = '/resourcequotas';

/** Amounts as quota refusals print them: "cpu=1,pods=2". */
const printedAmounts = (amounts: Readonly<Record<string, string>>): string =>
  Object.keys(amounts)
    .sort()
    .map((name) => `${name}=${amounts[name] ?? ''}`)
    .join(',');

/** Usage that a write adds to a quota: on an update only the increase. */
function addition(
  quota: Obj,
  names: readonly string[],
  evaluator: Evaluator,
  object: Obj,
  before: Obj | undefined,
  now: number,
): Record<string, string> {
  const usage = evaluator.usage(object, now);
  if (before === undefined || !concerns(quota, names, evaluator, before, now)) return usage;
  const oldUsage = evaluator.usage(before, now);
  return Object.fromEntries(
    Object.entries(usage).map(([name, amount]) => [name, lessQuantity(amount, oldUsage[name] ?? '0')]),
  );
}

/**
 * Charges a write to the quotas of its namespace. A quota without a status restricts nothing, as on a cluster
 * whose quota controller has not counted yet. Returns a function that stores the new usage, to be called when the
 * write is certain. Throws 403 when a quota is exceeded or requires a field that the object lacks.
 */
export function chargeQuotas(
  world: World,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
): () => void {
  const { store, clock } = world;
  const nothing = () => undefined;
  const { namespace = '', name = '' } = object.metadata;
  if (namespace === '' || store.count(quotas) === 0) return nothing;
  const evaluator = evaluatorOf(resource.storage);
  if (evaluator === undefined || (before !== undefined && evaluator.updates !== true)) return nothing;
  const now = clock.now();
  const charges: { key: string; used: Record<string, string> }[] = [];
  for (const quota of store.list(quotas, `${namespace}/`)) {
    const hard = strings(at(quota, 'status', 'hard'));
    const used = strings(at(quota, 'status', 'used'));
    const names = Object.keys(hard);
    if (!concerns(quota, names, evaluator, object, now)) continue;
    const countedNames = names.filter(evaluator.counts);
    const quotaName = quota.metadata.name ?? '';
    const missing = evaluator.missing?.(object, countedNames);
    if (missing !== undefined) throw forbidden(resource, name, `failed quota: ${quotaName}: ${missing}`);
    if (countedNames.some((one) => used[one] === undefined)) {
      const unknown = `status unknown for quota: ${quotaName}, resources: ${[...countedNames].sort().join(',')}`;
      throw forbidden(resource, name, unknown);
    }
    const added = only(addition(quota, names, evaluator, object, before, now), names);
    const increased = Object.keys(added).filter((one) => compareQuantities(added[one] ?? '0', '0') > 0);
    if (increased.length === 0) continue;
    const requested = only(added, increased);
    const next = plus(used, requested);
    const exceeded = increased.filter((one) => compareQuantities(next[one] ?? '0', hard[one] ?? '0') > 0);
    if (exceeded.length > 0) {
      const parts = [requested, used, hard].map((amounts) => printedAmounts(only(amounts, exceeded)));
      const why = `exceeded quota: ${quotaName}, requested: ${parts[0]}, used: ${parts[1]}, limited: ${parts[2]}`;
      throw forbidden(resource, name, why);
    }
    charges.push({ key: keyOf(namespace, quotaName), used: next });
  }
  return () => {
    for (const { key, used } of charges) {
      const quota = store.get(quotas, key);
      if (quota !== undefined)
        store.commit(quotas, key, { ...quota, status: { ...rec(quota['status']), used } });
    }
  };
}
