import type { CellValue } from '../../contract/live.ts';
import type { IconName } from '../icon-name.ts';
import type { CellLink } from './kind.ts';

/** Another object that a row names, as menus and the palette offer it. */
export interface RowTarget {
  readonly title: string;
  readonly icon: IconName;
  /** A path of this console. */
  readonly href: string;
}

/** An object that a cell names: its kind by the id, or by Kubernetes' word for it, `Job` or `Job.batch.volcano.sh`. */
export interface NamedInCell {
  readonly kind: { readonly id: string } | { readonly word: string };
  /** Empty where neither the cell nor its row has one. */
  readonly namespace: string;
  readonly name: string;
}

/** `Kind namespace/name`, followed by a port or a remark; all but the name is optional. */
const referencePattern =
  /^(?:([A-Z][A-Za-z0-9]*) )?(?:([a-z0-9][a-z0-9-]*)\/)?([a-z0-9][a-z0-9.-]*)(?=$|:[a-z0-9]| \()/;
/** The longest reference that is read: longer ones are no name of an object. */
const maxReferenceLength = 600;

function referenced(text: string, kind: string, namespace: string): NamedInCell | undefined {
  if (text.length > maxReferenceLength) return undefined;
  // Of a path and where it leads: `/api → checkout:80`.
  const target = text.slice(text.lastIndexOf('→') + 1).trimStart();
  const [, word, place = namespace, name] = referencePattern.exec(target) ?? [];
  return name === undefined
    ? undefined
    : { kind: word === undefined ? { id: kind } : { word }, namespace: place, name };
}

/**
 * The object that a cell names; undefined for one that names none. A cell with several texts is asked for each.
 * @param namespace of the row, empty without one
 */
export function objectInCell(
  link: Exclude<CellLink, { readonly to: 'image' }>,
  value: CellValue | undefined,
  namespace: string,
): NamedInCell | undefined {
  if (link.to === 'object' || link.to === 'placed') {
    const [first, name, place] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    if (typeof first !== 'string' || first === '' || typeof name !== 'string' || name === '')
      return undefined;
    return link.to === 'object'
      ? { kind: { word: first }, namespace: typeof place === 'string' ? place : namespace, name }
      : { kind: { id: link.kind }, namespace: first, name };
  }
  if (typeof value !== 'string' || value === '') return undefined;
  if (link.to === 'reference') return referenced(value, link.kind, namespace);
  return { kind: { id: link.kind }, namespace, name: value };
}
