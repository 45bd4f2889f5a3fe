import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { factsOf } from '../../../registry/kinds/kind-facts.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Channel } from '../wire/channel.ts';
import type { OpenParts } from './open-parts.ts';

/** A resource is served some seconds after it was defined: it is asked for again after these, ms. */
const servedAfter = [1_500, 6_000] as const;

/**
 * A channel of a kind that the page does not know: says first what the kind is. Begins anew when its definition
 * becomes another or is gone, and asks again at once when a definition that was not served yet may be.
 */
export function createDescribedChannel(parts: OpenParts, kind: AnyKind, open: () => Channel): Channel {
  const { post, live, clock, renew } = parts;
  post('kind', `"kind":${JSON.stringify(factsOf(kind))}`);
  const channel = open();
  let cancels: (() => void)[] = [];
  // A kind that was not served a moment ago may be served now.
  nudge();
  const end = follow();

  /** Asks again now, and while an API server takes its time to serve what was defined. */
  function nudge(): void {
    rest();
    const retry = () => {
      if (!channel.isLive) channel.retry();
    };
    retry();
    cancels = servedAfter.map((ms) => clock.after(ms, retry));
  }

  function rest(): void {
    for (const cancel of cancels) cancel();
  }

  function follow(): () => void {
    try {
      return live.definitions.follow(kind.id, kind, (now) => {
        if (now?.fingerprint !== kind.fingerprint) renew();
        else if (!channel.isLive) nudge();
      });
    } catch (error) {
      // Too many lists are open: the kind stays what it was until the page asks again.
      if (error instanceof Problem) return () => {};
      throw error;
    }
  }

  return {
    get isLive() {
      return channel.isLive;
    },
    get isFilling() {
      return channel.isFilling === true;
    },
    hold: () => channel.hold(),
    release: (access) => channel.release(access),
    suspend: () => channel.suspend(),
    resync: () => channel.resync(),
    retry: () => channel.retry(),
    leave() {
      rest();
      end();
      channel.leave();
    },
  };
}
