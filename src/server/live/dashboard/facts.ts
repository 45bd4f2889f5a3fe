import type { DashboardTone } from '../../../contract/dashboard.ts';
import type { CellValue } from '../../../contract/live.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { nodeOf } from '../joins/pods-of-node.ts';
import { type Entry, statusOf } from '../source/projector.ts';

/** The requests of a node's pods. */
export interface NodeLoad {
  pods: number;
  cpu: number;
  memory: number;
}

/** Counts of one kind's entries, for everybody. */
export interface KindCounts {
  readonly tones: Readonly<Record<DashboardTone, number>> & { readonly total: number };
  readonly troubled: readonly Entry[];
}

const isTone = (text: string | undefined): text is DashboardTone =>
  text === 'ok' || text === 'info' || text === 'idle' || text === 'warn' || text === 'bad';

/** Counts the entries of a kind by tone and finds those in trouble, now or later. */
export function countKind(kind: AnyKind, entries: Iterable<Entry>): KindCounts {
  const tones = { ok: 0, info: 0, idle: 0, warn: 0, bad: 0, total: 0 };
  const troubled: Entry[] = [];
  const index = kind.columns.findIndex((column) => column.format === 'status');
  for (const entry of entries) {
    const cell = entry.cells[index] as readonly string[] | null | undefined;
    const tone = cell?.[1];
    if (isTone(tone)) tones[tone] += 1;
    tones.total += 1;
    if (entry.attention !== undefined) troubled.push(entry);
  }
  return { tones, troubled };
}

/** Adds up what pods ask for, by node; pods without a node and those that are over ask for nothing. */
export function loadOfNodes(pods: Iterable<Entry>): ReadonlyMap<string, NodeLoad> {
  const loads = new Map<string, NodeLoad>();
  for (const entry of pods) {
    const node = nodeOf(entry);
    if (node === undefined) continue;
    let load = loads.get(node);
    if (load === undefined) {
      load = { pods: 0, cpu: 0, memory: 0 };
      loads.set(node, load);
    }
    load.pods += 1;
    load.cpu += numberOf(entry.facts['cpuRequest']);
    load.memory += numberOf(entry.facts['memoryRequest']);
  }
  return loads;
}

/** Bytes of volumes; null where there is no volume. A volume whose claim is gone is not claimed. */
export function storageOf(
  kind: AnyKind,
  volumes: Iterable<Entry>,
): { readonly claimed: number; readonly provisioned: number } | null {
  const cell = cellReader(kind);
  let [claimed, provisioned] = [0, 0];
  for (const entry of volumes) {
    const bytes = numberOf(cell(entry, 'capacity'));
    provisioned += bytes;
    if (statusOf(kind, entry)?.[0] === 'Bound') claimed += bytes;
  }
  return provisioned === 0 ? null : { claimed, provisioned };
}

/** A fact or cell as a number, 0 for anything else. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Reads cells of a kind's entries by column id. */
export function cellReader(kind: AnyKind): (entry: Entry, id: string) => CellValue {
  const indexes = new Map(kind.columns.map((column, index) => [column.id, index]));
  return (entry, id) => entry.cells[indexes.get(id) ?? -1] ?? null;
}
