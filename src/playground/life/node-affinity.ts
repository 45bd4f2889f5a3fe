import { meets, type Requirement } from '../../kube/selector.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';

/** Operators of node selectors, each with its equivalent in label selectors. */
const operators: Readonly<Record<string, Requirement['operator']>> = {
  In: 'In',
  NotIn: 'NotIn',
  Exists: 'Exists',
  DoesNotExist: 'DoesNotExist',
  Gt: 'GreaterThan',
  Lt: 'LessThan',
};

function fits(requirement: Rec, value: string | undefined): boolean {
  const operator = operators[str(requirement['operator'])];
  const values = Array.isArray(requirement['values']) ? requirement['values'].map(str) : [];
  return operator !== undefined && meets({ operator, values }, value);
}

/** Whether a node selector term matches a node; an empty term matches none. */
export function termMatches(term: Rec, node: Obj): boolean {
  const [labels, fields] = [recs(term['matchExpressions']), recs(term['matchFields'])];
  if (labels.length === 0 && fields.length === 0) return false;
  return (
    labels.every((item) => fits(item, node.metadata.labels?.[str(item['key'])])) &&
    fields.every((item) => fits(item, node.metadata.name))
  );
}

/** Whether a node selector matches a node: any one of its terms does. */
export const selectorMatches = (selector: unknown, node: Obj): boolean =>
  recs(rec(selector)['nodeSelectorTerms']).some((term) => termMatches(term, node));

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Whether a pod spec's node selector and required node affinity allow a node. */
export function affinityAllows(spec: Rec, node: Obj): boolean {
  const selector = Object.entries(strings(spec['nodeSelector']));
  if (!selector.every(([key, value]) => node.metadata.labels?.[key] === value)) return false;
  const terms = at(spec, 'affinity', 'nodeAffinity', required);
  return terms === undefined || selectorMatches(terms, node);
}

/** The sum of the weights of a pod spec's node preferences that match a node. */
export function affinityScore(spec: Rec, node: Obj): number {
  const preferred = recs(
    at(spec, 'affinity', 'nodeAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'),
  );
  return preferred.reduce(
    (sum, item) => sum + (termMatches(rec(item['preference']), node) ? Number(item['weight'] ?? 0) : 0),
    0,
  );
}
