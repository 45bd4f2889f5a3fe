import type { ObjectRef } from '../commands/invocation.ts';

/** A command that somebody ran from the palette. */
export interface RecentRun {
  readonly command: string;
  /** Plain values only. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The objects that it acted on; empty without objects. */
  readonly refs: readonly ObjectRef[];
  /** Epoch ms. */
  readonly at: number;
}

/** Maximum number of stored runs. */
export const recentLimit = 50;
/** Maximum number of objects of a stored run; runs on more are not stored. */
const maxRefs = 5;

const keyOf = ({ command, args, refs }: RecentRun) => JSON.stringify([command, args, refs]);

/** Puts a run first and removes the earlier entry with the same command, arguments and objects. */
export function withRun(runs: readonly RecentRun[], run: RecentRun): readonly RecentRun[] {
  if (run.refs.length > maxRefs) return runs;
  const key = keyOf(run);
  return [run, ...runs.filter((one) => keyOf(one) !== key)].slice(0, recentLimit);
}

/** The boost of a position in the list of recents: 300 for the latest, decreasing after it. */
export function recencyBoost(place: number): number {
  return place < 0 || place >= recentLimit ? 0 : Math.round(300 * (1 - place / recentLimit));
}

function readRef(value: unknown): ObjectRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { cluster, kind, namespace, name } = value as Record<string, unknown>;
  if (typeof cluster !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  if (namespace !== undefined && typeof namespace !== 'string') return undefined;
  return { cluster, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

function readRun(value: unknown): RecentRun | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { command, args, refs, at } = value as Record<string, unknown>;
  if (typeof command !== 'string' || typeof at !== 'number') return undefined;
  if (typeof args !== 'object' || args === null || !Array.isArray(refs) || refs.length > maxRefs)
    return undefined;
  const known = refs.map(readRef);
  if (known.includes(undefined)) return undefined;
  return {
    command,
    args: args as Record<string, unknown>,
    refs: known.filter((ref) => ref !== undefined),
    at,
  };
}

const version = 1;

/** Parses stored runs and drops invalid ones. */
export function readRuns(text: string | null): readonly RecentRun[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null) return [];
    const { version: found, runs } = value as Record<string, unknown>;
    if (found !== version || !Array.isArray(runs)) return [];
    return runs.slice(0, recentLimit).flatMap((one) => readRun(one) ?? []);
  } catch {
    return [];
  }
}

/** Serializes runs for storage. */
export function storeRuns(runs: readonly RecentRun[]): string {
  return JSON.stringify({ version, runs });
}
