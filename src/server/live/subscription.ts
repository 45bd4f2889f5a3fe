import type { ListState } from '../../contract/live.ts';
import type { Membership } from './feed.ts';
import { type Batch, changeBodies, rowText } from './rows.ts';

/** The way to a page. */
export interface Outlet {
  /** Sends one message. `sent` is called when it left the process. */
  post(text: string, options?: { readonly compress?: boolean; readonly sent?: () => void }): void;
}

/** One list on one page: numbers its messages, sends the snapshot at the page's pace, then changes. */
export interface Subscription {
  readonly id: number;
  /** The list is complete: snapshot, then changes. */
  ready(): void;
  changes(batch: Batch): void;
  state(): void;
  /** Sends nothing until `release`; what changes meanwhile is sent then, in its newest state. */
  hold(): void;
  release(): void;
  /** Drops everything until `resync`: the page does not keep up. */
  suspend(): void;
  resync(): void;
}

/** @param membership of the feed; asked only while the subscription is open. */
export function createSubscription(id: number, outlet: Outlet, membership: Membership): Subscription {
  const { view } = membership;
  let seq = 0;
  let mode: 'waiting' | 'snapshot' | 'flowing' | 'suspended' = 'waiting';
  let isHeld = false;
  /** Rows that changed while nothing could be sent: their newest state is sent afterwards. */
  const dirty = new Set<string>();
  let chunks: readonly string[] = [];
  let next = 0;
  /** Goes up with each snapshot, so that a callback of an older one does nothing. */
  let run = 0;
  let told: ListState | undefined;

  function post(type: string, body: string, options?: Parameters<Outlet['post']>[1]): void {
    seq += 1;
    outlet.post(`{"type":"${type}","id":${id},"seq":${seq},${body}}`, options);
  }

  function state(): void {
    if (isHeld || mode === 'snapshot' || mode === 'suspended') return;
    const now = membership.state;
    if (now === told || JSON.stringify(now) === JSON.stringify(told)) return;
    told = now;
    post('state', `"state":${JSON.stringify(now)}`);
  }

  function catchUp(): void {
    if (dirty.size > 0) {
      const upserts: string[] = [];
      const removes: string[] = [];
      for (const uid of dirty) {
        const entry = view.current(uid);
        if (entry === undefined) removes.push(uid);
        else upserts.push(rowText(entry));
      }
      dirty.clear();
      for (const body of changeBodies(upserts, removes, view.total())) post('changes', body);
    }
    state();
  }

  function sendChunk(current: number): void {
    if (current !== run || mode !== 'snapshot' || isHeld) return;
    const chunk = chunks[next] ?? '"rows":[]';
    const reset = next === 0;
    next += 1;
    const done = next >= chunks.length;
    // One chunk at a time: a slow page holds one chunk of memory, not the list.
    post('snapshot', `"reset":${reset},"done":${done},${chunk}`, {
      compress: true,
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
    chunks = view.snapshot();
    next = 0;
    sendChunk(run);
  }

  return {
    id,
    ready() {
      if (mode === 'waiting') begin();
    },
    changes(batch) {
      if (mode === 'waiting' || mode === 'suspended') return;
      if (mode === 'snapshot' || isHeld) for (const uid of batch.uids) dirty.add(uid);
      else for (const body of batch.bodies) post('changes', body);
    },
    state,
    hold() {
      isHeld = true;
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      if (mode === 'snapshot') sendChunk(run);
      else if (mode === 'flowing') catchUp();
      else state();
    },
    suspend() {
      if (mode === 'waiting') return;
      mode = 'suspended';
      run += 1;
      dirty.clear();
      chunks = [];
    },
    resync() {
      if (mode === 'suspended') begin();
    },
  };
}
