import type { ListState } from '../../../contract/live.ts';
import { noneExcluded } from '../../access/sight.ts';
import type { Access } from '../wire/access.ts';
import type { Channel, Post } from '../wire/channel.ts';
import { createMembershipChannel } from '../wire/membership-channel.ts';
import type { SharedText } from '../wire/shared-text.ts';
import type { Board } from './board.ts';

/**
 * A dashboard on one page.
 * @param withExcluded with the namespaces that the person leaves out of their views
 */
export function createDashboardChannel(
  post: Post,
  board: Board,
  access: Access,
  withExcluded: boolean,
): Channel {
  let sentState: ListState | undefined;
  let sent: SharedText | undefined;
  return createMembershipChannel(access, {
    join: ({ held, excluded }, onChange) =>
      board.join(
        { held, excluded: withExcluded ? noneExcluded : excluded },
        { dashboard: onChange, state: onChange },
      ),
    send({ body, state }) {
      if (body !== undefined && body !== sent) {
        sent = body;
        post('dashboard', body);
      }
      if (JSON.stringify(state) === JSON.stringify(sentState)) return;
      sentState = state;
      post('state', `"state":${JSON.stringify(state)}`);
    },
    isLive: ({ state }) => state.status === 'live',
    retry: (membership) => membership.retry(),
  });
}
