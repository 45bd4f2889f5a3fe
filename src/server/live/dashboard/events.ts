import { type DashboardEvent, dashboardEvents, type EventMinute } from '../../../contract/dashboard.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { type Entry, statusOf } from '../source/projector.ts';
import { cellReader, numberOf } from './facts.ts';

/** The events of a cluster, as the dashboard reads them. */
export interface EventsRead {
  /** The newest warnings, newest first. */
  readonly recent: readonly DashboardEvent[];
  /** Every minute in which something was seen, oldest first. */
  readonly minutes: readonly EventMinute[];
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Reads the events in one pass. */
export function readEvents(kind: AnyKind, entries: Iterable<Entry>): EventsRead {
  const cell = cellReader(kind);
  const lastSeen = (entry: Entry) => numberOf(cell(entry, 'last-seen'));
  const newest: Entry[] = [];
  const minutes = new Map<number, [normal: number, warnings: number]>();

  function count(seconds: number, isWarning: boolean): void {
    if (seconds <= 0) return;
    const minute = Math.floor(seconds / 60);
    let counts = minutes.get(minute);
    if (counts === undefined) {
      counts = [0, 0];
      minutes.set(minute, counts);
    }
    counts[isWarning ? 1 : 0] += 1;
  }

  function keep(entry: Entry): void {
    const last = newest.at(-1);
    if (newest.length >= dashboardEvents && last !== undefined && lastSeen(entry) <= lastSeen(last)) return;
    const at = newest.findIndex((other) => lastSeen(other) < lastSeen(entry));
    newest.splice(at === -1 ? newest.length : at, 0, entry);
    if (newest.length > dashboardEvents) newest.pop();
  }

  for (const entry of entries) {
    const isWarning = statusOf(kind, entry)?.[1] === 'warn';
    const [first, last] = [numberOf(entry.facts['first']), lastSeen(entry)];
    count(last, isWarning);
    if (numberOf(cell(entry, 'count')) > 1 && first < last) count(first, isWarning);
    if (isWarning) keep(entry);
  }
  return {
    recent: newest.map((entry) => {
      const [about, name] = cell(entry, 'object') as readonly string[];
      return {
        uid: entry.uid,
        name: entry.name,
        namespace: entry.namespace,
        reason: text(cell(entry, 'reason')),
        object: [text(about), text(name)],
        message: text(cell(entry, 'message')),
        count: numberOf(cell(entry, 'count')),
        lastSeen: lastSeen(entry) || null,
      };
    }),
    minutes: [...minutes]
      .map(([minute, [normal, warnings]]): EventMinute => [minute, normal, warnings])
      .sort(([a], [b]) => a - b),
  };
}
