import type { CellValue } from '../../../contract/live.ts';
import { type FieldCheck, shareOf } from '../../../registry/filter/check.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { CompileRegex } from './regex.ts';
import { statusOf } from './tones.ts';

/** Whether a cell is meant. @param now seconds since 1970 */
type CellTest = (value: CellValue | undefined, now: number) => boolean;

/** The words of a cell, for the text filter. */
export function textOf(value: CellValue | undefined, format: CellFormat): string {
  if (value === null || value === undefined || format === 'age' || format === 'duration') return '';
  if (format === 'status') return statusOf(value)?.label ?? '';
  if (format === 'restarts') return Array.isArray(value) ? String(value[0] ?? '') : '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** Maximum number of texts whose answer a test remembers. */
const rememberedTexts = 5_000;

/** Asks a test about texts in lower case, each text once: those of a column are mostly the same few. */
function remembering(test: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = test(text.toLowerCase());
    if (answers.size < rememberedTexts) answers.set(text, answer);
    return answer;
  };
}

/** A test of a part of a cell's text. */
function partTest(part: string, format: CellFormat): CellTest {
  const passes = remembering((text) => text.includes(part));
  return (value) => passes(textOf(value, format));
}

/** A test of the whole text of a cell, and of each text where it has several. */
function wholeTest(test: (text: string) => boolean, format: CellFormat): CellTest {
  const passes = remembering(test);
  const isSingle = format === 'status' || format === 'restarts';
  return (value) =>
    passes(textOf(value, format)) ||
    (!isSingle && Array.isArray(value) && value.some((one) => passes(String(one ?? ''))));
}

/** Whether a text is another, in which `*` stands for anything. Takes time in proportion to the text alone. */
export function wildcardTest(wanted: string): (text: string) => boolean {
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === wanted;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** `label:app=web` for a value, `label:app` for a key; `*` stands for anything. */
function labelTest(wanted: Extract<FieldCheck, { readonly type: 'label' }>): CellTest {
  const key = wildcardTest(wanted.key);
  const value = wanted.value === undefined ? undefined : wildcardTest(wanted.value);
  const hasLabel: CellTest = (cell) =>
    Array.isArray(cell) &&
    (cell as readonly unknown[]).some((one) => {
      const text = String(one).toLowerCase();
      const equals = text.indexOf('=');
      const name = equals < 0 ? text : text.slice(0, equals);
      return key(name) && (value === undefined || value(equals < 0 ? '' : text.slice(equals + 1)));
    });
  return wanted.isNot === true ? (cell, now) => !hasLabel(cell, now) : hasLabel;
}

/** The number of a cell; of an age the seconds that have passed. Undefined where it has none. */
function numberIn(
  value: CellValue | undefined,
  format: CellFormat,
  of: 'value' | 'share',
  now: number,
): number | undefined {
  if (format === 'ratio') {
    const [, part, whole] = /^(\d+)\/(\d+)$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (part === undefined) return undefined;
    return of === 'value' ? Number(part) : shareOf(Number(part), Number(whole));
  }
  if (format === 'duration') {
    const [from, until] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return typeof from === 'number' ? (typeof until === 'number' ? until : now) - from : undefined;
  }
  const first: unknown = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  if (typeof first !== 'number') return undefined;
  return format === 'age' ? now - first : first;
}

const comparisons = {
  '=': (a: number, b: number) => a === b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
};

/** How a check is asked of the cells of a column. Regular expressions match nothing without an engine. */
export function cellTest(check: FieldCheck, format: CellFormat, compile: CompileRegex | undefined): CellTest {
  switch (check.type) {
    case 'part':
      return partTest(check.text, format);
    case 'whole':
      return wholeTest(wildcardTest(check.text), format);
    case 'regex': {
      const regex = compile?.(check.source);
      return typeof regex === 'object' ? wholeTest((text) => regex.test(text), format) : () => false;
    }
    case 'label':
      return labelTest(check);
    case 'compare': {
      const { number, of } = check;
      const compare = comparisons[check.operator];
      return (value, now) => {
        const found = numberIn(value, format, of, now);
        return found !== undefined && compare(found, number);
      };
    }
    case 'unhealthy':
      return () => true;
    default:
      return check satisfies never;
  }
}
