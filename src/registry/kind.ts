import type { CellValue } from '../contract/live.ts';
import type { Permission } from '../contract/permissions.ts';
import type { KubeObject } from '../kube/object.ts';

/** The five tones of the console, worst last in `toneOrder`. */
export type Tone = 'ok' | 'info' | 'idle' | 'warn' | 'bad';
/** Rank of a tone when a list is sorted worst first. */
export const toneRank: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, info: 2, ok: 3, idle: 4 };

/** A status cell travels as `label|tone`: the word first, so that text filters find it. */
export interface KindStatus {
  readonly tone: Tone;
  readonly label: string;
}

/**
 * How a cell is drawn; each name is one component of the browser.
 * - `text`, `name`, `namespace`, `number`
 * - `status`: the cells `[label, tone]`
 * - `ratio`: `"1/2"`
 * - `restarts`: `[count, last restart in epoch seconds or null]`
 * - `age`: creation time in epoch seconds
 */
export type CellFormat =
  | 'text'
  | 'name'
  | 'namespace'
  | 'number'
  | 'status'
  | 'ratio'
  | 'restarts'
  | 'age'
  | 'mono';

/** One column: `value` is plain data to sort, filter, project and test by; `format` says how it looks. */
export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly format: CellFormat;
  readonly value: (object: T) => CellValue;
  /** Only shown when the person asks for the wide table. */
  readonly wide?: true;
  /** Dropped first in a narrow tile: the higher the earlier. 0 (default) never. */
  readonly dropAt?: number;
}

export type ColumnShorthand = 'namespace' | 'name' | 'status' | 'age';

export const sidebarSections = [
  'Cluster',
  'Resources',
  'Persistent Volumes',
  'Network',
  'Scalers',
  'Helm',
  'CRDs',
] as const;
export type SidebarSection = (typeof sidebarSections)[number];

/** What a kind file declares. */
export interface KindDefinition<T extends KubeObject> {
  /** Stable id, singular, e.g. `deployment`. */
  readonly id: string;
  /** Kubernetes' own name, e.g. `Deployment`. */
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Short names for the command line, e.g. `po`. */
  readonly aliases?: readonly string[];
  /** Plural title of pages and menus. */
  readonly title: string;
  readonly permissions: { readonly view: Permission; readonly manage: Permission };
  /** Explicit, because the specification's are irregular. The last parameter is the name. */
  readonly paths: {
    readonly list: string;
    readonly detail?: readonly [canonical: string, ...also: string[]];
  };
  readonly sidebar?: { readonly section: SidebarSection; readonly order: number; readonly icon: string };
  readonly status?: (object: T) => KindStatus;
  readonly columns: readonly (ColumnShorthand | Column<T>)[];
}

/** A kind, ready for use: every column spelled out. */
export interface Kind extends Omit<KindDefinition<KubeObject>, 'columns'> {
  readonly columns: readonly Column<KubeObject>[];
}

const seconds = (iso: string | undefined) => {
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
};

function expand<T extends KubeObject>(
  definition: KindDefinition<T>,
  column: ColumnShorthand | Column<T>,
): Column<T> {
  switch (column) {
    case 'name':
      return { id: 'name', label: 'Name', format: 'name', value: (o) => o.metadata?.name ?? '' };
    case 'namespace':
      return {
        id: 'namespace',
        label: 'Namespace',
        format: 'namespace',
        value: (o) => o.metadata?.namespace ?? '',
        dropAt: 1,
      };
    case 'age':
      return { id: 'age', label: 'Age', format: 'age', value: (o) => seconds(o.metadata?.creationTimestamp) };
    case 'status': {
      const status = definition.status;
      return {
        id: 'status',
        label: 'Status',
        format: 'status',
        value: (o) => {
          if (status === undefined) return null;
          const { label, tone } = status(o);
          return [label, tone];
        },
      };
    }
    default:
      return column;
  }
}

/**
 * Declares a resource kind.
 * List page, routes, permission checks, watch and conformance tests derive from the result.
 */
export function defineKind<T extends KubeObject>(definition: KindDefinition<T>): Kind {
  const columns = definition.columns.map((column) => expand(definition, column));
  // A kind reads only objects of its own group, version and plural: the one cast of the mechanism.
  return { ...definition, columns } as unknown as Kind;
}

/** Path of a kind's collection on the API server, of one namespace or of all. */
export function collectionPath(kind: Pick<Kind, 'group' | 'version' | 'plural'>, namespace?: string): string {
  const base = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  return namespace === undefined
    ? `${base}/${kind.plural}`
    : `${base}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`;
}
