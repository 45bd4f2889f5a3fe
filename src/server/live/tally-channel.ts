import type { Access } from './access.ts';
import type { Channel, Post } from './channel.ts';
import type { Tallies } from './tallies.ts';

/** The tallies of a cluster on one page. */
export function createTallyChannel(post: Post, tallies: Tallies, access: Access): Channel {
  let isHeld = false;
  let isSuspended = false;
  let sent: string | undefined;

  function send(): void {
    if (isHeld || isSuspended) return;
    const { text } = membership;
    if (text === sent) return;
    sent = text;
    post('tallies', `"tallies":${text}`);
  }

  // A listener of its own: two pages of one person are two.
  let membership = tallies.join(access.held, () => send());
  send();

  return {
    isLive: true,
    hold() {
      isHeld = true;
    },
    release(now) {
      isHeld = false;
      const old = membership;
      membership = tallies.join(now.held, () => send());
      old.leave();
      send();
    },
    suspend() {
      isSuspended = true;
    },
    resync() {
      isSuspended = false;
      send();
    },
    // The lists that it counts have states and a Retry of their own.
    retry: () => undefined,
    leave() {
      isSuspended = true;
      membership.leave();
    },
  };
}
