import type { Where } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import { matchesLabels, parseLabelSelector, SelectorError } from '../../../kube/selector.ts';
import type { Entry } from '../source/projector.ts';

/** Whether an entry is among the rows that were asked for. */
export type Condition = (entry: Entry) => boolean;

/** The conditions of a list in one. Throws Problem 400 for a selector that cannot be read. */
export function compileWhere({ owner, labels, node, about, refers }: Where): Condition {
  const conditions: Condition[] = [];
  if (owner !== undefined) conditions.push(({ owners }) => owners.some(({ uid }) => uid === owner));
  if (node !== undefined) conditions.push(({ facts }) => facts['node'] === node);
  if (about !== undefined) conditions.push(({ facts }) => facts['about'] === about);
  if (refers !== undefined) conditions.push(({ refs }) => refs.includes(refers));
  if (labels !== undefined) {
    const requirements = readSelector(labels);
    conditions.push((entry) => matchesLabels(requirements, entry.labels));
  }
  return (entry) => conditions.every((isMet) => isMet(entry));
}

function readSelector(text: string) {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new Problem({ status: 400, title: `The label selector cannot be read: ${error.message}.` });
  }
}
