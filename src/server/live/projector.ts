import type { Logger } from 'pino';
import type { CellValue } from '../../contract/live.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { Column, Kind } from '../../registry/kind.ts';

/** What the hub holds of an object: never the object itself. */
export interface Entry {
  readonly uid: string;
  readonly name: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** Opaque. The only fields that change in place are the two that no row shows. */
  version: string;
  labels: Readonly<Record<string, string>>;
  /** In the order of the kind's columns. */
  readonly cells: readonly CellValue[];
}

/**
 * Reduces an object to what is held. Returns `previous` itself (its version and labels brought up to date) when no
 * cell changed, so that identity tells whether there is anything to send. Undefined for an object without a name.
 */
export type Projector = (object: KubeObject, previous: Entry | undefined) => Entry | undefined;

/** Distinct values shared before the table starts anew: sharing is lost then, nothing else. */
const shareLimit = 10_000;

/** Shares equal values between entries: ten thousand pods have a handful of namespaces, nodes and label sets. */
function createSharing() {
  let shared = new Map<string, unknown>();
  return <T>(key: string, value: T): T => {
    const known = shared.get(key);
    if (known !== undefined) return known as T;
    if (shared.size >= shareLimit) shared = new Map();
    shared.set(key, value);
    return value;
  };
}

function sameCell(a: CellValue, b: CellValue | undefined): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, index) => value === (b as readonly unknown[])[index]);
}

/** Identity of an object: its uid, or its place for the rare API that gives none. */
export function identity(object: KubeObject): string | undefined {
  const { uid, name, namespace } = object.metadata ?? {};
  if (uid !== undefined && uid !== '') return uid;
  return name === undefined ? undefined : `${namespace ?? ''}/${name}`;
}

/**
 * The projector of one kind. Every text is stripped of control characters here, the single place where cluster text
 * enters lists. A column that throws is logged once with its id and gives null: it never blanks the list.
 */
export function createProjector(kind: Kind, log: Logger): Projector {
  const share = createSharing();
  const complained = new Set<string>();

  function text(value: string, column: Column<KubeObject>): string {
    const clean = cleanText(value);
    // Names and addresses are as good as unique; sharing them would only fill the table.
    return column.format === 'name' || column.format === 'mono' ? clean : share(`s${clean}`, clean);
  }

  function cell(object: KubeObject, column: Column<KubeObject>): CellValue {
    try {
      const value = column.value(object);
      if (typeof value === 'string') return text(value, column);
      if (!Array.isArray(value)) return value ?? null;
      const list = value.map((item: string | number | null) =>
        typeof item === 'string' ? cleanText(item) : item,
      );
      return share(`a${JSON.stringify(list)}`, list);
    } catch (error) {
      if (!complained.has(column.id)) {
        complained.add(column.id);
        log.error({ err: error, kind: kind.id, column: column.id }, 'A column failed and is shown empty');
      }
      return null;
    }
  }

  return (object, previous) => {
    const uid = identity(object);
    const metadata = object.metadata;
    if (uid === undefined || metadata?.name === undefined) return undefined;
    const cells = kind.columns.map((column) => cell(object, column));
    const version = metadata.resourceVersion ?? '';
    const labels = share(`l${JSON.stringify(metadata.labels ?? {})}`, metadata.labels ?? {});
    if (previous !== undefined && cells.every((value, index) => sameCell(value, previous.cells[index]))) {
      previous.version = version;
      previous.labels = labels;
      return previous;
    }
    const namespace = metadata.namespace ?? '';
    return {
      uid: previous?.uid ?? uid,
      name: metadata.name,
      namespace: share(`s${namespace}`, namespace),
      version,
      labels,
      cells,
    };
  };
}
