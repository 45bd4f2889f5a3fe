import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { CellValue, Row } from '../../contract/live.ts';
import type { Permission } from '../../contract/permissions.ts';
import { imagePage } from '../../kube/image-page.ts';
import { objectInCell, type RowTarget } from '../../registry/kinds/cell-link.ts';
import type { FirstFacts, KindFacts } from '../../registry/kinds/kind-facts.ts';
import type { CellLink } from '../../registry/kinds/kind.ts';
import { ownPath } from '../../registry/path.ts';
import type { May } from '../../registry/commands/registry.ts';
import { formatKindName } from '../../registry/kinds/resource-key.ts';
import { kindById, kindByWord } from '../core/kinds/declared.ts';
import { objectPath } from './object-path.ts';
import { useData } from './port.ts';
import type { PlacedColumn } from './rows/placed.ts';

/**
 * Where a cell leads: a path of this console or, for an image, an address elsewhere; undefined for a cell that leads
 * nowhere. One with several texts is asked for each.
 * @param namespace of the row, empty without one
 */
export type CellHref = (value: CellValue | undefined, namespace: string) => string | undefined;

/** Where links are drawn, and for whom. */
export interface LinkedPlace {
  readonly cluster: string;
  readonly may: May;
}

/** The page of an object; undefined without one, and for a name by which a browser would go elsewhere. */
function pathTo(
  kind: Pick<KindFacts, 'id' | 'scope' | 'paths'>,
  cluster: string,
  namespace: string,
  name: string,
): string | undefined {
  const isPlaced = kind.scope === 'Namespaced';
  if (kind.paths.detail === undefined || name === '' || (isPlaced && namespace === '')) return undefined;
  // A lone surrogate cannot be written in an address.
  if (!name.isWellFormed() || !namespace.isWellFormed()) return undefined;
  return ownPath(objectPath({ cluster, kind: kind.id, ...(isPlaced ? { namespace } : {}), name }));
}

/** Where the name of a row leads: to the object of the row. */
export function nameHref(kind: Pick<KindFacts, 'id' | 'scope' | 'paths'>, cluster: string): CellHref {
  return (value, namespace) =>
    typeof value === 'string' ? pathTo(kind, cluster, namespace, value) : undefined;
}

/** The permission to view custom objects; `commands/kinds/custom.ts` is too large for the page's first code. */
const customView: Permission = 'namespaces.view';

/** The kind that a cell calls by its word and group, as `Cluster.b.example.org`, if it has no file. */
function customName(word: string): { readonly kind: string; readonly id: string } | undefined {
  const dot = word.indexOf('.');
  if (dot <= 0 || kindByWord(word) !== undefined) return undefined;
  const kind = word.slice(0, dot);
  return { kind, id: formatKindName({ group: word.slice(dot + 1), word: kind }) };
}

/** The object that a text of a cell leads to; undefined for none, and for one that the person may not view. */
function targetIn(
  link: Exclude<CellLink, { readonly to: 'image' }>,
  { cluster, may }: LinkedPlace,
  value: CellValue | undefined,
  namespace: string,
):
  | { readonly kind: Pick<FirstFacts, 'kind' | 'icon'>; readonly name: string; readonly href: string }
  | undefined {
  const found = objectInCell(link, value, namespace);
  if (found === undefined) return undefined;
  const custom = 'word' in found.kind ? customName(found.kind.word) : undefined;
  if (custom !== undefined) {
    const { namespace: placed, name } = found;
    const isWritable = name.isWellFormed() && placed.isWellFormed();
    if (!isWritable || !may(customView)) return undefined;
    const path = objectPath({
      cluster,
      kind: custom.id,
      ...(placed === '' ? {} : { namespace: placed }),
      name,
    });
    const href = path === undefined ? undefined : ownPath(path);
    return href === undefined ? undefined : { kind: { kind: custom.kind, icon: 'object' }, name, href };
  }
  const kind = 'id' in found.kind ? kindById(found.kind.id) : kindByWord(found.kind.word);
  if (kind === undefined || !may(kind.permissions.view)) return undefined;
  const href = pathTo(kind, cluster, found.namespace, found.name);
  return href === undefined ? undefined : { kind, name: found.name, href };
}

/** Where the cells of a column lead whose texts name other objects: to those that the person may view. */
export function cellHref(link: CellLink, place: LinkedPlace): CellHref {
  if (link.to === 'image') return (value) => (typeof value === 'string' ? imagePage(value) : undefined);
  return (value, namespace) => targetIn(link, place, value, namespace)?.href;
}

/** The place of a person on a cluster; the same object while the permissions stay. */
export function useLinkedPlace(cluster: string): LinkedPlace {
  const { queries } = useData();
  const held = useQuery(queries.permissions(Number(cluster))).data;
  return useMemo(
    () => ({ cluster, may: (permission) => held?.includes(permission) === true }),
    [cluster, held],
  );
}

/** `cellHref` for this person on a cluster; the same function while the permissions stay. */
export function useCellHref(cluster: string): (link: CellLink) => CellHref {
  const place = useLinkedPlace(cluster);
  return useCallback((link) => cellHref(link, place), [place]);
}

/** Where the cells of a row lead. */
export interface RowLinks {
  /** By column, undefined for one that leads nowhere. */
  readonly hrefs: readonly (CellHref | undefined)[];
  /** Where in a row its namespace is; -1 without one. */
  readonly namespaceAt: number;
}

/** The namespace of a row, empty without one. */
export function namespaceIn(
  cells: readonly CellValue[],
  { namespaceAt }: Pick<RowLinks, 'namespaceAt'>,
): string {
  const value = cells[namespaceAt];
  return typeof value === 'string' ? value : '';
}

/** Where the cells of some columns of a kind's list lead. */
export function hrefsOf(
  kind: Pick<KindFacts, 'id' | 'scope' | 'paths'>,
  columns: readonly PlacedColumn[],
  place: LinkedPlace,
): RowLinks['hrefs'] {
  const nameTo = nameHref(kind, place.cluster);
  return columns.map(({ column: { format, links } }) => {
    if (format === 'name') return nameTo;
    return links === undefined ? undefined : cellHref(links, place);
  });
}

/** The objects that the cells of a row name, each once, without its namespace. */
export function targetsOf(
  [, cells]: Row,
  columns: readonly PlacedColumn[],
  namespaceAt: number,
  place: LinkedPlace,
): readonly RowTarget[] {
  const namespace = namespaceIn(cells, { namespaceAt });
  const found = new Map<string, RowTarget>();
  for (const { column, index } of columns) {
    const { links, format } = column;
    if (links === undefined || links.to === 'image' || format === 'namespace') continue;
    const value = cells[index];
    const texts = Array.isArray(value) && format !== 'object' ? (value as readonly CellValue[]) : [value];
    for (const text of texts) {
      const target = targetIn(links, place, text, namespace);
      if (target === undefined) continue;
      const { kind, name, href } = target;
      found.set(href, { title: `Open ${kind.kind} ${name}`, icon: kind.icon, href });
    }
  }
  return [...found.values()];
}
