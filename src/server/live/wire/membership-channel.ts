import type { Sight } from '../../access/sight.ts';
import type { Access } from './access.ts';
import type { Channel } from './channel.ts';

/** The membership of a page in something that several pages share. */
interface Membership {
  leave(): void;
}

/** How one sort of membership is followed. */
export interface Followed<M extends Membership> {
  /** Joins with what a person looks at. @param onChange called after every change; each join has a listener of its own */
  join(sight: Sight, onChange: () => void): M;
  /** Sends what the page does not know yet. */
  send(membership: M): void;
  isLive(membership: M): boolean;
  retry(membership: M): void;
}

/** A channel of a page to something shared. Nothing is sent while it is held or suspended; what changed meanwhile comes after. */
export function createMembershipChannel<M extends Membership>(first: Access, followed: Followed<M>): Channel {
  let isHeld = false;
  let isSuspended = false;
  let access = first;

  function send(): void {
    if (!isHeld && !isSuspended) followed.send(membership);
  }

  let membership = followed.join(access, () => send());
  send();

  return {
    get isLive() {
      return followed.isLive(membership);
    },
    hold() {
      isHeld = true;
    },
    release(now) {
      isHeld = false;
      if (now !== access) {
        const old = membership;
        access = now;
        membership = followed.join(access, () => send());
        old.leave();
      }
      send();
    },
    suspend() {
      isSuspended = true;
    },
    resync() {
      isSuspended = false;
      send();
    },
    retry: () => followed.retry(membership),
    leave() {
      isSuspended = true;
      membership.leave();
    },
  };
}
