import { type Cause, cause } from '../kit/status.ts';
import { isRec } from '../kit/values.ts';
import { parseExpression } from './rules.ts';
import type { Rule, Structural } from '../registry/structural.ts';

const EXPECTED_TOKENS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** An error of the compiler: position, message, and the line with a mark under the position. */
function compilerError(text: string, at: number, message: string): string {
  const before = text.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** The compiler's error for an expression with a syntax error; undefined for one that parses. */
function syntaxError(text: string): string | undefined {
  try {
    parseExpression(text);
    return undefined;
  } catch (error) {
    const { summary, message, range } = error as {
      summary?: string;
      message: string;
      range?: { start: number; end: number };
    };
    const at = Math.min(range?.start ?? 0, text.length);
    const found = at >= text.length ? '<EOF>' : text.slice(at, Math.max(range?.end ?? at + 1, at + 1));
    const first = (summary ?? message).split('\n')[0] ?? '';
    const problem = /^Unexpected token|^Expected/.test(first)
      ? `mismatched input '${found}' expecting ${EXPECTED_TOKENS}`
      : `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
    return compilerError(text, at, `Syntax error: ${problem}`);
  }
}

/** A rule as the server prints it in a Status: the fields of its Go struct. */
const goRule = ({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule) => ({
  Rule: rule,
  Message: message ?? '',
  MessageExpression: messageExpression ?? '',
  Reason: reason ?? null,
  FieldPath: fieldPath ?? '',
  OptionalOldSelf: optionalOldSelf ?? null,
});

/**
 * The causes for which one rule is refused. `uncorrelated`: path of the enclosing list without keys, below which
 * a rule cannot use `oldSelf`.
 */
function causesOfRule(rule: Rule, path: string, uncorrelated: string | undefined): Cause[] {
  if (rule.rule.trim() === '') return [];
  const causes: Cause[] = [];
  const field = `${path}.rule`;
  const ruleError = syntaxError(rule.rule);
  if (ruleError !== undefined) {
    causes.push(cause.invalid(field, goRule(rule), `compilation failed: ${ruleError}`));
  }
  const message = rule.messageExpression ?? '';
  const messageError = message.trim() === '' ? undefined : syntaxError(message);
  if (messageError !== undefined) {
    const why = `messageExpression compilation failed: ${messageError}`;
    causes.push(cause.invalid(`${path}.messageExpression`, goRule(rule), why));
  }
  if (/\boldSelf\b/.test(rule.rule) && uncorrelated !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    causes.push(cause.invalid(field, rule.rule, why));
  }
  return causes;
}

/**
 * The causes for which the validation rules of a schema are refused: syntax errors, and `oldSelf` below a list
 * without keys. Types and costs of expressions are not checked.
 */
export function ruleSyntaxCauses(schema: Structural, path: string, uncorrelated?: string): readonly Cause[] {
  const { properties, additionalProperties, items } = schema;
  const isKeyed = schema['x-kubernetes-list-type'] === 'map';
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      ruleSyntaxCauses(inner, `${path}.properties[${name}]`, uncorrelated),
    ),
    ...(isRec(additionalProperties)
      ? ruleSyntaxCauses(additionalProperties, `${path}.additionalProperties`, uncorrelated)
      : []),
    ...(items === undefined
      ? []
      : ruleSyntaxCauses(items, `${path}.items`, uncorrelated ?? (isKeyed ? undefined : path))),
    ...(schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
      causesOfRule(rule, `${path}.x-kubernetes-validations[${index}]`, uncorrelated),
    ),
  ];
}
