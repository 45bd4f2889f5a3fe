import { parseQuantity } from '../../kube/quantity.ts';
import type { FieldSort, FilterField } from './fields.ts';

/** How a value is asked for. `:` is a part of a text and the value of a number. */
export type FilterOperator = ':' | '=' | '!=' | '>' | '>=' | '<' | '<=';

/** Maximum length of a regular expression in characters. */
export const maxRegexLength = 200;

/** What a filter asks of one cell. Texts are in lower case. */
export type FieldCheck =
  | { readonly type: 'part' | 'whole'; readonly text: string }
  | { readonly type: 'regex'; readonly source: string }
  | {
      readonly type: 'label';
      readonly key: string;
      readonly value: string | undefined;
      /** There is no such label. */
      readonly isNot?: true;
    }
  /** `of` a ratio: its first number, or its share of the whole, from 0 to 1. Ages are in seconds. */
  | {
      readonly type: 'compare';
      readonly operator: '=' | '>' | '>=' | '<' | '<=';
      readonly number: number;
      readonly of: 'value' | 'share';
    }
  | { readonly type: 'unhealthy' };

/** A value as it is typed. */
export interface FilterValue {
  readonly text: string;
  readonly isRegex: boolean;
}

/** A check, or why there is none. */
export type CheckOutcome = { readonly check: FieldCheck } | { readonly problem: string };

const secondsIn: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** Reads a time such as `90s`, `10m`, `1h30m`, `2d` in seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?[smhdwy])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?)([smhdwy])/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (secondsIn[unit] ?? 0),
    0,
  );
}

/** The number of `1/2` as its share; of `50%` likewise; of a plain number that. */
function parseRatio(text: string): { readonly number: number; readonly of: 'value' | 'share' } | undefined {
  const share = /^(\d+)\/(\d+)$/.exec(text);
  if (share !== null) return { number: shareOf(Number(share[1]), Number(share[2])), of: 'share' };
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (percent !== null) return { number: Number(percent[1]) / 100, of: 'share' };
  return /^\d+$/.test(text) ? { number: Number(text), of: 'value' } : undefined;
}

/** The share of a part in a whole; of nothing all is there. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/**
 * Reads an amount of memory as Kubernetes does, in any case: `128mi`, `1g`. Nobody means thousandths of a byte by `128m`.
 */
function parseBytes(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^([\d.]+)([kmgtpe]?)i?$/i.exec(text) ?? [];
  const isBinary = /i$/i.test(text);
  const prefix = unit.toLowerCase() === 'k' && !isBinary ? 'k' : unit.toUpperCase();
  return parseQuantity(digits === '' ? text : `${digits}${prefix}${isBinary ? 'i' : ''}`);
}

interface ComparedSort {
  readonly read: (text: string) => { readonly number: number; readonly of: 'value' | 'share' } | undefined;
  /** What is wrong with another text, without its end. */
  readonly problem: string;
  readonly example: string;
  /** Values are never equal to what somebody types. */
  readonly isContinuous: boolean;
}

const valueReader = (read: (text: string) => number | undefined): ComparedSort['read'] => {
  return (text) => {
    const number = read(text);
    return number === undefined ? undefined : { number, of: 'value' };
  };
};

const comparedSorts: Readonly<Record<Exclude<FieldSort, 'text' | 'labels' | 'health'>, ComparedSort>> = {
  number: {
    read: valueReader(parseQuantity),
    problem: 'is not a number',
    example: '>100',
    isContinuous: false,
  },
  ratio: {
    read: parseRatio,
    problem: 'is neither like 0/1 nor a number',
    example: ':0/1',
    isContinuous: false,
  },
  cores: {
    read: valueReader(parseQuantity),
    problem: 'is not an amount of CPU',
    example: '>50m',
    isContinuous: true,
  },
  bytes: {
    read: valueReader(parseBytes),
    problem: 'is not an amount of memory',
    example: '>128Mi',
    isContinuous: true,
  },
  age: {
    read: valueReader(parseDuration),
    problem: 'is not a time with its unit',
    example: '<10m',
    isContinuous: true,
  },
};

/** An example of how a field is asked for: `restarts>100`. */
export function exampleOf({ name, sort }: FilterField): string {
  if (sort === 'health') return 'is:unhealthy';
  if (sort === 'labels') return `${name}:app=web`;
  return sort === 'text' ? `${name}:text` : name + comparedSorts[sort].example;
}

function labelCheck(text: string): FieldCheck {
  const [, key = '', not = '', value] = /^([^=]*?)(!?)(?:={1,2}(.*))?$/s.exec(text) ?? [];
  const isNot = not !== '' && value !== undefined;
  return { type: 'label', key: isNot ? key : key + not, value, ...(isNot ? { isNot } : {}) };
}

/** Reads what is asked of a field. `!=` is read as `=`: whoever asks turns the answer. */
export function readCheck(field: FilterField, operator: FilterOperator, value: FilterValue): CheckOutcome {
  const { name, sort } = field;
  const text = value.text.toLowerCase();
  const isComparing = operator !== ':' && operator !== '=' && operator !== '!=';
  if (value.isRegex) {
    if (isComparing || sort === 'health')
      return { problem: `A regular expression follows a colon: write ${name}:/${value.text}/.` };
    if (value.text.length > maxRegexLength) return { problem: tooLong(value.text) };
    return { check: { type: 'regex', source: value.text } };
  }
  if (sort === 'health') {
    return text === 'unhealthy' && !isComparing
      ? { check: { type: 'unhealthy' } }
      : { problem: `There is no 'is${operator}${text}': is:unhealthy shows unhealthy objects.` };
  }
  if (sort === 'labels') {
    return isComparing
      ? { problem: `Labels cannot be compared: write ${name}:app or ${name}:app=web.` }
      : { check: labelCheck(text) };
  }
  // A star stands for anything, also in a number as it is written.
  if (!isComparing && text.includes('*')) return { check: { type: 'whole', text } };
  if (sort === 'text') {
    if (isComparing) return { problem: `'${name}' is a text: write ${name}:text or ${name}=text.` };
    return { check: { type: operator === ':' ? 'part' : 'whole', text } };
  }
  if (sort === 'ratio' && !isComparing && text.includes('/')) return { check: { type: 'whole', text } };
  const { read, problem, example, isContinuous } = comparedSorts[sort];
  const found = read(value.text) ?? read(text);
  if (found === undefined) return { problem: `'${value.text}' ${problem}: write ${name}${example}.` };
  if (!isComparing && isContinuous) return { problem: `'${name}' needs > or <: write ${name}${example}.` };
  return { check: { type: 'compare', operator: isComparing ? operator : '=', ...found } };
}

/** Says that a regular expression is too long. */
export const tooLong = (source: string): string =>
  `A regular expression has at most ${maxRegexLength} characters; this one has ${source.length}.`;
