import { causeOf } from '../../../registry/kinds/attention.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { isDue, type Trouble, turnOf } from './attention-lines.ts';
import { nodeOf } from '../joins/pods-of-node.ts';
import { placeOfTrouble } from './owners.ts';
import type { Entry } from '../source/projector.ts';
import type { KindCounts } from './facts.ts';
import type { PodOnNode } from './lost-nodes.ts';
import type { RecentTroubles } from './recent-troubles.ts';
import type { RememberedTrouble } from './trouble-memory.ts';

/** The earliest of several times that are yet to come, epoch seconds. */
export class EarliestTime {
  readonly #now: number;
  at: number | undefined;

  constructor(now: number) {
    this.#now = now;
  }

  add(time: number | undefined): void {
    if (time !== undefined && time > this.#now) this.at = Math.min(this.at ?? time, time);
  }
}

type EntryTrouble = Trouble & { readonly entry: Entry };

interface CollectParts {
  readonly visible: Parameters<typeof placeOfTrouble>[0];
  readonly podKind: AnyKind | undefined;
  readonly isNodeLost: boolean;
  readonly memoryOf: (uid: string, rule: string) => RememberedTrouble | undefined;
  readonly recent: RecentTroubles;
  /** Epoch seconds. */
  readonly now: number;
  readonly turn: EarliestTime;
}

/** The troubles that are due, and those of pods that a lost node may explain. */
export function collectTroubles(
  counts: Iterable<readonly [AnyKind, KindCounts]>,
  { visible, podKind, isNodeLost, memoryOf, recent, now, turn }: CollectParts,
): { readonly troubles: readonly EntryTrouble[]; readonly podsOnNodes: readonly PodOnNode[] } {
  const troubles: EntryTrouble[] = [];
  const podsOnNodes: PodOnNode[] = [];
  for (const [kind, { troubled }] of counts) {
    for (const entry of troubled) {
      const attention = recent.shown(entry, now);
      if (attention === undefined || entry.attention === undefined) continue;
      turn.add(turnOf(attention, now));
      // Only a node that is lost explains trouble that is not due yet.
      const node = isNodeLost && kind === podKind ? nodeOf(entry) : undefined;
      if (!isDue(attention, now) && node === undefined) continue;
      const place = placeOfTrouble(visible, kind, entry);
      const memory = memoryOf(entry.uid, causeOf(attention));
      if (isDue(attention, now)) troubles.push({ kind, entry, attention, place, memory });
      if (node !== undefined)
        podsOnNodes.push({ node, trouble: { kind, entry, attention: entry.attention, place } });
    }
  }
  return { troubles, podsOnNodes };
}
