import { parseJsonPath, type Step } from './json-path-syntax.ts';

/** Maximum length of a path that is read: each step costs time for every object of a list. */
export const maxPathLength = 1_000;
const maxSteps = 50;
/** Maximum number of values after a step: no cell shows more, and each costs time in the next step. */
const maxValues = 1_000;
/** Maximum number of objects and lists that a recursive descent visits. */
const maxVisits = 10_000;

/** A compiled path. */
export interface JsonPath {
  /** The values found, without nulls. Empty as well where kubectl reports an error, as for an index out of bounds. */
  readonly read: (value: unknown) => unknown[];
  /** Whether it may find several values of which kubectl prints the first: it has a slice, a union or a descent. */
  readonly isOfFirst: boolean;
}

/** Ends the evaluation where kubectl's ends in an error: the path does not fit the value. */
class Mismatch extends Error {}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const member = (value: unknown, name: string): unknown =>
  isContainer(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** A list and all that is in it and has members itself, each before its members. */
function descend(root: unknown): unknown[] {
  const found: unknown[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0 && found.length < maxVisits) {
    const value = waiting.pop();
    if (!isContainer(value)) continue;
    const members: unknown[] = Object.values(value);
    if (members.length === 0) continue;
    found.push(value);
    for (let at = members.length - 1; at >= 0; at -= 1) waiting.push(members[at]);
  }
  return found;
}

function sliced(value: unknown, { start, end, step }: Extract<Step, { readonly type: 'slice' }>): unknown[] {
  if (!Array.isArray(value)) throw new Mismatch();
  const list: readonly unknown[] = value;
  const from = start < 0 ? start + list.length : start;
  const to = end === undefined ? list.length : end < 0 ? end + list.length : end;
  if (from === to) return [];
  if (from < 0 || from >= list.length || to < from || to > list.length) throw new Mismatch();
  const part = list.slice(from, to);
  return step === 1 ? part : part.filter((_, at) => at % step === 0);
}

/** Whether two values compare as an operator says. Numbers compare with numbers and texts with texts. */
function holds(left: unknown, operator: string, right: unknown): boolean {
  const areNumbers = [left, right].every((one) => typeof one === 'number' || typeof one === 'bigint');
  const isComparable = areNumbers || typeof left === typeof right;
  if (!isComparable || isContainer(left) || isContainer(right)) throw new Mismatch();
  const [a, b] = [left as number, right as number];
  switch (operator) {
    case '==':
      // A big integer equals the number of the same value.
      return areNumbers ? a <= b && a >= b : left === right;
    case '!=':
      return areNumbers ? a < b || a > b : left !== right;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    default:
      return a >= b;
  }
}

function isChosen(item: unknown, { left, compared }: Extract<Step, { readonly type: 'filter' }>): boolean {
  const [found, ...others] = walk([item], left);
  if (compared === undefined) return found !== undefined;
  if (found === undefined) return false;
  const { operator, right } = compared;
  const [other, ...more] = 'literal' in right ? [right.literal] : walk([item], right.path);
  if (other === undefined) return false;
  if (others.length > 0 || more.length > 0) throw new Mismatch();
  return holds(found, operator, other);
}

function follow(value: unknown, step: Step): unknown[] {
  switch (step.type) {
    case 'key': {
      const found = member(value, step.key);
      return found === undefined && step.path !== undefined ? walk([value], step.path) : [found];
    }
    case 'index':
      if (value === undefined) return [];
      return sliced(value, {
        type: 'slice',
        start: step.index,
        end: step.index === -1 ? undefined : step.index + 1,
        step: 1,
      });
    case 'slice':
      return sliced(value, step);
    case 'all':
      return isContainer(value) ? Object.values(value) : [];
    case 'descent':
      return descend(value);
    case 'union':
      return step.paths.flatMap((path) => walk([value], path));
    case 'filter':
      if (!Array.isArray(value)) throw new Mismatch();
      return value.filter((item: unknown) => isChosen(item, step));
    default:
      return step satisfies never;
  }
}

function walk(from: readonly unknown[], steps: readonly Step[]): unknown[] {
  let values = [...from];
  for (const step of steps) {
    const most = step.type === 'descent' ? maxVisits : maxValues;
    const found: unknown[] = [];
    for (const one of values) {
      if (found.length >= most) break;
      for (const next of follow(one, step)) {
        if (next !== undefined && next !== null) found.push(next);
        if (found.length >= most) break;
      }
    }
    values = found;
  }
  return values;
}

/**
 * Compiles JSONPath as kubectl reads it: keys (dots escaped by a backslash), quoted keys, indexes and slices, `*`,
 * unions, recursive descent and filters.
 * @returns undefined for a path that is too long or that kubectl does not read either
 */
export function compileJsonPath(text: string): JsonPath | undefined {
  if (text.length > maxPathLength) return undefined;
  const steps = parseJsonPath(text);
  if (steps === undefined || steps.length > maxSteps) return undefined;
  return {
    read: (value) => {
      try {
        return walk([value], steps);
      } catch (error) {
        if (error instanceof Mismatch) return [];
        throw error;
      }
    },
    isOfFirst: steps.some(({ type }) => type === 'slice' || type === 'union' || type === 'descent'),
  };
}
