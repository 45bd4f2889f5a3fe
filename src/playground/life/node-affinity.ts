import { meets, type Requirement } from '../../kube/selector.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';

/** The operators of a node selector, by the names that selectors of labels have for them. */
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

/** Whether a node selector term matches a node; one without conditions matches none. */
export function termMatches(term: Rec, node: Obj): boolean {
  const [labels, fields] = [recs(term['matchExpressions']), recs(term['matchFields'])];
  if (labels.length === 0 && fields.length === 0) return false;
  return (
    labels.every((item) => fits(item, node.metadata.labels?.[str(item['key'])])) &&
    fields.every((item) => fits(item, node.metadata.name))
  );
}

/** Whether a node selector (terms of which one is enough) matches a node. */
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

/** How much a pod spec's preferences speak for a node: the sum of their weights. */
export function affinityScore(spec: Rec, node: Obj): number {
  const preferred = recs(
    at(spec, 'affinity', 'nodeAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'),
  );
  return preferred.reduce(
    (sum, item) => sum + (termMatches(rec(item['preference']), node) ? Number(item['weight'] ?? 0) : 0),
    0,
  );
}
