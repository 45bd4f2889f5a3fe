import type { ListState, SubscribeList } from '../../contract/live.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Access } from './access.ts';
import { type Channel, longBody, type Post } from './channel.ts';
import type { Sink } from './fan-out.ts';
import type { Membership } from './audience.ts';
import type { Feed } from './feed.ts';
import { columnJoins, permittedJoins } from './joins/join.ts';
import { changeBodies, type Chunk } from './rows.ts';
import { type ViewSpec, viewKey } from './view.ts';

/** What a list asks for, as this person may be answered: joins they may not see leave their cells empty. */
function specOf(kind: AnyKind, message: SubscribeList, { held }: Access): ViewSpec {
  const { namespace, where, sort, limit, wide = false } = message;
  return { namespace, where, sort, limit, joins: permittedJoins(columnJoins(kind, wide), held) };
}

/**
 * One list on one page: numbers its messages, sends the snapshot at the page's pace, then changes.
 * Throws Problem 400 for a label selector that cannot be read.
 */
export function createListChannel(post: Post, feed: Feed, message: SubscribeList, access: Access): Channel {
  const { kind } = feed;
  let spec = specOf(kind, message, access);
  let mode: 'waiting' | 'snapshot' | 'flowing' | 'suspended' = 'waiting';
  let isHeld = false;
  /** Rows that changed while nothing could be sent: their newest state is sent afterwards. */
  const dirty = new Set<string>();
  let chunks: readonly Chunk[] = [];
  let next = 0;
  /** Goes up with each snapshot, so that a callback of an older one does nothing. */
  let run = 0;
  let told: ListState | undefined;

  const sink: Sink = {
    ready() {
      if (mode === 'waiting') begin();
    },
    changes(batch) {
      if (mode === 'waiting' || mode === 'suspended') return;
      if (mode === 'snapshot' || isHeld) for (const uid of batch.uids) dirty.add(uid);
      else for (const body of batch.bodies) post('changes', body);
    },
    state,
  };
  let membership: Membership = feed.join(spec, sink);

  function state(): void {
    if (isHeld || mode === 'snapshot' || mode === 'suspended') return;
    const now = membership.state;
    if (now === told || JSON.stringify(now) === JSON.stringify(told)) return;
    told = now;
    post('state', `"state":${JSON.stringify(now)}`);
  }

  function catchUp(): void {
    if (dirty.size > 0) {
      const { view } = membership;
      const upserts: string[] = [];
      const removes: string[] = [];
      for (const uid of dirty) {
        const entry = view.current(uid);
        if (entry === undefined) removes.push(uid);
        else upserts.push(view.text(entry));
      }
      dirty.clear();
      for (const body of changeBodies(upserts, removes, view.total())) post('changes', body);
    }
    state();
  }

  function sendChunk(current: number): void {
    if (current !== run || mode !== 'snapshot' || isHeld) return;
    const chunk = chunks[next]?.() ?? longBody('"rows":[]');
    const reset = next === 0;
    next += 1;
    const done = next >= chunks.length;
    // One chunk at a time: a slow page holds one chunk of memory, not the list.
    post('snapshot', chunk, {
      lead: `"reset":${reset},"done":${done},`,
      ...(done ? {} : { sent: () => sendChunk(current) }),
    });
    if (!done) return;
    chunks = [];
    mode = 'flowing';
    catchUp();
  }

  function begin(): void {
    run += 1;
    mode = 'snapshot';
    dirty.clear();
    chunks = membership.view.snapshot();
    next = 0;
    sendChunk(run);
  }

  /** Sees other joins than before: another view of the same rows. */
  function move(to: ViewSpec): void {
    const old = membership;
    spec = to;
    membership = feed.join(spec, sink);
    old.leave();
    if (mode === 'snapshot' || mode === 'flowing') begin();
  }

  function suspend(): void {
    if (mode === 'waiting') return;
    mode = 'suspended';
    run += 1;
    dirty.clear();
    chunks = [];
  }

  if (membership.isReady) begin();
  state();

  return {
    get isLive() {
      return membership.state.status === 'live';
    },
    hold() {
      isHeld = true;
    },
    release(now) {
      if (!isHeld) return;
      isHeld = false;
      const wanted = specOf(kind, message, now);
      if (viewKey(wanted) !== viewKey(spec)) move(wanted);
      else if (mode === 'snapshot') sendChunk(run);
      else if (mode === 'flowing') catchUp();
      else state();
    },
    suspend,
    resync() {
      if (mode === 'suspended') begin();
    },
    retry: () => feed.retry(),
    leave() {
      suspend();
      membership.leave();
    },
  };
}
