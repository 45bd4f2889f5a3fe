import { isRec, type Rec } from '../kit/values.ts';

type Step = (value: unknown) => unknown[];

const field =
  (name: string): Step =>
  (value) =>
    isRec(value) && Object.hasOwn(value, name) ? [value[name]] : [];
const each: Step = (value) => (Array.isArray(value) ? value : isRec(value) ? Object.values(value) : []);
const at =
  (index: number): Step =>
  (value) => {
    if (!Array.isArray(value)) return [];
    const item: unknown = value.at(index);
    return item === undefined ? [] : [item];
  };

const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => Number(a) < Number(b),
  '<=': (a, b) => Number(a) <= Number(b),
  '>': (a, b) => Number(a) > Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
};

/** A filter step, `[?(@.type=="Ready")]`: the items of a list that match a comparison or have a field. */
function filter(text: string): Step {
  const [, fieldText = '', operator, right = ''] =
    /^@((?:\.[^\s=!<>]+)*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text) ?? [];
  const inner = parsePath(fieldText);
  const wanted = /^(['"])(.*)\1$/.exec(right)?.[2] ?? (right === '' ? '' : safeJson(right));
  const passes = comparisons[operator ?? ''];
  return (value) =>
    (Array.isArray(value) ? value : []).filter((item: unknown) => {
      const found = follow(inner, item);
      return passes === undefined ? found.length > 0 : found.some((one) => passes(one, wanted));
    });
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const token = /\.([A-Za-z0-9_$@/-]+(?:\\\.[A-Za-z0-9_$@/-]+)*|\*)|\[([^\]]*(?:\(.*?\))?)\]/g;

/** Parses a simple JSON path (".spec.ports[0].name"); an unsupported path matches nothing. */
function parsePath(path: string): Step[] {
  const text = path.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  const steps: Step[] = [];
  for (const [, name, bracket] of text.matchAll(token)) {
    if (name !== undefined) steps.push(name === '*' ? each : field(name.replaceAll('\\.', '.')));
    else if (bracket === '*') steps.push(each);
    else if (/^-?\d+$/.test(bracket ?? '')) steps.push(at(Number(bracket)));
    else if (/^\?\(.*\)$/.test(bracket ?? '')) steps.push(filter((bracket ?? '').slice(2, -1).trim()));
    else steps.push(field((bracket ?? '').replace(/^(['"])(.*)\1$/, '$2')));
  }
  return steps;
}

const follow = (steps: readonly Step[], value: unknown): unknown[] =>
  steps.reduce<unknown[]>((values, step) => values.flatMap(step), [value]);

const parsedPaths = new Map<string, Step[]>();

/** The values that a simple JSON path matches in an object, in order. */
export function findPath(path: string, object: unknown): unknown[] {
  const steps = parsedPaths.get(path) ?? parsePath(path);
  if (parsedPaths.size < 1_000) parsedPaths.set(path, steps);
  return follow(steps, object);
}

/** A copy of an object with the value at a path of plain fields (".spec.replicas") replaced. */
export function setPath(path: string, object: Rec, value: unknown): Rec {
  const [name = '', ...rest] = path.replace(/^\./, '').split('.');
  const inner = object[name];
  return {
    ...object,
    [name]: rest.length === 0 ? value : setPath(rest.join('.'), isRec(inner) ? inner : {}, value),
  };
}
