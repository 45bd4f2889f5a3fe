/** One step into a value. */
type Step =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'all' }
  | {
      readonly type: 'filter';
      readonly path: readonly string[];
      readonly equal: boolean;
      readonly value: string;
    };

const key = /\.((?:\\.|[^.[\]\\])+)/y;
const quotedKey = /\[(?:'([^']*)'|"([^"]*)")\]/y;
const index = /\[(-?\d+|\*)\]/y;
const filter = /\[\?\(\s*@\.([\w./-]+)\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)"|([\w.-]+))\s*\)\]/y;

function parse(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    position = pattern.lastIndex;
    return match;
  };
  while (position < text.length) {
    const keyMatch = take(key) ?? take(quotedKey);
    if (keyMatch !== undefined) {
      const name = keyMatch[1] ?? keyMatch[2] ?? '';
      steps.push(name === '*' ? { type: 'all' } : { type: 'key', key: name.replaceAll(/\\(.)/g, '$1') });
      continue;
    }
    const placed = take(index);
    if (placed !== undefined) {
      steps.push(placed[1] === '*' ? { type: 'all' } : { type: 'index', index: Number(placed[1]) });
      continue;
    }
    const chosen = take(filter);
    if (chosen === undefined) return undefined;
    steps.push({
      type: 'filter',
      path: (chosen[1] ?? '').split('.'),
      equal: chosen[2] === '==',
      value: chosen[3] ?? chosen[4] ?? chosen[5] ?? '',
    });
  }
  return steps;
}

/** Maximum length of a path that is read: each step costs time for every object of a list. */
export const maxPathLength = 1_000;
const maxSteps = 50;
/** Maximum number of values after a step: no cell shows more, and each costs time in the next step. */
const maxValues = 1_000;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const scalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

function follow(value: unknown, step: Step): unknown[] {
  switch (step.type) {
    case 'key':
      return [member(value, step.key)];
    case 'index':
      return Array.isArray(value) ? [value.at(step.index) as unknown] : [];
    case 'all':
      return typeof value === 'object' && value !== null ? Object.values(value) : [];
    case 'filter':
      if (!Array.isArray(value)) return [];
      return value.filter((item: unknown) => {
        const found = scalar(step.path.reduce(member, item));
        return found !== undefined && (found === step.value) === step.equal;
      });
    default:
      return step satisfies never;
  }
}

/**
 * Compiles the subset of JSONPath that printer columns use: keys (dots escaped by a backslash), quoted keys, indexes,
 * `*` and equality filters. The compiled function returns the values found; it finds nothing for an unsupported or
 * unterminated path.
 */
export function compileJsonPath(text: string): (value: unknown) => unknown[] {
  if (text.length > maxPathLength) return () => [];
  const trimmed = text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^\$/, '');
  const steps = parse(/^[.[]/.test(trimmed) ? trimmed : `.${trimmed}`);
  if (steps === undefined || steps.length > maxSteps) return () => [];
  return (value) =>
    steps.reduce<unknown[]>(
      (values, step) => {
        const found: unknown[] = [];
        for (const one of values) {
          for (const next of follow(one, step)) {
            if (found.length === maxValues) return found;
            if (next !== undefined && next !== null) found.push(next);
          }
        }
        return found;
      },
      [value],
    );
}
