import { recs, type Obj, type Rec, at, str } from '../kit/values.ts';

/** Whether a toleration tolerates a taint. */
export function toleratesTaint(toleration: Rec, taint: Rec): boolean {
  const effect = str(toleration['effect']);
  if (effect !== '' && effect !== taint['effect']) return false;
  const key = str(toleration['key']);
  if (key !== '' && key !== taint['key']) return false;
  const operator = str(toleration['operator']) || 'Equal';
  if (operator === 'Exists') return true;
  const [toleratedValue, taintValue] = [str(toleration['value']), str(taint['value'])];
  if (operator === 'Equal') return key !== '' && toleratedValue === taintValue;
  if (!/^-?\d+$/.test(toleratedValue) || !/^-?\d+$/.test(taintValue)) return false;
  return operator === 'Lt'
    ? Number(taintValue) < Number(toleratedValue)
    : Number(taintValue) > Number(toleratedValue);
}

/** A node's taints of these effects. */
export const taintsOf = (node: Obj, ...effects: string[]): Rec[] =>
  recs(at(node, 'spec', 'taints')).filter((taint) => effects.includes(str(taint['effect'])));

/** A node's first taint of these effects that is not tolerated. */
export function untolerated(node: Obj, tolerations: readonly Rec[], ...effects: string[]): Rec | undefined {
  return taintsOf(node, ...effects).find((taint) => !tolerations.some((item) => toleratesTaint(item, taint)));
}

/** Tolerations of a pod. */
export const tolerationsOf = (pod: Obj): Rec[] => recs(at(pod, 'spec', 'tolerations'));
