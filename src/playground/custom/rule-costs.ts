import { type Cause, cause } from '../kit/status.ts';
import { isRec } from '../kit/values.ts';
import { checkExpression, type Checked } from './cel-check.ts';
import { type CelType, largestRequest, optionalOf, typeOf } from './cel-type.ts';
import { explain } from './cel-words.ts';
import { parseExpression } from './rules.ts';
import type { Rule, Structural } from '../registry/structural.ts';

/** The most that one rule, and all rules of a schema together, may be estimated to cost. */
const mostOfOne = 10_000_000;
const mostOfAll = 100_000_000;
/** How many rules are named when all together cost too much: those that take a hundredth of it at least. */
const named = 4;

/** Where rules stand: how often they may run for one object, and the list that keeps them from knowing what was there. */
interface Place {
  /** Undefined once a list or map around them has no limit. */
  readonly times: number | undefined;
  readonly uncorrelated: string | undefined;
  readonly isRoot: boolean;
}

interface Spent {
  readonly path: string;
  readonly cost: number;
}

const expecting =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Why an expression cannot be read, in the compiler's words. */
function syntaxProblem(text: string, error: unknown): string {
  const { summary, message, range } = error as {
    summary?: string;
    message: string;
    range?: { start: number; end: number };
  };
  const at = Math.min(range?.start ?? 0, text.length);
  const found = at >= text.length ? '<EOF>' : text.slice(at, Math.max(range?.end ?? at + 1, at + 1));
  const first = (summary ?? message).split('\n')[0] ?? '';
  const what = /^Unexpected token|^Expected/.test(first)
    ? `mismatched input '${found}' expecting ${expecting}`
    : `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
  return explain(text, [{ at, text: `Syntax error: ${what}` }]);
}

/** Parses and checks an expression. */
function compile(text: string, names: ReadonlyMap<string, CelType>): Checked | string {
  try {
    return checkExpression(text, parseExpression(text), names);
  } catch (error) {
    return syntaxProblem(text, error);
  }
}

/** "12.5x", or that it is far too much. */
function factor(cost: number, limit: number): string {
  const times = cost / limit;
  if (times > 100) return 'more than 100x';
  return times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
}

const tooDear = (what: string, cost: number, limit: number) =>
  `${what} exceeds budget by factor of ${factor(cost, limit)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

/** A rule as the server holds it. */
const goRule = ({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule) => ({
  Rule: rule,
  Message: message ?? '',
  MessageExpression: messageExpression ?? '',
  Reason: reason ?? null,
  FieldPath: fieldPath ?? '',
  OptionalOldSelf: optionalOldSelf ?? null,
});

/** Goes through the rules of one schema and keeps count of what they cost. */
class Audit {
  readonly causes: Cause[] = [];
  readonly spent: Spent[] = [];

  schema(schema: Structural, path: string, place: Place): void {
    const { properties, additionalProperties, items } = schema;
    for (const [name, inner] of Object.entries(properties ?? {})) {
      this.schema(inner, `${path}.properties[${name}]`, { ...place, isRoot: false });
    }
    const within = (most: number | undefined): Place => ({
      ...place,
      isRoot: false,
      times: place.times === undefined || most === undefined ? undefined : place.times * most,
    });
    if (isRec(additionalProperties)) {
      this.schema(additionalProperties, `${path}.additionalProperties`, within(schema.maxProperties));
    }
    if (items !== undefined) {
      const isKeyed = schema['x-kubernetes-list-type'] === 'map';
      const inside = within(schema.maxItems);
      this.schema(items, `${path}.items`, {
        ...inside,
        uncorrelated: place.uncorrelated ?? (isKeyed ? undefined : path),
      });
    }
    const rules = schema['x-kubernetes-validations'] ?? [];
    if (rules.length === 0) return;
    const self = typeOf(schema, place.isRoot);
    for (const [index, rule] of rules.entries()) {
      this.#rule(rule, self, `${path}.x-kubernetes-validations[${index}]`, place);
    }
  }

  #rule(rule: Rule, self: CelType, path: string, place: Place): void {
    if (rule.rule.trim() === '') return;
    const old = rule.optionalOldSelf === true ? optionalOf(self) : self;
    const names = new Map([
      ['self', self],
      ['oldSelf', old],
    ]);
    const field = `${path}.rule`;
    const refuse = (where: string, why: string) => this.causes.push(cause.invalid(where, goRule(rule), why));
    const checked = compile(rule.rule, names);
    const problem = typeof checked === 'string' ? checked : checked.problem;
    if (problem !== undefined) refuse(field, `compilation failed: ${problem}`);
    else if (typeof checked !== 'string') {
      // Without limits around it, as many values as fit into a request.
      const times = place.times ?? Math.floor(largestRequest / (self.least + 1));
      const cost = checked.cost * times;
      if (cost > mostOfOne) {
        this.causes.push(cause.forbidden(field, tooDear('estimated rule cost', cost, mostOfOne)));
      }
      this.spent.push({ path: field, cost });
      if (checked.type.kind !== 'bool' && checked.type.kind !== 'dyn') {
        refuse(field, 'cel expression must evaluate to a bool');
      }
    }
    if (rule.messageExpression !== undefined) this.#message(rule.messageExpression, names, path, refuse);
    if (/\boldSelf\b/.test(rule.rule) && place.uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
      this.causes.push(cause.invalid(field, rule.rule, why));
    }
  }

  #message(
    text: string,
    names: ReadonlyMap<string, CelType>,
    path: string,
    refuse: (where: string, why: string) => void,
  ): void {
    const field = `${path}.messageExpression`;
    if (text.trim() === '') return;
    const checked = compile(text, names);
    const problem = typeof checked === 'string' ? checked : checked.problem;
    if (problem !== undefined) refuse(field, `messageExpression compilation failed: ${problem}`);
    if (problem !== undefined || typeof checked === 'string') return;
    if (checked.type.kind !== 'string' && checked.type.kind !== 'dyn') {
      refuse(field, 'messageExpression must evaluate to a string');
      return;
    }
    if (checked.cost > mostOfOne) {
      const why = tooDear('estimated messageExpression cost', checked.cost, mostOfOne);
      this.causes.push(cause.forbidden(field, why));
    }
    this.spent.push({ path: field, cost: checked.cost });
  }
}

/** The causes for which the rules of a schema may not stand: they cannot be read, or may cost too much. */
export function ruleBudgetCauses(schema: Structural, path: string): readonly Cause[] {
  const audit = new Audit();
  audit.schema(schema, path, { times: 1, uncorrelated: undefined, isRoot: true });
  const total = audit.spent.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= mostOfAll) return audit.causes;
  const notable = audit.spent.filter(({ cost }) => cost >= mostOfAll / 100);
  const dearest = notable.sort((a, b) => b.cost - a.cost).slice(0, named);
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const all = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...audit.causes,
    ...dearest.map((one) => cause.forbidden(one.path, why)),
    cause.forbidden(path, tooDear(all, total, mostOfAll)),
  ];
}
