import { plainText } from './ansi.ts';
import type { LogBuffer } from './buffer.ts';
import { columnKey, columnLabel } from './columns.ts';
import { type FieldPath, isUsual, type JsonLine, jsonOf, valueText } from './json.ts';
import { levelOf } from './level.ts';

/** Lines that are looked at each time, of those that came: the newest. */
const perLook = 50;
/** Different fields that are remembered, and how many letters of a name one may have. */
const maxFields = 200;
const maxNameLength = 120;
/** Minimum width of a column, letters. */
const narrowest = 4;
const maxFieldWidth = 28;

/** A field that lines of a log have. */
export interface KnownField {
  readonly path: FieldPath;
  readonly label: string;
  /** Lines that had it, of those that were looked at. */
  readonly count: number;
}

/** The fields found in the JSON lines of a log. */
export interface FieldIndex {
  /** Looks at the newest of what came since. */
  look(buffer: LogBuffer): void;
  /** The commonest first. */
  fields(): readonly KnownField[];
  /** Room for a column, letters. */
  widthOf(path: FieldPath): number;
  /** Whether any line said how loud it is. */
  readonly hasLevels: boolean;
  readonly hasJson: boolean;
}

/** Nothing is known yet. */
export function createFieldIndex(): FieldIndex {
  const known = new Map<string, { path: FieldPath; count: number; width: number }>();
  let until = 0;
  let hasLevels = false;
  let hasJson = false;

  function note(path: FieldPath, value: unknown): void {
    if (path.some((name) => name.length > maxNameLength)) return;
    const key = columnKey(path);
    const one = known.get(key);
    const width = Math.min(maxFieldWidth, valueText(value).length);
    if (one !== undefined) {
      one.count += 1;
      one.width = Math.max(one.width, width);
    } else if (known.size < maxFields) known.set(key, { path, count: 1, width });
  }

  function noteLine(line: JsonLine): void {
    for (const [name, value] of Object.entries(line)) {
      if (isUsual(name, line)) continue;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) note([name], value);
      else for (const [inner, one] of Object.entries(value)) note([name, inner], one);
    }
  }

  return {
    look(buffer) {
      for (let at = Math.max(until, buffer.first, buffer.end - perLook); at < buffer.end; at += 1) {
        const line = buffer.at(at);
        if (line === undefined || line[3] !== undefined) continue;
        const text = plainText(line[1]);
        hasLevels ||= levelOf(text) !== undefined;
        const json = jsonOf(text);
        if (json === undefined) continue;
        hasJson = true;
        noteLine(json);
      }
      until = buffer.end;
    },
    fields: () =>
      [...known.values()]
        .map(({ path, count }) => ({ path, count, label: columnLabel(path) }))
        .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label)),
    widthOf: (path) =>
      Math.min(
        maxFieldWidth,
        Math.max(narrowest, columnLabel(path).length, known.get(columnKey(path))?.width ?? 0),
      ),
    get hasLevels() {
      return hasLevels;
    },
    get hasJson() {
      return hasJson;
    },
  };
}
