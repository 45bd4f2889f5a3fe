import { counted } from '../../../registry/counted.ts';

/** A line of the tree of an object's fields. */
export interface FieldRow {
  /** Its path, as a JSON list: unique, whatever the names are. */
  readonly id: string;
  readonly name: string;
  /** Of a plain value its text, of others what is in it: `3 items`. */
  readonly value: string;
  readonly sort: 'text' | 'number' | 'boolean' | 'null' | 'object' | 'list' | 'more';
  /** Undefined for what has nothing in it. */
  readonly isOpen: boolean | undefined;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly parent: string | undefined;
}

/** Entries of one object or list that show at first, and with each step more. */
export const pageOfFields = 50;
/** Levels that are open at first. */
const openTo = 2;
const openWidth = 12;
/** Objects of clusters are no deeper. */
const maxDepth = 64;
/** A longer text is cut: the YAML has all of it. */
const maxTextLength = 500;

/** The entries that a person opened and closed, and how many entries of a wide one are shown. */
export interface FieldFolding {
  readonly open: ReadonlyMap<string, boolean>;
  readonly shown: ReadonlyMap<string, number>;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const countText = (value: object): string =>
  counted(Object.keys(value).length, Array.isArray(value) ? 'item' : 'field');

/** A name for an item of a list: its position, with what names it where it has a name or type. */
function itemName(index: string, value: unknown): string {
  if (!isNested(value)) return index;
  const { name, type } = value as { readonly name?: unknown; readonly type?: unknown };
  const said = typeof name === 'string' ? name : type;
  return typeof said === 'string' && said !== '' ? `${index} ${said.slice(0, 80)}` : index;
}

function sortOf(value: unknown): FieldRow['sort'] {
  if (Array.isArray(value)) return 'list';
  if (isNested(value)) return 'object';
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' || typeof value === 'bigint'
    ? 'number'
    : typeof value === 'boolean'
      ? 'boolean'
      : 'text';
}

function textOf(value: unknown): string {
  if (isNested(value)) return countText(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** The lines of fields that show, in order. @param root its fields stand at the top */
export function fieldRows(root: object, { open, shown }: FieldFolding): readonly FieldRow[] {
  const rows: FieldRow[] = [];
  const add = (value: object, path: readonly string[], level: number, parent: string | undefined): void => {
    const entries = Object.entries(value);
    const most = shown.get(parent ?? '') ?? pageOfFields;
    const listed = entries.slice(0, most);
    const more = entries.length - listed.length;
    const setSize = listed.length + (more > 0 ? 1 : 0);
    for (const [at, [name, child]] of listed.entries()) {
      const place = [...path, name];
      const id = JSON.stringify(place);
      const width = isNested(child) ? Object.keys(child).length : 0;
      const canOpen = width > 0 && level < maxDepth;
      const isOpen = canOpen ? (open.get(id) ?? (level < openTo && width <= openWidth)) : undefined;
      rows.push({
        id,
        name: Array.isArray(value) ? itemName(name, child) : name,
        value: textOf(child),
        sort: sortOf(child),
        isOpen,
        level,
        position: at + 1,
        setSize,
        parent,
      });
      if (isOpen === true && isNested(child)) add(child, place, level + 1, id);
    }
    if (more === 0) return;
    const id = `${parent ?? ''} more`;
    rows.push({
      id,
      name: `${more.toLocaleString('en')} more`,
      value: '',
      sort: 'more',
      isOpen: undefined,
      level,
      position: setSize,
      setSize,
      parent,
    });
  };
  add(root, [], 1, undefined);
  return rows;
}

/** The line that a key leads to, and what it does to the folding: the tree pattern. Undefined for other keys. */
export function stepFields(
  rows: readonly FieldRow[],
  from: string | undefined,
  key: string,
): { readonly to?: string; readonly open?: readonly [id: string, value: boolean] } | undefined {
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === from),
  );
  const row = rows[index];
  if (row === undefined) return undefined;
  const at = (to: number) => {
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    return next === undefined ? {} : { to: next.id };
  };
  switch (key) {
    case 'ArrowDown':
      return at(index + 1);
    case 'ArrowUp':
      return at(index - 1);
    case 'Home':
      return at(0);
    case 'End':
      return at(rows.length - 1);
    case 'ArrowRight':
      if (row.isOpen === false) return { open: [row.id, true] };
      return row.isOpen === true ? at(index + 1) : {};
    case 'ArrowLeft':
      if (row.isOpen === true) return { open: [row.id, false] };
      return row.parent === undefined ? {} : { to: row.parent };
    default:
      return undefined;
  }
}
