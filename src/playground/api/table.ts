import { asStored } from '../conversion.ts';
import { readFileSync } from 'node:fs';
import { formatAge } from '../../kube/age.ts';
import { apiVersionOf, type Resource } from '../registry.ts';
import type { Obj, Rec } from '../values.ts';
import { customCells, customColumns } from '../custom/columns.ts';
import { cells } from './cells.ts';
import type { Page } from './list.ts';

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

let loaded: Readonly<Record<string, readonly ColumnDefinition[]>> | undefined;

/** The table columns of a resource, from the generated facts. */
function columnsOf(resource: Resource): readonly ColumnDefinition[] {
  if (resource.custom !== undefined) return customColumns(resource.custom);
  if (loaded === undefined) {
    const text = readFileSync(new URL('../facts/columns.gen.json', import.meta.url), 'utf8');
    loaded = (JSON.parse(text) as { columns: Record<string, ColumnDefinition[]> }).columns;
  }
  return (
    loaded[`${apiVersionOf(resource)}/${resource.plural}`] ?? [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', priority: 0 },
    ]
  );
}

/** An object reduced to its metadata. */
export function partialObject(object: Obj): Rec {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

function row(
  resource: Resource,
  columns: readonly ColumnDefinition[],
  object: Obj,
  include: string,
  now: number,
): Rec {
  const shown = include === 'None' ? null : include === 'Object' ? object : partialObject(object);
  if (resource.custom !== undefined) {
    return { cells: customCells(resource.custom, object, now), object: shown };
  }
  const values = cells(resource, asStored(resource, object), now);
  const created = object.metadata.creationTimestamp;
  const age = created === undefined ? '<unknown>' : formatAge((now - Date.parse(created)) / 1000);
  return {
    cells: columns.map((column) => {
      if (column.name in values) return values[column.name];
      if (column.name === 'Name') return object.metadata.name ?? '';
      if (column.name === 'Age') return age;
      if (column.name === 'Created At') return created ?? '';
      return '<none>';
    }),
    object: shown,
  };
}

function table(
  resource: Resource,
  objects: readonly Obj[],
  metadata: object,
  columns: boolean,
  include: string,
  now: number,
): Rec {
  const definitions = columnsOf(resource);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns ? definitions.map((column) => ({ ...column, description: '' })) : null,
    rows: objects.map((object) => row(resource, definitions, object, include, now)),
  };
}

const includeOf = (query: URLSearchParams) => query.get('includeObject') ?? 'Metadata';

/** A page as a Table, as `kubectl get` asks for it. */
export function tablePage(resource: Resource, page: Page, query: URLSearchParams, now: number): Rec {
  return table(resource, page.items, page.metadata, true, includeOf(query), now);
}

/** One object as a Table; columns only with the first of a watch. */
export function tableEvent(
  resource: Resource,
  object: Obj,
  columns: boolean,
  query: URLSearchParams,
  now: number,
): Rec {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  return table(resource, [object], metadata, columns, includeOf(query), now);
}
