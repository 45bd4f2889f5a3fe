import type { Row } from '../../contract/live.ts';
import { kindOfObject } from '../kinds/declared.ts';

/** A definition, as the sidebar lists it. */
export interface CustomEntry {
  readonly crdName: string;
  readonly group: string;
  readonly kind: string;
}

/** What the rows of definitions say, by the ids of their columns in order. */
export function definitionsIn(rows: Iterable<Row>, order: readonly string[]): CustomEntry[] {
  const [name, group, kind] = ['name', 'group', 'kind'].map((id) => order.indexOf(id));
  const text = (cells: Row[1], at = -1) => String(cells[at] ?? '');
  return Array.from(rows, ([, cells]) => ({
    crdName: text(cells, name),
    group: text(cells, group),
    kind: text(cells, kind),
  }));
}

/** As people look names up; thousands of names are sorted with one reading of the language's rules. */
const byName = new Intl.Collator('en').compare;

/** The entries of a cluster's definitions, by kind: what has a file has a place of its own. */
export function customEntries(definitions: readonly CustomEntry[]): readonly CustomEntry[] {
  return definitions
    .filter(({ group, kind }) => kindOfObject(`${group}/`, kind) === undefined)
    .sort((a, b) => byName(a.kind, b.kind) || byName(a.crdName, b.crdName));
}
