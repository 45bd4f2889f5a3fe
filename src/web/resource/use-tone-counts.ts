import { useMemo, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import type { Tone } from '../../registry/tone.ts';
import { changeBetween } from '../data/live/lineage.ts';
import { toneCounts } from './tones.ts';

type Rows = ReadonlyMap<string, Row>;
type Counts = Readonly<Record<Tone, number>>;
const none: Rows = new Map<string, Row>();

/** Counts of the states of lists: sidebar and status line tell of the same ones. */
const counted = new WeakMap<Rows, { readonly kind: KindFacts; readonly counts: Counts }>();

/** Counts rows by tone; what changed since the last count is counted alone. */
export function createToneCounter() {
  let last: { readonly kind: KindFacts; readonly rows: Rows; readonly counts: Counts } | undefined;
  return (kind: KindFacts, rows: Rows): Counts => {
    const known = counted.get(rows);
    if (known?.kind === kind) {
      last = { kind, rows, counts: known.counts };
      return known.counts;
    }
    const change = last?.kind === kind ? changeBetween(last.rows, rows) : undefined;
    let counts: Counts;
    if (last === undefined || change === undefined) counts = toneCounts(kind, rows);
    else {
      const [came, gone] = [toneCounts(kind, change.came), toneCounts(kind, change.gone)];
      const { ok, info, idle, warn, bad } = last.counts;
      counts = {
        ok: ok + came.ok - gone.ok,
        info: info + came.info - gone.info,
        idle: idle + came.idle - gone.idle,
        warn: warn + came.warn - gone.warn,
        bad: bad + came.bad - gone.bad,
      };
    }
    last = { kind, rows, counts };
    counted.set(rows, { kind, counts });
    return counts;
  };
}

/** How many rows of a list have each tone. */
export function useToneCounts(kind: KindFacts | undefined, rows: Rows = none): Counts | undefined {
  const [count] = useState(createToneCounter);
  return useMemo(() => (kind === undefined ? undefined : count(kind, rows)), [count, kind, rows]);
}
