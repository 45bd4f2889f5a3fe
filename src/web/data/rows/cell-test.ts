import type { CellValue } from '../../../contract/live.ts';
import { type FieldCheck, shareOf } from '../../../registry/filter/check.ts';
import type { CellFormat } from '../../../registry/kind.ts';
import type { CompileRegex } from './regex.ts';
import { statusOf } from './tones.ts';

/** Whether a cell is meant. @param now seconds since 1970 */
type CellTest = (value: CellValue | undefined, now: number) => boolean;

/** The words of a cell, for the text filter. */
export function textOf(value: CellValue | undefined, format: CellFormat): string {
  if (value === null || value === undefined || format === 'age') return '';
  if (format === 'status') return statusOf(value)?.label ?? '';
  if (format === 'restarts') return Array.isArray(value) ? String(value[0] ?? '') : '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** The texts of a cell that are a whole each. */
function wholesOf(value: CellValue | undefined, format: CellFormat): readonly string[] {
  const text = textOf(value, format).toLowerCase();
  if (!Array.isArray(value) || format === 'status' || format === 'restarts') return [text];
  return [text, ...value.map((one) => String(one ?? '').toLowerCase())];
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
      return (value) => textOf(value, format).toLowerCase().includes(check.text);
    case 'whole': {
      const test = wildcardTest(check.text);
      return (value) => wholesOf(value, format).some(test);
    }
    case 'regex': {
      const test = compile?.(check.source);
      if (typeof test !== 'function') return () => false;
      return (value) => wholesOf(value, format).some(test);
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
