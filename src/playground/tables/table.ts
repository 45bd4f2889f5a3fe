import { asStored } from '../registry/conversion.ts';
import { readFileSync } from 'node:fs';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { at, type Obj, type Rec, str } from '../kit/values.ts';
import { ageOf } from './age.ts';
import { customCells, customColumns } from './custom-columns.ts';
import { cells } from './cells.ts';

/** The version of meta.k8s.io in which tables and metadata come. */
export type MetaVersion = 'v1' | 'v1beta1';

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

let loadedColumns: Readonly<Record<string, readonly ColumnDefinition[]>> | undefined;

/** Table columns of a resource, from the recorded facts. */
function columnsOf(resource: Resource): readonly ColumnDefinition[] {
  if (resource.custom !== undefined) return customColumns(resource.custom);
  if (loadedColumns === undefined) {
    const text = readFileSync(new URL('../facts/columns.gen.json', import.meta.url), 'utf8');
    loadedColumns = (JSON.parse(text) as { columns: Record<string, ColumnDefinition[]> }).columns;
  }
  return (
    loadedColumns[`${apiVersionOf(resource)}/${resource.plural}`] ?? [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', priority: 0 },
    ]
  );
}

/** An object reduced to its metadata. */
export function partialObject(object: Obj, version: MetaVersion): Rec {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

/** Options of a table. `include`: the form of the objects in its rows; `now`: ms since 1970. */
interface TableOptions {
  readonly include: string;
  readonly version: MetaVersion;
  readonly now: number;
}

function row(
  resource: Resource,
  columns: readonly ColumnDefinition[],
  object: Obj,
  { include, version, now }: TableOptions,
): Rec {
  const rowObject =
    include === 'None' ? null : include === 'Object' ? object : partialObject(object, version);
  if (resource.custom !== undefined) {
    return { cells: customCells(resource.custom, object, now), object: rowObject };
  }
  const values = cells(resource, asStored(resource, object), now);
  const created = object.metadata.creationTimestamp;
  const age = created === undefined ? '<unknown>' : ageOf(created, now);
  return {
    cells: columns.map((column) => {
      if (column.name in values) return values[column.name];
      if (column.name === 'Name') return object.metadata.name ?? '';
      if (column.name === 'Age') return age;
      if (column.name === 'Created At') return created ?? '';
      return '<none>';
    }),
    ...rowConditions(resource, object),
    object: rowObject,
  };
}

const ends: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

/** The Completed condition of a row whose pod has ended, so that clients may hide it. */
function rowConditions(resource: Resource, object: Obj): Rec {
  const phase = resource.storage === '/pods' ? str(at(object, 'status', 'phase')) : '';
  const message = ends[phase];
  return message === undefined
    ? {}
    : { conditions: [{ type: 'Completed', status: 'True', reason: phase, message }] };
}

function table(
  resource: Resource,
  objects: readonly Obj[],
  metadata: object,
  columns: boolean,
  options: TableOptions,
): Rec {
  const definitions = columnsOf(resource);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: columns ? definitions.map((column) => ({ ...column, description: '' })) : null,
    rows: objects.map((object) => row(resource, definitions, object, options)),
  };
}

/** Reads the table options of a request. */
export const tableOptions = (query: URLSearchParams, version: MetaVersion, now: number): TableOptions => ({
  include: query.get('includeObject') ?? 'Metadata',
  version,
  now,
});

/** A page of a list as a Table, as `kubectl get` requests it. */
export function tablePage(
  resource: Resource,
  page: { readonly items: readonly Obj[]; readonly metadata: object },
  options: TableOptions,
): Rec {
  return table(resource, page.items, page.metadata, true, options);
}

/** One object as a Table; in a watch only the first one has columns. */
export function tableEvent(resource: Resource, object: Obj, columns: boolean, options: TableOptions): Rec {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  return table(resource, [object], metadata, columns, options);
}
