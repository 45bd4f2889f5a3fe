/** One condition of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** A selector as objects carry it (`spec.selector`). */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

/** A selector text that cannot be read; the message is the API server's. */
export class SelectorError extends Error {}

const token = /\s*(?:(==|!=|=|!|,|\(|\)|<|>)|([^\s=!,()<>]+))/y;

function tokens(text: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) break;
    found.push(match[1] ?? match[2] ?? '');
  }
  return found;
}

const isWord = (text: string | undefined): text is string => text !== undefined && !/^[=!,()<>]/.test(text);

/**
 * Reads a label selector ("app=web,tier in (a,b),!legacy").
 * Throws SelectorError with the API server's sentence.
 */
export function parseLabelSelector(text: string): Requirement[] {
  const found = tokens(text);
  const requirements: Requirement[] = [];
  let position = 0;
  const next = () => found[position++];
  const fail = (expected: string, got: string | undefined) =>
    new SelectorError(`unable to parse requirement: found '${got ?? ''}', expected: ${expected}`);
  const list = (): string[] => {
    const open = next();
    if (open !== '(') throw fail("'('", open);
    const values: string[] = [];
    for (;;) {
      const value = next();
      if (value === ')') return values;
      if (value === ',') continue;
      if (!isWord(value)) throw fail("',', or ')'", value);
      values.push(value);
    }
  };
  while (position < found.length) {
    let key = next();
    const negated = key === '!';
    if (negated) key = next();
    if (!isWord(key)) throw fail("!, identifier, or ','", key);
    const operator = found[position];
    if (negated || operator === undefined || operator === ',') {
      requirements.push({ key, operator: negated ? 'DoesNotExist' : 'Exists', values: [] });
    } else {
      position += 1;
      if (operator === 'in' || operator === 'notin') {
        requirements.push({ key, operator: operator === 'in' ? 'In' : 'NotIn', values: list() });
      } else if (operator === '=' || operator === '==' || operator === '!=') {
        const value = found[position];
        if (value !== undefined && value !== ',') {
          if (!isWord(value)) throw fail('identifier', value);
          position += 1;
        }
        requirements.push({
          key,
          operator: operator === '!=' ? 'NotIn' : 'In',
          values: [isWord(value) ? value : ''],
        });
      } else if (operator === '<' || operator === '>') {
        const value = next();
        if (!isWord(value)) throw fail('identifier', value);
        requirements.push({ key, operator: operator === '<' ? 'LessThan' : 'GreaterThan', values: [value] });
      } else {
        throw fail('in, notin, =, ==, !=, gt, lt', operator);
      }
    }
    const separator = next();
    if (separator === undefined) break;
    if (separator !== ',') throw fail("',' or 'end of string'", separator);
    if (position >= found.length) throw fail("identifier after ','", '');
  }
  return requirements;
}

/** Whether the value of a label, undefined without one, meets what is asked of it. */
export function meets(
  { operator, values }: Pick<Requirement, 'operator' | 'values'>,
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'GreaterThan':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'LessThan':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return operator satisfies never;
  }
}

/** Whether labels meet every requirement. */
export const matchesLabels = (
  requirements: readonly Requirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean => requirements.every((requirement) => meets(requirement, labels?.[requirement.key]));

/** The requirements of a selector as objects carry it. An absent selector matches nothing, an empty one everything. */
export function selectorRequirements(selector: LabelSelector | undefined): Requirement[] | undefined {
  if (selector === undefined) return undefined;
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(
      ([key, value]): Requirement => ({ key, operator: 'In', values: [value] }),
    ),
    ...(selector.matchExpressions ?? []).map(
      ({ key, operator, values }): Requirement => ({
        key: key ?? '',
        operator:
          operator === 'NotIn' || operator === 'Exists' || operator === 'DoesNotExist' ? operator : 'In',
        values: values ?? [],
      }),
    ),
  ];
}

/** Whether labels match a selector as objects carry it. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const requirements = selectorRequirements(selector);
  return requirements !== undefined && matchesLabels(requirements, labels);
}

/** A selector as text, keys sorted, as `status.selector` of a scale carries it. */
export function formatSelector(selector: LabelSelector | undefined): string {
  return (selectorRequirements(selector) ?? [])
    .map(({ key, operator, values }) => {
      if (operator === 'Exists') return key;
      if (operator === 'DoesNotExist') return `!${key}`;
      const sorted = [...values].sort();
      if (operator === 'In')
        return sorted.length === 1 ? `${key}=${sorted[0]}` : `${key} in (${sorted.join(',')})`;
      return `${key} notin (${sorted.join(',')})`;
    })
    .sort()
    .join(',');
}

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads a field selector ("status.phase=Running,spec.nodeName!=a"). Throws SelectorError. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const match = /^([^=!]+)(==|!=|=)(.*)$/.exec(part);
      if (match === null) throw new SelectorError(`invalid selector: '${part}'; can't understand '${part}'`);
      return { field: match[1] ?? '', equal: match[2] !== '!=', value: match[3] ?? '' };
    });
}
