import { event } from '../../../../commands/kinds/event.ts';
import { causeOf } from '../../../registry/kinds/attention.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { isDue } from './attention-lines.ts';
import { placeOfTrouble } from './owners.ts';
import { type Entry, statusOf } from '../source/projector.ts';
import type { DashboardSource } from './compose.ts';
import { cellReader, numberOf } from './facts.ts';
import { RecentTroubles } from './recent-troubles.ts';
import { type SeenTrouble, troubleKey } from './trouble-memory.ts';

/** The kubelet's event for containers that it restarts with a growing delay. It lasts as long as that goes on. */
const backOff = 'BackOff';

/** The troubles of a cluster, whoever looks. */
export interface SeenTroubles {
  readonly troubles: Iterable<SeenTrouble>;
  /** The key of the trouble that the trouble of an object belongs to, by its own key. */
  readonly keys: ReadonlyMap<string, string>;
}

interface Part {
  readonly kind: AnyKind;
  readonly entry: Entry;
  readonly attention: NonNullable<Entry['attention']>;
}

/** Groups the troubles of the objects by place and rule, with the earliest start that the cluster records. @param now epoch seconds */
export function seenTroubles(source: DashboardSource, now: number): SeenTroubles {
  const seen = new Map<string, SeenTrouble>();
  const keys = new Map<string, string>();
  const parts = dueTroubles(source, now);
  const firstOf = parts.some(({ attention }) => attention.isSinceLatest === true)
    ? firstBackOffs(source)
    : () => undefined;
  for (const { kind, entry, attention } of parts) {
    const { extent = 1 } = attention;
    const rule = causeOf(attention);
    const { uid } = placeOfTrouble(source, kind, entry);
    const key = troubleKey({ uid, rule });
    keys.set(troubleKey({ uid: entry.uid, rule }), key);
    const first = attention.isSinceLatest === true ? firstOf(entry.uid) : undefined;
    const since = first ?? attention.since;
    const isSinceLatest = first === undefined && attention.isSinceLatest === true;
    const known = seen.get(key);
    const isFirst = known?.since === undefined || (since !== undefined && since < known.since);
    seen.set(key, {
      uid,
      rule,
      kind: kind.id,
      namespace: entry.namespace,
      since: isFirst ? since : known.since,
      isSinceLatest: isFirst ? isSinceLatest : known.isSinceLatest,
      extent: (known?.extent ?? 0) + extent,
    });
  }
  return { troubles: seen.values(), keys };
}

function dueTroubles(source: DashboardSource, now: number): readonly Part[] {
  const parts: Part[] = [];
  const { recent = new RecentTroubles() } = source;
  for (const kind of source.kinds)
    for (const entry of source.entries(kind) ?? []) {
      const attention = recent.shown(entry, now);
      if (attention === undefined || !isDue(attention, now)) continue;
      parts.push({ kind, entry, attention });
      recent.note(entry.uid, attention.rule);
    }
  recent.noted(now);
  return parts;
}

/** When the kubelet first delayed a restart of a pod, by its uid, epoch seconds. */
function firstBackOffs(source: DashboardSource): (uid: string) => number | undefined {
  const kind = source.kinds.find(({ id }) => id === event.id);
  const firsts = new Map<string, number>();
  if (kind === undefined) return () => undefined;
  const cell = cellReader(kind);
  for (const entry of source.entries(kind) ?? []) {
    // One that is no warning tells of an image.
    if (cell(entry, 'reason') !== backOff || statusOf(kind, entry)?.[1] !== 'warn') continue;
    const { about, first } = entry.facts;
    const at = numberOf(first);
    if (typeof about === 'string' && at > 0) firsts.set(about, Math.min(firsts.get(about) ?? at, at));
  }
  return (uid) => firsts.get(uid);
}
