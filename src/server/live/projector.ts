import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { CellValue } from '../../contract/live.ts';
import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { Attention } from '../../registry/attention.ts';
import type { Facts } from '../../registry/kind-action.ts';
import type { Column, Kind } from '../../registry/kind.ts';

/** An object that owns another. */
export type Owner = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

/** What the hub holds of an object: never the object itself. */
export interface Entry {
  readonly uid: string;
  readonly name: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** Opaque; the only field that changes in place, as nothing is shown or decided by it. */
  version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The controller first. */
  readonly owners: readonly Owner[];
  readonly facts: Facts;
  readonly attention: Attention | undefined;
  /** In the order of the kind's columns; those of joined columns stand for themselves. */
  readonly cells: readonly CellValue[];
}

/**
 * Reduces an object to what is held. Returns `previous` itself (its version brought up to date) when nothing that is
 * held changed; the very cells of `previous` when no cell did: identity tells whether there is anything to send.
 * Undefined for an object without a name.
 */
export type Projector = (object: KubeObject, previous: Entry | undefined) => Entry | undefined;

/** Distinct values shared before the table starts anew: sharing is lost then, nothing else. */
const shareLimit = 10_000;
const noOwners: readonly Owner[] = [];
const noFacts: Facts = {};

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

const sameCells = (a: readonly CellValue[], b: readonly CellValue[]) =>
  a.length === b.length && a.every((value, index) => sameCell(value, b[index]));

/** Identity of an object: its uid, or its place for the rare API that gives none. */
export function identity(object: KubeObject): string | undefined {
  const { uid, name, namespace } = object.metadata ?? {};
  if (uid !== undefined && uid !== '') return uid;
  return name === undefined ? undefined : placeOf(namespace ?? '', name);
}

/** Where an object is, as one text; the namespace is empty for objects of the cluster. */
export function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** The owners of an object, its controller first. */
export function ownersOf({ metadata }: KubeObject): readonly Owner[] {
  const references = metadata?.ownerReferences ?? [];
  if (references.length === 0) return noOwners;
  return references
    .toSorted((a, b) => Number(b.controller === true) - Number(a.controller === true))
    .map(({ apiVersion, kind, name, uid }) => ({
      apiVersion: cleanText(apiVersion),
      kind: cleanText(kind),
      name: cleanText(name),
      uid,
    }));
}

/** The status of an entry, from its cell. */
export function statusOf(kind: Kind, { cells }: Entry): readonly [label: string, tone: string] | undefined {
  const cell = cells[kind.columns.findIndex((column) => column.format === 'status')];
  if (!Array.isArray(cell)) return undefined;
  const [label, tone] = cell as readonly unknown[];
  return [String(label), String(tone)];
}

/** An attention with the cluster's words in it cleaned. */
export function cleanAttention(attention: Attention): Attention {
  const { detail } = attention;
  return {
    ...attention,
    title: cleanText(attention.title),
    ...(detail === undefined ? {} : { detail: cleanText(detail) }),
  };
}

/**
 * The projector of one kind. Every text is stripped of control characters here, the single place where cluster text
 * enters lists. A column or rule that throws is logged once with its id and gives nothing: it never blanks the list.
 */
export function createProjector(kind: Kind, log: Logger): Projector {
  const share = createSharing();
  const complained = new Set<string>();

  function attempt<T>(what: string, read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!complained.has(what)) {
        complained.add(what);
        log.error({ err: error, kind: kind.id, column: what }, 'A column failed and is shown empty');
      }
      return otherwise;
    }
  }

  function text(value: string, column: Column<KubeObject>): string {
    const clean = cleanText(value);
    // Names and addresses are as good as unique; sharing them would only fill the table.
    return column.format === 'name' || column.format === 'mono' ? clean : share(`s${clean}`, clean);
  }

  function cell(object: KubeObject, column: Column<KubeObject>): CellValue {
    const value = column.value(object);
    if (typeof value === 'string') return text(value, column);
    if (!Array.isArray(value)) return value ?? null;
    const list = value.map((item: string | number | null) =>
      typeof item === 'string' ? cleanText(item) : item,
    );
    return share(`a${JSON.stringify(list)}`, list);
  }

  function factsOf(object: KubeObject): Facts {
    const facts = kind.facts?.(object);
    if (facts === undefined) return noFacts;
    const held: Record<string, Facts[string]> = {};
    for (const [name, value] of Object.entries(facts)) {
      if (typeof value === 'string') {
        const clean = cleanText(value);
        held[name] = share(`s${clean}`, clean);
      } else if (Array.isArray(value)) {
        const list = value.map((item: string) => cleanText(item));
        held[name] = share(`a${JSON.stringify(list)}`, list);
      } else held[name] = value;
    }
    return held;
  }

  function sharedOwners(object: KubeObject): readonly Owner[] {
    const owners = ownersOf(object);
    return owners.length === 0 ? owners : share(`o${JSON.stringify(owners)}`, owners);
  }

  function attentionOf(object: KubeObject): Attention | undefined {
    const attention = kind.attention?.(object);
    return attention === undefined ? undefined : cleanAttention(attention);
  }

  function isSame(a: Omit<Entry, 'version'>, b: Entry): boolean {
    return (
      a.cells === b.cells &&
      (a.labels === b.labels || isDeepStrictEqual(a.labels, b.labels)) &&
      (a.owners === b.owners || isDeepStrictEqual(a.owners, b.owners)) &&
      isDeepStrictEqual(a.attention, b.attention) &&
      sameFacts(a.facts, b.facts)
    );
  }

  return (object, previous) => {
    const uid = identity(object);
    const metadata = object.metadata;
    if (uid === undefined || metadata?.name === undefined) return undefined;
    const cells = kind.columns.map((column) => attempt(column.id, () => cell(object, column), null));
    const version = metadata.resourceVersion ?? '';
    const namespace = metadata.namespace ?? '';
    const labels = metadata.labels ?? {};
    const next = {
      uid: previous?.uid ?? uid,
      name: previous?.name ?? metadata.name,
      namespace: share(`s${namespace}`, namespace),
      labels: share(`l${JSON.stringify(labels)}`, labels),
      owners: attempt('owners', () => sharedOwners(object), noOwners),
      facts: attempt('facts', () => factsOf(object), noFacts),
      attention: attempt('attention', () => attentionOf(object), undefined),
      cells: previous !== undefined && sameCells(cells, previous.cells) ? previous.cells : cells,
    };
    if (previous === undefined || !isSame(next, previous)) return { ...next, version };
    previous.version = version;
    return previous;
  };
}

function sameFacts(a: Facts, b: Facts): boolean {
  for (const name in a) {
    const [left, right] = [a[name], b[name]];
    if (left !== right && !isDeepStrictEqual(left, right)) return false;
  }
  return Object.keys(a).length === Object.keys(b).length;
}
