import { addQuantities, compareQuantities } from '../kit/quantity.ts';
import { at, type Obj, type Rec, recs, strings } from '../kit/values.ts';

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, string>>;

/** The sum of amounts, by resource. */
export function addAmounts(a: Amounts, b: Amounts): Record<string, string> {
  const sum: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const previous = sum[name];
    sum[name] = previous === undefined ? amount : addQuantities(previous, amount);
  }
  return sum;
}

function greatest(a: Amounts, b: Amounts): Record<string, string> {
  const result: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const previous = result[name];
    if (previous === undefined || compareQuantities(amount, previous) > 0) result[name] = amount;
  }
  return result;
}

/** The requests or limits of a container. */
export const containerAmounts = (container: Rec, part: 'requests' | 'limits'): Amounts =>
  strings(at(container, 'resources', part));

/**
 * The requests or limits of a whole pod: the sum over containers and sidecars, or the largest init container with
 * the sidecars before it if that is more, and the overhead of its runtime class.
 */
export function podAmounts(pod: Obj, part: 'requests' | 'limits'): Record<string, string> {
  const spec = pod['spec'];
  let sum: Record<string, string> = {};
  for (const container of recs(at(spec, 'containers')))
    sum = addAmounts(sum, containerAmounts(container, part));
  let sidecars: Record<string, string> = {};
  let first: Record<string, string> = {};
  for (const container of recs(at(spec, 'initContainers'))) {
    const amounts = containerAmounts(container, part);
    if (container['restartPolicy'] === 'Always') {
      sum = addAmounts(sum, amounts);
      sidecars = addAmounts(sidecars, amounts);
      first = greatest(first, sidecars);
    } else first = greatest(first, addAmounts(amounts, sidecars));
  }
  const all = { ...greatest(sum, first), ...ofPod(at(spec, 'resources', part)) };
  const overhead = strings(at(spec, 'overhead'));
  if (part === 'requests') return addAmounts(all, overhead);
  // Overhead is added only to resources that have a limit.
  return addAmounts(
    all,
    Object.fromEntries(Object.entries(overhead).filter(([name]) => all[name] !== undefined)),
  );
}

/** Pod-level amounts take precedence over those of the containers. */
const ofPod = (value: unknown): Amounts =>
  Object.fromEntries(
    Object.entries(strings(value)).filter(
      ([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'),
    ),
  );
