/** One condition of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** A label selector as objects contain it (`spec.selector`). */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

/** An invalid selector text; the message is the API server's. */
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

const binary = 'in, notin, =, ==, !=, gt, lt';
const found = (got: string | undefined, expected: string) =>
  new SelectorError(`found '${got ?? ''}', expected: ${expected}`);

/** Parses the values between parentheses as a sorted set; an omitted value is the empty string. */
function readValues(next: () => string | undefined, peek: () => string | undefined): string[] {
  const open = next();
  if (open !== '(') throw new SelectorError(`found '${open ?? ''}' expected: '('`);
  const values = new Set<string>();
  if (peek() === ')') values.add('');
  else if (!isWord(peek()) && peek() !== ',') throw found(open, "',', ')' or identifier");
  while (peek() !== ')') {
    const value = next();
    if (isWord(value)) {
      values.add(value);
      if (peek() !== ',' && peek() !== ')') throw found(peek(), "',' or ')'");
    } else if (value === ',') {
      if (values.size === 0 || peek() === ')' || peek() === ',') values.add('');
    } else throw found(value, "',', or identifier");
  }
  next();
  return [...values].sort();
}

/** Parses one requirement. Throws SelectorError with the inner message only. */
function readRequirement(next: () => string | undefined, peek: () => string | undefined): Requirement {
  let key = next();
  const negated = key === '!';
  if (negated) key = next();
  if (!isWord(key)) throw found(key, 'identifier');
  if (negated) return { key, operator: 'DoesNotExist', values: [] };
  if (peek() === undefined || peek() === ',') return { key, operator: 'Exists', values: [] };
  const operator = next();
  if (operator === 'in') return { key, operator: 'In', values: readValues(next, peek) };
  if (operator === 'notin') return { key, operator: 'NotIn', values: readValues(next, peek) };
  const comparison = operators[operator ?? ''];
  if (comparison === undefined) throw found(operator, binary);
  if (peek() === undefined || peek() === ',') return { key, operator: comparison, values: [''] };
  const value = next();
  if (!isWord(value)) throw found(value, 'identifier');
  return { key, operator: comparison, values: [value] };
}
const operators: Readonly<Record<string, Requirement['operator']>> = {
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  '<': 'LessThan',
  '>': 'GreaterThan',
};

/**
 * Parses a label selector ("app=web,tier in (a,b),!legacy"). Throws SelectorError with the API server's message
 * (labels.Parse).
 */
export function parseLabelSelector(text: string): Requirement[] {
  const tokenList = tokens(text);
  const requirements: Requirement[] = [];
  let position = 0;
  const next = () => tokenList[position++];
  const peek = () => tokenList[position];
  const begins = () => isWord(peek()) || peek() === '!';
  while (position < tokenList.length) {
    if (!begins()) throw found(peek(), "!, identifier, or 'end of string'");
    try {
      requirements.push(readRequirement(next, peek));
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
    const separator = next();
    if (separator === undefined) break;
    if (separator !== ',') throw found(separator, "',' or 'end of string'");
    if (!begins()) throw found(peek(), "identifier after ','");
  }
  return requirements;
}

/** Whether the value of a label, undefined if missing, satisfies a requirement. */
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

/** Whether labels satisfy every requirement. */
export const matchesLabels = (
  requirements: readonly Requirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean => requirements.every((requirement) => meets(requirement, labels?.[requirement.key]));

/** The requirements of an object's selector. A missing selector matches nothing, an empty one everything. */
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

/** Whether labels match an object's selector. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const requirements = selectorRequirements(selector);
  return requirements !== undefined && matchesLabels(requirements, labels);
}

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Removes the escapes from a value of a field selector. Throws SelectorError with the API server's message. */
function unescape(text: string): string {
  return text.replace(/\\(.?)|[=,]/gs, (sequence, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${sequence}`);
    }
    if (escaped === '' || !'\\=,'.includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
    }
    return escaped;
  });
}

/**
 * Parses a field selector ("status.phase=Running,spec.nodeName!=a"), in which `\\` escapes a comma or `=` of a value.
 * Throws SelectorError.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return (text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).map((part) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${part}'`);
    return { field: match[1] ?? '', equal: match[2] !== '!=', value: unescape(match[3] ?? '') };
  });
}
