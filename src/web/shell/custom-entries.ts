import type { Row } from '../../contract/live.ts';
import { fillPath } from '../../registry/path.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import { kindOfObject } from '../core/kinds/declared.ts';

/** A definition, as the sidebar lists it. */
export interface CustomEntry {
  readonly crdName: string;
  readonly group: string;
  readonly kind: string;
}

/** The cells of the rows of definitions, by the ids of their columns in order. */
export function definitionsIn(rows: Iterable<Row>, order: readonly string[]): CustomEntry[] {
  const [name, group, kind] = ['name', 'group', 'kind'].map((id) => order.indexOf(id));
  const text = (cells: Row[1], at = -1) => String(cells[at] ?? '');
  return Array.from(rows, ([, cells]) => ({
    crdName: text(cells, name),
    group: text(cells, group),
    kind: text(cells, kind),
  }));
}

/** Where the objects of a definition are listed: a kind with a file has a list of its own, to which both ways lead. */
export function customHref(
  registry: Pick<Registry, 'href'>,
  clusterId: number,
  { crdName, group, kind }: CustomEntry,
): string {
  const declared = kindOfObject(`${group}/`, kind);
  const cluster = { clusterId: String(clusterId) };
  return declared === undefined
    ? registry.href('custom.list', { ...cluster, crdName })
    : fillPath(declared.paths.list, cluster);
}

/** The entries of a cluster's definitions, all of them, by kind. */
export function customEntries(definitions: readonly CustomEntry[]): readonly CustomEntry[] {
  if (definitions.length < 2) return definitions;
  // As people look names up. Made for names alone: reading a language's rules costs a page 18 ms, which it has not at its start.
  const { compare } = new Intl.Collator('en');
  return [...definitions].sort((a, b) => compare(a.kind, b.kind) || compare(a.crdName, b.crdName));
}
