import type { Freshness, ListState } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import { ClusterProblem } from '../../clusters/transport.ts';
import { OwnLimit } from '../../kit/own-limit.ts';
import type { Channel } from '../wire/channel.ts';
import { definable } from '../definitions/definitions.ts';
import type { OpenParts } from './open-parts.ts';

/** A kind that could not be asked for is asked for again after this, ms. */
export const kindPatience = 5_000;

/** The state of a subscription after a failed look-up of its kind; undefined if waiting does not help. */
export function waitingState(error: unknown): { status: Freshness; message: string } | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.status === 404 && !(error instanceof ClusterProblem))
    return { status: 'absent', message: error.title };
  if (error instanceof OwnLimit) return { status: 'loading', message: error.title };
  if (error.status === 403) return { status: 'forbidden', message: error.title };
  return error instanceof ClusterProblem ? { status: 'unreachable', message: error.title } : undefined;
}

/**
 * A subscription to a kind that the cluster does not have, or cannot be asked about: says so and begins as soon as it
 * has it.
 */
export function createWaitingChannel(
  { post, live, clock, renew }: OpenParts,
  { name, isList }: { readonly name: string; readonly isList: boolean },
  { status, message }: { readonly status: Freshness; readonly message: string },
): Channel {
  const isDefinable = status === 'absent' && definable(name) !== undefined;
  const now: ListState = {
    status,
    since: new Date(clock.now()).toISOString(),
    message: isDefinable ? `${message} Objects appear here as soon as the resource is defined.` : message,
  };
  const state = () => post('state', `"state":${JSON.stringify(now)}`);
  const ends: (() => void)[] = [];
  // A definition that is gone took its objects along.
  if (status === 'absent' && isList) post('snapshot', '"reset":true,"done":true,"rows":[]');
  state();
  if (isDefinable) {
    try {
      ends.push(
        live.definitions.follow(name, undefined, (kind) => {
          if (kind !== undefined) renew();
        }),
      );
    } catch (error) {
      // Too many lists are open: Retry asks again.
      if (!(error instanceof Problem)) throw error;
    }
  }
  if (status !== 'absent') ends.push(clock.after(kindPatience, renew));
  if (status === 'unreachable') ends.push(live.pulse.follow({ back: renew }));
  return {
    isLive: false,
    hold() {},
    release() {},
    suspend() {},
    resync: state,
    retry: renew,
    leave() {
      for (const end of ends) end();
    },
  };
}
