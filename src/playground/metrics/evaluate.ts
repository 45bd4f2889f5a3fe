import type { Expression, Matcher } from './promql.ts';

/** The labels of a series, without its name. */
export type Labels = Readonly<Record<string, string>>;

/** A series with its value at each time that was asked for; undefined where it has none. */
export interface Evaluated {
  readonly labels: Labels;
  readonly values: readonly (number | undefined)[];
}

/** A series as it is stored. */
export interface Series {
  readonly metric: string;
  readonly labels: Labels;
  /** Its value, or for a counter its growth in a second. @param at epoch ms; undefined before it began */
  readonly value: (at: number) => number | undefined;
  /** How much a counter grew a second in a time that ends at `at`. @param window ms */
  readonly rate: (at: number, window: number) => number | undefined;
  /** Whether its plain value means something here: of a counter, that it exists. */
  readonly isCounter: boolean;
}

/** An expression that is understood but not worked out here. */
export class Unsupported extends Error {}

/** Works out an expression at some times (epoch ms). Throws Unsupported, and SyntaxError for a bad regular expression. */
export function evaluate(
  expression: Expression,
  times: readonly number[],
  stored: readonly Series[],
): readonly Evaluated[] {
  if (expression.type === 'selector') {
    return select(expression, stored).map((one) => ({
      labels: { __name__: one.metric, ...one.labels },
      values: times.map(one.value),
    }));
  }
  if (expression.type === 'rate') {
    const chosen = select(expression.of, stored);
    if (chosen.some(({ isCounter }) => !isCounter)) throw new Unsupported('rate() of a gauge');
    const window = expression.window * 1000;
    return chosen.map((one) => ({ labels: one.labels, values: times.map((at) => one.rate(at, window)) }));
  }
  if (expression.type === 'or') {
    const left = evaluate(expression.left, times, stored);
    const known = new Set(left.map(({ labels }) => keyOf(labels)));
    const right = evaluate(expression.right, times, stored);
    return [...left, ...right.filter(({ labels }) => !known.has(keyOf(labels)))];
  }
  if (expression.operator !== 'count' && isPlainCounter(expression.of, stored))
    throw new Unsupported('the plain value of a counter');
  return aggregate(expression, evaluate(expression.of, times, stored), times.length);
}

const isPlainCounter = (expression: Expression, stored: readonly Series[]) =>
  expression.type === 'selector' &&
  stored.some(({ metric, isCounter }) => metric === expression.metric && isCounter);

const keyOf = (labels: Labels) => JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The series of a selector: a label that a series lacks counts as empty, and expressions fit whole values. */
function select(
  { metric, matchers }: { readonly metric: string; readonly matchers: readonly Matcher[] },
  stored: readonly Series[],
): readonly Series[] {
  const tests = matchers.map(({ label, op, value }) => {
    if (op === '=' || op === '!=')
      return ({ labels }: Series) => ((labels[label] ?? '') === value) === (op === '=');
    const pattern = new RegExp(`^(?:${value})$`, 's');
    return ({ labels }: Series) => pattern.test(labels[label] ?? '') === (op === '=~');
  });
  return stored.filter((one) => one.metric === metric && tests.every((test) => test(one)));
}

function aggregate(
  { operator, by }: Extract<Expression, { type: 'aggregate' }>,
  given: readonly Evaluated[],
  count: number,
): readonly Evaluated[] {
  const groups = new Map<string, { labels: Labels; values: (number | undefined)[] }>();
  for (const { labels, values } of given) {
    const kept = Object.fromEntries(
      by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
    );
    const key = keyOf(kept);
    const group = groups.get(key) ?? { labels: kept, values: Array.from({ length: count }, () => undefined) };
    groups.set(key, group);
    values.forEach((value, index) => {
      if (value === undefined) return;
      const before = group.values[index];
      group.values[index] =
        operator === 'count'
          ? (before ?? 0) + 1
          : operator === 'sum'
            ? (before ?? 0) + value
            : Math.max(before ?? value, value);
    });
  }
  return [...groups.values()];
}
