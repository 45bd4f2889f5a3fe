import type { ServerMessage } from '../../../contract/live.ts';
import type { Pulse } from '../source/pulse.ts';

/**
 * The clusters that one page has open: keeps their pulses running and sends the page the time of their last answer.
 * @returns begins to look at a cluster, as often as something of it is opened; the answer ends it
 */
export function createLookers(post: (text: string) => void): (clusterId: number, pulse: Pulse) => () => void {
  const looked = new Map<number, { count: number; readonly end: () => void }>();

  function begin(clusterId: number, pulse: Pulse): () => void {
    const heard = (at: number) => {
      const { clockAhead } = pulse;
      const message: ServerMessage = {
        type: 'heard',
        clusterId,
        at: new Date(at).toISOString(),
        ...(clockAhead === 0 ? {} : { ahead: clockAhead }),
      };
      post(JSON.stringify(message));
    };
    const { heardAt } = pulse;
    if (heardAt !== undefined) heard(heardAt);
    const unfollow = pulse.follow({ heard });
    const leave = pulse.look();
    return () => {
      unfollow();
      leave();
    };
  }

  return (clusterId, pulse) => {
    const known = looked.get(clusterId) ?? { count: 0, end: begin(clusterId, pulse) };
    known.count += 1;
    looked.set(clusterId, known);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      known.count -= 1;
      if (known.count > 0) return;
      looked.delete(clusterId);
      known.end();
    };
  };
}
