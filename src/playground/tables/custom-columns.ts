import { type Obj, str } from '../kit/values.ts';
import { ageOf } from './age.ts';
import { findPath } from '../custom/path.ts';
import type { Custom, PrinterColumn } from '../registry/structural.ts';

/** Columns of a definition without its own. */
const standard: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const columnsOf = ({ columns }: Custom) => (columns.length === 0 ? standard : columns);

/** Table columns of a custom resource: the name, then those of its definition. */
export function customColumns(custom: Custom) {
  return [
    { name: 'Name', type: 'string', format: 'name', priority: 0 },
    ...columnsOf(custom).map(({ name, type, format = '', priority = 0 }) => ({
      name,
      type,
      format,
      priority,
    })),
  ];
}

function printed(value: unknown): string {
  if (value === null) return '<nil>';
  return typeof value === 'object' ? JSON.stringify(value) : str(value);
}

function cell(column: PrinterColumn, object: Obj, now: number): unknown {
  const [value] = findPath(column.jsonPath, object);
  if (value === undefined) return null;
  switch (column.type) {
    case 'string':
      return printed(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return ageOf(str(value), now);
    default:
      return null;
  }
}

/** The cells of one row. */
export function customCells(custom: Custom, object: Obj, now: number): unknown[] {
  return [object.metadata.name ?? '', ...columnsOf(custom).map((column) => cell(column, object, now))];
}
