import type { ServerMessage, Tally } from '../../../contract/live.ts';
import type { LiveBase } from './base.ts';

/** The known live tallies of a cluster, by kind id. */
export interface LiveTallies extends LiveBase {
  readonly tallies?: Readonly<Record<string, Tally>>;
}

/** Tallies nothing is known of yet. */
export function unknownTallies(now: string): LiveTallies {
  return { complete: false, state: { status: 'loading', since: now } };
}

/** Tallies come whole. */
export function applyTallies(
  known: LiveTallies,
  { tallies }: Extract<ServerMessage, { readonly type: 'tallies' }>,
): LiveTallies {
  const { pausedAt: _pausedAt, ...rest } = known;
  return { ...rest, complete: true, tallies };
}
