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

/** The entries of a cluster's definitions, by kind: what has a file has a place of its own. */
export function customEntries(definitions: readonly CustomEntry[]): readonly CustomEntry[] {
  const found = definitions.filter(({ group, kind }) => kindOfObject(`${group}/`, kind) === undefined);
  if (found.length < 2) return found;
  // As people look names up. Made for names alone: reading a language's rules costs a page 18 ms, which it has not at its start.
  const { compare } = new Intl.Collator('en');
  return found.sort((a, b) => compare(a.kind, b.kind) || compare(a.crdName, b.crdName));
}
