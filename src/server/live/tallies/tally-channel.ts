import type { Access } from '../wire/access.ts';
import type { Channel, Post } from '../wire/channel.ts';
import { createMembershipChannel } from '../wire/membership-channel.ts';
import type { Tallies } from './tallies.ts';

/**
 * The tallies of a cluster on one page.
 * @param namespace only of what is in it, of kinds that have namespaces
 */
export function createTallyChannel(
  post: Post,
  tallies: Tallies,
  access: Access,
  namespace: string | undefined,
): Channel {
  let sent: string | undefined;
  return createMembershipChannel(access, {
    join: (sight, onChange) => tallies.join(sight, onChange, namespace),
    send({ text }) {
      if (text === sent) return;
      sent = text;
      post('tallies', `"tallies":${text}`);
    },
    isLive: () => true,
    // The lists that it counts have states and a Retry of their own.
    retry: () => undefined,
  });
}
