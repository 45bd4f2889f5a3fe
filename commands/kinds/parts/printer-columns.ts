import type { CellValue } from '../../../src/contract/live.ts';
import type { CustomObject, PrinterColumn } from '../../../src/kube/custom.ts';
import { compileJsonPath, maxPathLength } from '../../../src/kube/json-path.ts';
import { cleanText } from '../../../src/kube/text.ts';
import { polarityOf } from '../../../src/registry/custom-status/polarity.ts';
import { generalRule, type StatusRule } from '../../../src/registry/custom-status/rule.ts';
import type { CellFormat, Column } from '../../../src/registry/kinds/kind.ts';

// Definitions come from users of the cluster, so everything read from them has a limit.
const maxColumns = 20;
const maxPrinterColumns = 200;
const maxLabelLength = 40;
/** Maximum length of a cell in characters, and maximum number of values in a cell. */
const maxCellLength = 1_024;
const maxValues = 50;

/** The cell of a column whose path cannot be read: an empty one would say that the object has no value. */
const unreadable = 'Path not understood';

const formats: Readonly<Record<string, CellFormat>> = { integer: 'number', number: 'number', date: 'age' };

function printed(value: unknown, format: CellFormat): CellValue {
  if (format === 'age') {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? null : Math.floor(time / 1000);
  }
  // A cell has no whole number beyond those of a double: its digits are.
  if (typeof value === 'bigint') return String(value);
  if (format === 'number') {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : null;
  }
  return value === undefined ? null : textOf(value);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonStart(value, maxCellLength);
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength)}…` : text;
}

/** The JSON of a value, cut off after `most` characters: a column may be a whole object. */
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

/**
 * Reads a printer column of a definition; undefined if invalid, or for the creation time, which has a column of its
 * own.
 */
function printerColumn(given: unknown): Required<Omit<PrinterColumn, 'description'>> | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { name, type, jsonPath, priority } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof jsonPath !== 'string') return undefined;
  const label = cleanText(name).replaceAll(/\s+/g, ' ').trim().slice(0, maxLabelLength);
  if (label === '' || jsonPath === '' || jsonPath === '.metadata.creationTimestamp') return undefined;
  return {
    name: label,
    type: typeof type === 'string' ? type.slice(0, maxLabelLength) : 'string',
    // Keeps a path that is too long recognisable as too long.
    jsonPath: jsonPath.slice(0, 2 * maxPathLength),
    priority: typeof priority === 'number' ? priority : 0,
  };
}

/** A column accepted from a definition. */
export type TakenColumn = NonNullable<ReturnType<typeof printerColumn>>;

/** The list column for a definition's printer column. @param taken ids already in use; adds the new one */
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
  const path = compileJsonPath(jsonPath);
  const format = path !== undefined && Object.hasOwn(formats, type) ? (formats[type] ?? 'text') : 'text';
  return {
    id,
    label: name,
    format,
    dropAt: 3,
    ...(priority > 0 ? { wide: true as const } : {}),
    value: (object) => {
      if (path === undefined) return unreadable;
      const found = path.read(object);
      if (found.length > 1 && format === 'text' && !path.isOfFirst) {
        const values = found.slice(0, maxValues).map(textOf);
        return found.length > maxValues ? [...values, '…'] : values;
      }
      return printed(found[0], format);
    },
  };
}

/** Names of printer columns that repeat the console's own status column. */
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

/** Whether a column repeats the status: a summary condition, or a word that the status reads. */
function isDouble({ name, jsonPath }: TakenColumn, rule: StatusRule): boolean {
  if (!ownNames.has(name.toLowerCase())) return false;
  const path = jsonPath.replaceAll(' ', '');
  if (path === ofTypes) return true;
  const type = ofCondition.exec(path)?.[1];
  if (type !== undefined) return (rule.polarity?.[type] ?? polarityOf(type)) === 'head';
  return (rule.words ?? generalRule.words).some(({ at }) => `.${at}` === path);
}

/** Renames a column whose name equals one of the console's own columns, by what it shows. */
function renamed(column: TakenColumn): TakenColumn {
  if (column.name.toLowerCase() !== 'status') return column;
  const field = /([A-Za-z]\w*)$/.exec(column.jsonPath)?.[1] ?? '';
  const label = field.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const name =
    label === '' || label === 'status'
      ? 'Reported status'
      : `${label.charAt(0).toUpperCase()}${label.slice(1)}`.slice(0, maxLabelLength);
  return { ...column, name };
}

/**
 * Selects printer columns of a definition: a limited number, with unique names.
 * @param rule the status rule of the kind; undefined if it has no status column
 */
export function takenColumns(
  given: readonly unknown[],
  rule: StatusRule | undefined,
): readonly TakenColumn[] {
  const printed = given.slice(0, maxPrinterColumns).flatMap((column) => printerColumn(column) ?? []);
  const accepted = rule === undefined ? printed : printed.filter((one) => !isDouble(one, rule)).map(renamed);
  return accepted.slice(0, maxColumns);
}
