import type { ListState } from '../../../contract/live.ts';
import type { Access } from '../access.ts';
import type { Channel, Post } from '../channel.ts';
import type { SharedText } from '../shared-text.ts';
import type { Board, BoardSink } from './board.ts';

/** A dashboard on one page. */
export function createDashboardChannel(post: Post, board: Board, access: Access): Channel {
  let isHeld = false;
  let isSuspended = false;
  let told: ListState | undefined;
  let sent: SharedText | undefined;

  function send(): void {
    if (isHeld || isSuspended) return;
    const { body, state } = membership;
    if (body !== undefined && body !== sent) {
      sent = body;
      post('dashboard', body);
    }
    if (JSON.stringify(state) === JSON.stringify(told)) return;
    told = state;
    post('state', `"state":${JSON.stringify(state)}`);
  }

  const sink: BoardSink = { dashboard: send, state: send };
  let membership = board.join(access.held, sink);
  send();

  return {
    get isLive() {
      return membership.state.status === 'live';
    },
    hold() {
      isHeld = true;
    },
    release(now) {
      isHeld = false;
      const old = membership;
      membership = board.join(now.held, sink);
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
    retry: () => membership.retry(),
    leave() {
      isSuspended = true;
      membership.leave();
    },
  };
}
