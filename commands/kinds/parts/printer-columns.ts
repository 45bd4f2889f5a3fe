import type { CellValue } from '../../../src/contract/live.ts';
import type { CustomObject, PrinterColumn } from '../../../src/kube/custom.ts';
import { compileJsonPath, longestPath } from '../../../src/kube/json-path.ts';
import { cleanText } from '../../../src/kube/text.ts';
import { polarityOf } from '../../../src/registry/custom-status/polarity.ts';
import { generalRule, type StatusRule } from '../../../src/registry/custom-status/rule.ts';
import type { CellFormat, Column } from '../../../src/registry/kind.ts';

// Definitions come from whoever may write them: what is taken of one has an end.
const mostColumns = 20;
const mostPrinted = 200;
const longestLabel = 40;
/** Of a cell in characters, and of a cell of several values in values. */
const longestCell = 1_024;
const mostValues = 50;

const formats: Readonly<Record<string, CellFormat>> = { integer: 'number', number: 'number', date: 'age' };

function printed(value: unknown, format: CellFormat): CellValue {
  if (format === 'age') {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? null : Math.floor(time / 1000);
  }
  if (format === 'number') {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : null;
  }
  return value === undefined ? null : textOf(value);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonStart(value, longestCell);
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text;
}

/** The JSON of a value, written only until it has more than `most` characters: a column may be a whole object. */
function jsonStart(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [index, key] of Object.keys(value).entries()) {
    if (text.length > most) return text;
    if (index > 0) text += ',';
    if (!isList) text += `${JSON.stringify(key.slice(0, most))}:`;
    text += jsonStart((value as Readonly<Record<string, unknown>>)[key], Math.max(0, most - text.length));
  }
  return `${text}${isList ? ']' : '}'}`;
}

/** What a definition says of a column, where it is one; creation has a column of its own. */
function printerColumn(given: unknown): Required<Omit<PrinterColumn, 'description'>> | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { name, type, jsonPath, priority } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof jsonPath !== 'string') return undefined;
  const label = cleanText(name).replaceAll(/\s+/g, ' ').trim().slice(0, longestLabel);
  if (label === '' || jsonPath === '' || jsonPath === '.metadata.creationTimestamp') return undefined;
  return {
    name: label,
    type: typeof type === 'string' ? type.slice(0, longestLabel) : 'string',
    // One that is too long to be read stays so.
    jsonPath: jsonPath.slice(0, 2 * longestPath),
    priority: typeof priority === 'number' ? priority : 0,
  };
}

/** A column as it is taken of a definition. */
export type TakenColumn = NonNullable<ReturnType<typeof printerColumn>>;

/** The column of a table that a definition's column is. @param taken ids that are others', and its own from now on */
export function columnOf(
  { name, type, jsonPath, priority }: TakenColumn,
  taken: Set<string>,
): Column<CustomObject> {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'column';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  const format = Object.hasOwn(formats, type) ? (formats[type] ?? 'text') : 'text';
  const read = compileJsonPath(jsonPath);
  return {
    id,
    label: name,
    format,
    dropAt: 3,
    ...(priority > 0 ? { wide: true as const } : {}),
    value: (object) => {
      const found = read(object);
      if (found.length > 1 && format === 'text') {
        const values = found.slice(0, mostValues).map(textOf);
        return found.length > mostValues ? [...values, '…'] : values;
      }
      return printed(found[0], format);
    },
  };
}

/** Names under which definitions show what the console's own column of the status shows. */
const ownNames: ReadonlySet<string> = new Set([
  'ready',
  'status',
  'state',
  'health',
  'healthy',
  'health status',
]);
const ofCondition = /^\.status(?:\.\w+)?\.conditions\[\?\(@\.type==["']?([\w.-]+)["']?\)\]\.status$/;
const ofTypes = '.status.conditions[*].type';

/** Whether a column shows what the status already tells: a condition that sums up, or a word that the status reads. */
function isDouble({ name, jsonPath }: TakenColumn, rule: StatusRule): boolean {
  if (!ownNames.has(name.toLowerCase())) return false;
  const path = jsonPath.replaceAll(' ', '');
  if (path === ofTypes) return true;
  const type = ofCondition.exec(path)?.[1];
  if (type !== undefined) return (rule.polarity?.[type] ?? polarityOf(type)) === 'head';
  return (rule.words ?? generalRule.words).some(({ at }) => `.${at}` === path);
}

/** Another name for a column that is called as the console's own: by what it shows. */
function renamed(column: TakenColumn): TakenColumn {
  if (column.name.toLowerCase() !== 'status') return column;
  const field = /([A-Za-z]\w*)$/.exec(column.jsonPath)?.[1] ?? '';
  const words = field.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const name =
    words === '' || words === 'status'
      ? 'Reported status'
      : `${words.charAt(0).toUpperCase()}${words.slice(1)}`.slice(0, longestLabel);
  return { ...column, name };
}

/**
 * What is taken of the columns of a definition, whatever it holds: as many as a table bears, each with a name of its own.
 * @param rule of the kind's status, whose column stands among them; undefined for a kind without one
 */
export function takenColumns(
  given: readonly unknown[],
  rule: StatusRule | undefined,
): readonly TakenColumn[] {
  const printed = given.slice(0, mostPrinted).flatMap((column) => printerColumn(column) ?? []);
  const kept = rule === undefined ? printed : printed.filter((one) => !isDouble(one, rule)).map(renamed);
  return kept.slice(0, mostColumns);
}
