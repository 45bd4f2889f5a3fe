import type { OwnerReference } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { membersOf, parseStored } from '../../core/state/stored.ts';
import { type FieldPath, fieldsOf, type JsonLine, valueAt, valueText } from './json.ts';
import type { Matcher } from './matcher.ts';

/** Most columns of a log, names of one, and the longest name, characters. */
const maxColumns = 12;
const maxDepth = 4;
const maxNameLength = 120;

/** A column's name as it is shown: without what a hostile name may hide, and short. */
export function columnLabel(path: FieldPath): string {
  const text = path.map(valueText).join('.');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Whether a search finds something in what is shown of a line of JSON: its message, its fields, its columns. */
export function isFoundIn(
  json: JsonLine,
  columns: readonly { readonly path: FieldPath }[],
  matcher: Matcher,
): boolean {
  const { message, fields } = fieldsOf(json);
  return (
    matcher.test(message) ||
    fields.some(([, value]) => matcher.test(value)) ||
    columns.some(({ path }) => matcher.test(valueText(valueAt(json, path))))
  );
}

/** The key of a column. */
export const columnKey = (path: FieldPath): string => JSON.stringify(path);

const isPath = (value: unknown): value is FieldPath =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxDepth &&
  value.every((name) => typeof name === 'string' && name.length <= maxNameLength);

/** Columns from a text; what does not read as columns is left out, and so is what comes twice. */
export function readPaths(text: string | null | undefined): readonly FieldPath[] {
  if (text === null || text === undefined || text === '') return [];
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  const paths = found.filter(isPath);
  return [...new Map(paths.map((path) => [columnKey(path), path])).values()].slice(0, maxColumns);
}

/** Columns as a text; empty for none. */
export const writePaths = (paths: readonly FieldPath[]): string =>
  paths.length === 0 ? '' : JSON.stringify(paths);

/** The columns with one added at the end, or without it where it is one of them. */
export function turnPath(paths: readonly FieldPath[], path: FieldPath): readonly FieldPath[] {
  const key = columnKey(path);
  const rest = paths.filter((one) => columnKey(one) !== key);
  return rest.length < paths.length ? rest : [...paths, path].slice(0, maxColumns);
}

/** Whether another column would be one too many. */
export const isFullOf = (paths: readonly FieldPath[]): boolean => paths.length >= maxColumns;

/**
 * The workload that a pod is of, as far as its owner's name tells: `Deployment/api` for a pod of the ReplicaSet
 * `api-7d9f8c`, `CronJob/report` for one of the job `report-29384750`; the pod itself without an owner.
 */
export function workloadOf(pod: {
  readonly metadata?: { name?: string; labels?: Record<string, string>; ownerReferences?: OwnerReference[] };
}): string {
  const { name = '', labels = {} } = pod.metadata ?? {};
  const owner = controllerOf(pod);
  if (owner === undefined) return `Pod/${name}`;
  const hash = labels['pod-template-hash'];
  if (owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`))
    return `Deployment/${owner.name.slice(0, -1 - hash.length)}`;
  if (owner.kind === 'Job' && /-\d{6,}$/.test(owner.name))
    return `CronJob/${owner.name.replace(/-\d+$/, '')}`;
  return `${owner.kind}/${owner.name}`;
}

/** The generated end of a name: letters without vowels, a template's hash, a number. */
const generated = /(?:-[b-df-hj-np-tv-xz2456789]{8,10})?-(?:[b-df-hj-np-tv-xz2456789]{5}|\d{1,10})$/;
/** Maximum number of workloads of one choice of pods that get keys of their own. */
const maxStems = 10;

/**
 * The keys under which the columns of several chosen pods are remembered: the workloads that their names suggest,
 * whichever of their pods are chosen.
 */
export function workloadsOf(pods: readonly { readonly namespace: string; readonly name: string }[]): string {
  const stems = new Set(pods.map(({ namespace, name }) => `${namespace}/${name.replace(generated, '')}`));
  return `Pods/${[...stems].sort().slice(0, maxStems).join(',')}`;
}

/** Workloads whose columns a browser remembers for one person. */
const maxRemembered = 100;
const version = 1;
const storeKey = (userId: number) => `wheelhouse.log-columns.${userId}`;

function readAll(storage: Pick<Storage, 'getItem'>, userId: number): readonly (readonly [string, string])[] {
  const stored = parseStored(storage.getItem(storeKey(userId)));
  // Before there were versions they were stored as a bare list.
  const workloads = Array.isArray(stored) ? stored : membersOf(stored, version).workloads;
  if (!Array.isArray(workloads)) return [];
  return workloads.flatMap((one: unknown) =>
    Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string'
      ? [[one[0], one[1]] as const]
      : [],
  );
}

/** The columns that somebody last chose for a workload, in this browser. */
export const columnsStore = {
  read: (storage: Pick<Storage, 'getItem'>, userId: number, workload: string): readonly FieldPath[] =>
    readPaths(readAll(storage, userId).find(([one]) => one === workload)?.[1]),
  write(
    storage: Pick<Storage, 'getItem' | 'setItem'>,
    userId: number,
    workload: string,
    paths: readonly FieldPath[],
  ): void {
    const others = readAll(storage, userId).filter(([one]) => one !== workload);
    const all = paths.length === 0 ? others : [[workload, writePaths(paths)] as const, ...others];
    try {
      const workloads = all.slice(0, maxRemembered);
      storage.setItem(storeKey(userId), JSON.stringify({ version, workloads }));
    } catch {
      // A browser without room forgets the choice; the address still has it.
    }
  },
};
