import type { ReleaseResource } from '../../../contract/releases.ts';
import type { LiveObject } from '../../data/live/object.ts';

/**
 * How an object of a release is: what is followed live counts as soon as anything is known of it, but only while it is
 * followed; before and after that, what was asked for. What this person may not see stays unsaid.
 */
export function statusNow(
  { state, status }: Pick<ReleaseResource, 'state' | 'status'>,
  live: LiveObject | undefined,
): Pick<ReleaseResource, 'state' | 'status'> {
  if (state === 'unknown' || live === undefined || !live.complete || live.pausedAt !== undefined)
    return { state, status };
  if (live.gone !== undefined) return { state: 'missing', status: null };
  if (live.view === undefined) return { state, status };
  const { status: now } = live.view;
  return { state: 'there', status: now === null ? null : [...now] };
}
