/** The second value of a comparison in a filter: a constant, or a path from the item. */
type Operand = { readonly literal: string | number | bigint | boolean } | { readonly path: readonly Step[] };

/** One step into a value. */
export type Step =
  /** `path` is what the key means where there is no such key. */
  | { readonly type: 'key'; readonly key: string; readonly path?: readonly Step[] }
  | { readonly type: 'index'; readonly index: number }
  /** Items from `start` to before `end` (to the last one if undefined); negative numbers count from the end. */
  | {
      readonly type: 'slice';
      readonly start: number;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly type: 'all' }
  | { readonly type: 'descent' }
  | { readonly type: 'union'; readonly paths: readonly (readonly Step[])[] }
  /** Items of a list in which the path `left` exists, or compares with a value. */
  | {
      readonly type: 'filter';
      readonly left: readonly Step[];
      readonly compared?: { readonly operator: string; readonly right: Operand };
    };

const key = /\.((?:\\.|[^.[\]\\,$@{}\s])+)/y;
/** A key without a dot: a path may begin with one, and a descent has its dots. */
const bareKey = /([A-Za-z_][\w-]*)/y;
const brackets = /\[((?:'[^']*'|"[^"]*"|[^\]'"])*)\]/y;
const filter = /\[\?\(((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^)'"])*)\)\]/y;
const descent = /\.\.(?!\.)/y;
const skipped = /[\s@$]+/y;

const quotedText = /^(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")$/;
const range = /^(-?\d*)(?::(-?\d*))?(?::(\d*))?$/;
const comparison = /^([^!<>=]+)(==|!=|<=|>=|<|>)([^!<>=].*)$/s;
const number = /^[+-]?\d+(?:\.\d+)?$/;
const word = /^[\w.-]+$/;

const unescaped = (text: string) => text.replaceAll(/\\(.)/gs, '$1');

/** A quoted key. kubectl reads one with dots that are not escaped as a path (`['metadata.name']`). */
function quotedKey(text: string): Step {
  const parts = text.match(/(?:\\.|[^.\\])+/gs) ?? [];
  const path = parts.length > 1 ? parts.map((part) => ({ type: 'key', key: unescaped(part) }) as const) : [];
  return { type: 'key', key: unescaped(text), ...(path.length === 0 ? {} : { path }) };
}

function bracketStep(text: string): Step | undefined {
  const parts = text.match(/(?:'[^']*'|"[^"]*"|[^,])+/g) ?? [];
  if (parts.length > 1) {
    const paths = parts.map((part) => bracketStep(part.trim()));
    return paths.every((path) => path !== undefined)
      ? { type: 'union', paths: paths.map((path) => [path]) }
      : undefined;
  }
  if (text === '*') return { type: 'all' };
  const name = quotedText.exec(text);
  if (name !== null) return quotedKey(name[1] ?? name[2] ?? '');
  const match = range.exec(text);
  if (match === null || text === '' || text === '-') return undefined;
  const [, start = '', end, step] = match;
  if (end === undefined && step === undefined) return { type: 'index', index: Number(start) };
  const stride = step === undefined || step === '' ? 1 : Number(step);
  if (stride === 0 || start === '-' || end === '-') return undefined;
  return {
    type: 'slice',
    start: Number(start),
    end: end === undefined || end === '' ? undefined : Number(end),
    step: stride,
  };
}

/** A number; a whole one beyond those of a double with all its digits. */
const numberIn = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isSafeInteger(value) || text.includes('.') ? value : BigInt(text);
};

function operand(text: string): Operand | undefined {
  const literal = quotedText.exec(text);
  if (literal !== null) return { literal: unescaped(literal[1] ?? literal[2] ?? '') };
  if (text === 'true' || text === 'false') return { literal: text === 'true' };
  if (number.test(text)) return { literal: numberIn(text) };
  if (word.test(text)) return { literal: text };
  const path = steps(text);
  return path && { path };
}

function filterStep(text: string): Step | undefined {
  const match = comparison.exec(text);
  const left = steps((match?.[1] ?? text).trim());
  if (left === undefined) return undefined;
  if (match === null) return /[!<>=]/.test(text) ? undefined : { type: 'filter', left };
  const [, , operator = '', rest = ''] = match;
  const right = operand(rest.trim());
  return right && { type: 'filter', left, compared: { operator, right } };
}

function steps(text: string): readonly Step[] | undefined {
  const found: Step[] = [];
  let position = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    position = pattern.lastIndex;
    return match[1] ?? match[2] ?? '';
  };
  while (position < text.length) {
    if (take(skipped) !== undefined) continue;
    if (take(descent) !== undefined) {
      if (found.at(-1)?.type === 'descent') return undefined;
      found.push({ type: 'descent' });
      continue;
    }
    const condition = take(filter);
    const inside = condition === undefined ? take(brackets) : undefined;
    const mayBeBare = found.length === 0 || found.at(-1)?.type === 'descent';
    const name =
      condition === undefined && inside === undefined
        ? (take(key) ?? (mayBeBare ? take(bareKey) : undefined))
        : undefined;
    const step =
      condition !== undefined
        ? filterStep(condition)
        : inside !== undefined
          ? bracketStep(inside.trim())
          : name === '*'
            ? { type: 'all' as const }
            : name === undefined
              ? undefined
              : { type: 'key' as const, key: unescaped(name) };
    if (step === undefined) return undefined;
    found.push(step);
  }
  return found;
}

/** Parses a path, in braces or not; undefined if it has no step or none that kubectl reads. */
export function parseJsonPath(text: string): readonly Step[] | undefined {
  const found = steps(text.trim().replace(/^\{(.*)\}$/s, '$1'));
  return found === undefined || found.length === 0 ? undefined : found;
}
