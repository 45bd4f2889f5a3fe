import type { Schemas, Shape } from '../registry/schema.ts';
import { type Cause, StatusError } from '../kit/status.ts';
import { type Obj, type Rec, recs, str } from '../kit/values.ts';
import { compare, fieldSetOf, zeroObject } from './compare.ts';
import {
  decodeSet,
  describe,
  difference,
  emptySet,
  encode,
  equal,
  type FieldSet,
  intersection,
  isEmpty,
  union,
  without,
} from './set.ts';

/** The manager of a write, and the endpoint that it uses. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** ISO time; undefined for writes that record none (scale). */
  readonly time: string | undefined;
}

/** An entry of an object's managed fields: one manager and the fields that it owns. */
export interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** Paths that are never owned. */
const neverOwned = [
  ['f:apiVersion'],
  ['f:kind'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ].map((field) => ['f:metadata', `f:${field}`]),
];

/** Reads the entries of an object's managed fields. */
export function readEntries(object: Obj | undefined): Entry[] {
  return recs(object?.metadata.managedFields).map((entry) => ({
    manager: str(entry['manager']),
    operation: str(entry['operation']),
    apiVersion: str(entry['apiVersion']),
    subresource: str(entry['subresource']),
    time: entry['time'] === undefined ? undefined : str(entry['time']),
    set: decodeSet(entry['fieldsV1']),
  }));
}

const ordered = (a: Entry, b: Entry): number =>
  compareText(a.operation, b.operation) ||
  compareText(a.time ?? '', b.time ?? '') ||
  compareText(a.manager, b.manager) ||
  compareText(a.apiVersion, b.apiVersion) ||
  compareText(a.subresource, b.subresource);
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Writes an object's managed fields: entries in the server's order, without empty ones. In place. */
export function writeEntries(object: Obj, entries: readonly Entry[]): void {
  const ownedEntries = entries.filter((entry) => !isEmpty(entry.set)).sort(ordered);
  if (ownedEntries.length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  object.metadata.managedFields = ownedEntries.map(
    ({ manager, operation, apiVersion, subresource, time, set }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encode(set),
      ...(subresource === '' ? {} : { subresource }),
    }),
  );
}

/**
 * The part of a set that a write may own through its endpoint: everything but the status, or only the status
 * through /status.
 */
function owned(set: FieldSet, writer: Writer, hasStatus: boolean): FieldSet {
  const rest = without(set, neverOwned);
  if (writer.subresource === 'status') {
    const status = rest.children.get('f:status');
    const metadata = rest.children.get('f:metadata');
    const children = new Map<string, FieldSet>();
    if (metadata !== undefined) children.set('f:metadata', metadata);
    if (status !== undefined) children.set('f:status', status);
    return { member: false, children };
  }
  return { ...(hasStatus ? without(rest, [['f:status']]) : rest), member: false };
}

const matches = (entry: Entry, writer: Writer, operation: string) =>
  entry.manager === writer.manager &&
  entry.operation === operation &&
  entry.apiVersion === writer.apiVersion &&
  entry.subresource === writer.subresource;

/**
 * Updates the managed fields of an object for a create, update or patch. In place. An object without managed
 * fields stays without: the first apply assigns what it had to a manager of its own.
 */
export function recordUpdate(
  schemas: Schemas,
  shape: Shape,
  object: Obj,
  before: Obj | undefined,
  writer: Writer,
  hasStatus: boolean,
): void {
  const ownersSource = object.metadata.managedFields === undefined ? before : object;
  if (before !== undefined && recs(ownersSource?.metadata.managedFields).length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  const old = before ?? zeroObject(schemas, shape);
  const comparison = compare(schemas, shape, old, object);
  const changed = owned(union(comparison.added, comparison.modified), writer, hasStatus);
  const removed = owned(comparison.removed, writer, hasStatus);
  const entries = readEntries(ownersSource).map((entry) => ({
    ...entry,
    set: difference(difference(entry.set, removed), matches(entry, writer, 'Update') ? emptySet : changed),
  }));
  if (!isEmpty(changed)) {
    const ownEntry = entries.find((entry) => matches(entry, writer, 'Update'));
    const others = entries.filter((entry) => entry !== ownEntry);
    const { manager, apiVersion, subresource, time } = writer;
    const set = union(ownEntry?.set ?? emptySet, changed);
    writeEntries(object, [...others, { manager, operation: 'Update', apiVersion, subresource, time, set }]);
  } else writeEntries(object, entries);
}

/**
 * The plan of an apply. Call `settle` with the object that will be stored to check conflicts and record
 * ownership; it throws 409.
 */
export interface Applying {
  /** Paths that the manager no longer applies and nobody else owns: to be removed. */
  readonly dropped: FieldSet;
  readonly settle: (object: Obj) => void;
}

/** Plans an apply: the paths that it owns, and those that it gives up. */
export function prepareApply(
  schemas: Schemas,
  shape: Shape,
  config: Rec,
  before: Obj | undefined,
  writer: Writer,
  force: boolean,
  hasStatus: boolean,
): Applying {
  let entries = readEntries(before);
  if (before !== undefined && entries.length === 0) {
    const set = owned(compare(schemas, shape, zeroObject(schemas, shape), before).added, writer, hasStatus);
    const { apiVersion, subresource, time } = writer;
    entries = [{ manager: 'before-first-apply', operation: 'Update', apiVersion, subresource, time, set }];
  }
  const last = entries.find((entry) => matches(entry, writer, 'Apply'));
  const set = owned(fieldSetOf(schemas, shape, config), writer, hasStatus);
  const others = entries.filter((entry) => entry !== last);
  const dropped = last === undefined ? emptySet : last.set;
  const settle = (object: Obj) => {
    const comparison = compare(schemas, shape, before ?? zeroObject(schemas, shape), object);
    const changed = owned(union(comparison.added, comparison.modified), writer, hasStatus);
    const removed = owned(comparison.removed, writer, hasStatus);
    const clashes = others
      .map((entry) => ({ entry, set: intersection(entry.set, changed) }))
      .filter((clash) => !isEmpty(clash.set));
    if (!force && clashes.length > 0) throw conflicts(clashes);
    const remaining = others.map((entry) => ({
      ...entry,
      set: difference(difference(entry.set, changed), removed),
    }));
    const { manager, apiVersion, subresource, time } = writer;
    const unchanged = last !== undefined && equal(last.set, set);
    writeEntries(object, [
      ...remaining,
      { manager, operation: 'Apply', apiVersion, subresource, time: unchanged ? last.time : time, set },
    ]);
  };
  const all = others.reduce((sum, entry) => union(sum, entry.set), set);
  return { dropped: leaving(dropped, all), settle };
}

/** Paths of a set and their parents that are not in a second set with its parents. */
function leaving(set: FieldSet, other: FieldSet): FieldSet {
  const walk = (a: FieldSet, b: FieldSet | undefined): FieldSet => {
    const isPresent = b !== undefined && !isEmpty(b);
    return {
      member: !isPresent,
      children: new Map([...a.children].map(([key, child]) => [key, walk(child, b?.children.get(key))])),
    };
  };
  return { ...walk(set, other), member: false };
}

function conflicts(clashes: readonly { entry: Entry; set: FieldSet }[]): StatusError {
  const causes: Cause[] = clashes.flatMap(({ entry, set }) => {
    const through = entry.subresource === '' ? '' : ` with subresource "${entry.subresource}"`;
    const using = entry.operation === 'Apply' ? '' : ` using ${entry.apiVersion}`;
    const conflictText = `conflict with "${entry.manager}"${through}${using}`;
    return describe(set).map((field) => ({ reason: 'FieldManagerConflict', message: conflictText, field }));
  });
  const text =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`
      : `Apply failed with ${causes.length} conflicts: ${grouped(causes)}`;
  return new StatusError(409, 'Conflict', text, { causes });
}

function grouped(causes: readonly Cause[]): string {
  const byWho = new Map<string, string[]>();
  for (const { message, field } of causes) byWho.set(message, [...(byWho.get(message) ?? []), field]);
  return [...byWho]
    .sort(([a], [b]) => compareText(a, b))
    .map(([who, fields]) => `${who.replace('conflict', 'conflicts')}:\n- ${fields.join('\n- ')}`)
    .join('\n');
}
