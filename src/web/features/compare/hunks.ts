import { diffLines } from 'diff';
import type { ObjectBody } from '../../../contract/objects.ts';
import { compared } from '../../../kube/compared.ts';
import { toYaml } from '../../yaml/to-yaml.ts';

/** A stretch of two texts: equal, or different. Lines are counted from 1. */
export interface Part {
  readonly isSame: boolean;
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly leftAt: number;
  readonly rightAt: number;
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

/** Two texts, side by side. */
export function partsOf(left: string, right: string): readonly Part[] {
  const parts: Part[] = [];
  let [leftAt, rightAt] = [1, 1];
  let open: { left: string[]; right: string[] } | undefined;
  const close = () => {
    if (open === undefined) return;
    parts.push({ isSame: false, ...open, leftAt, rightAt });
    leftAt += open.left.length;
    rightAt += open.right.length;
    open = undefined;
  };
  for (const { value, added, removed } of diffLines(left, right)) {
    const lines = linesOf(value);
    if (added || removed) {
      open ??= { left: [], right: [] };
      open[added ? 'right' : 'left'].push(...lines);
      continue;
    }
    close();
    parts.push({ isSame: true, left: lines, right: lines, leftAt, rightAt });
    leftAt += lines.length;
    rightAt += lines.length;
  }
  close();
  return parts;
}

/** One side's text with the other side's lines in one place. @param to the side that changes */
export function withOther(text: string, part: Part, to: 'left' | 'right'): string {
  const lines = linesOf(text);
  const at = (to === 'left' ? part.leftAt : part.rightAt) - 1;
  const [own, other] = to === 'left' ? [part.left, part.right] : [part.right, part.left];
  lines.splice(at, own.length, ...other);
  return `${lines.join('\n')}\n`;
}

/** An object as it is compared, see `compared`. */
export function comparedText(object: ObjectBody, withStatus: boolean): string {
  return toYaml(compared(object, withStatus));
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The configuration last applied by kubectl; undefined if there is none or it cannot be shown. */
export function lastAppliedOf(object: ObjectBody): ObjectBody | undefined {
  const annotations = object.metadata?.['annotations'] as Readonly<Record<string, unknown>> | undefined;
  const text = annotations?.[lastApplied];
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ObjectBody) : undefined;
  } catch {
    return undefined;
  }
}
