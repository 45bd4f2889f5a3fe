import { type ListState, snapshotChunk, type SubscribeList } from '../../../contract/live.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { includes } from '../../access/held.ts';
import type { Access } from '../wire/access.ts';
import type { Membership } from './audience.ts';
import { type Channel, longBody, type Post } from '../wire/channel.ts';
import type { SharedBatch, Sink } from './fan-out.ts';
import type { Feed } from './feed.ts';
import { columnJoins, permittedJoins } from './join.ts';
import { changeBodies, type Chunk, totalText } from './rows.ts';
import { type ViewSpec, viewKey } from './view.ts';

/**
 * The view of a list that this person may have: rows of namespaces in which they may not view it are left out, and joins
 * that they may not see leave their cells empty. Of all namespaces those that they exclude are left out as well, unless
 * the list is asked for with them, or is about one object.
 */
function specOf(kind: AnyKind, message: SubscribeList, { held, excluded }: Access): ViewSpec {
  const { namespace, where, sort, limit, wide = false, withExcluded = false } = message;
  const seen = held.namespacesFor(kind.permissions.view);
  const shown = namespace === undefined || seen === 'all' ? seen : new Set([namespace]);
  const joins = permittedJoins(columnJoins(kind, wide), (need) => includes(held.namespacesFor(need), shown));
  const isWhole = namespace !== undefined || where !== undefined || withExcluded;
  return {
    namespace,
    within: seen === 'all' ? undefined : seen,
    excluded: isWhole || excluded.size === 0 ? undefined : excluded,
    where,
    sort,
    limit,
    joins,
  };
}

/** Inputs of a list on a page. */
export interface ListChannelParts {
  readonly post: Post;
  readonly feed: Feed;
  readonly message: SubscribeList;
  readonly access: Access;
}

/**
 * One list on one page: sends its first rows chunk by chunk at the page's pace, then changes. Rows that change while
 * nothing may be sent are sent once, in their newest state, afterwards. Of a list that is still being read it sends the
 * rows that are there, the others as changes, and then that these are all.
 */
export class ListChannel implements Channel {
  readonly #post: Post;
  readonly #feed: Feed;
  readonly #message: SubscribeList;
  readonly #sink: Sink;
  #spec: ViewSpec;
  #membership: Membership;
  /** `waiting` until rows are there, `filling` while its first rows are sent, then `flowing`. */
  #mode: 'waiting' | 'filling' | 'flowing' = 'waiting';
  /** The rows sent first were not all: once they are, the page is told. */
  #owesEnd = false;
  #isHeld = false;
  #isSuspended = false;
  /** Uids of rows that changed while nothing could be sent. */
  readonly #dirty = new Set<string>();
  #chunks: readonly Chunk[] = [];
  /** Chunks that were sent. */
  #sent = 0;
  /** A chunk is on its way: the next one follows when it has left. */
  #isSending = false;
  /** Goes up whenever the first rows are sent anew, so that a callback of an earlier time does nothing. */
  #run = 0;
  #lastState: ListState | undefined;

  /** Throws Problem 400 for a label selector that cannot be read. */
  constructor({ post, feed, message, access }: ListChannelParts) {
    this.#post = post;
    this.#feed = feed;
    this.#message = message;
    this.#spec = specOf(feed.kind, message, access);
    this.#sink = {
      begun: () => {
        if (this.#mode === 'waiting') this.#begin();
      },
      ready: () => {
        if (this.#mode === 'waiting') this.#begin();
        else this.#goOn();
      },
      changes: (batch) => this.#take(batch),
      state: () => this.#sendState(),
    };
    this.#membership = feed.join(this.#spec, this.#sink);
    if (this.#membership.isBegun) this.#begin();
    this.#sendState();
  }

  get isLive(): boolean {
    return this.#membership.state.status === 'live';
  }

  get isFilling(): boolean {
    return this.#mode === 'filling';
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(access: Access): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const wanted = specOf(this.#feed.kind, this.#message, access);
    if (viewKey(wanted) === viewKey(this.#spec)) this.#goOn();
    else this.#move(wanted);
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  resync(): void {
    this.#isSuspended = false;
    this.#goOn();
  }

  retry(): void {
    this.#feed.retry();
  }

  leave(): void {
    this.#mode = 'waiting';
    this.#isHeld = true;
    this.#run += 1;
    this.#dirty.clear();
    this.#chunks = [];
    this.#membership.leave();
  }

  /** Sends what may be sent now. */
  #goOn(): void {
    if (this.#mode === 'filling') this.#fill();
    else if (this.#mode === 'flowing') this.#catchUp();
    else this.#sendState();
  }

  /** Sends the first rows, or all of them anew. */
  #begin(): void {
    this.#run += 1;
    this.#mode = 'filling';
    this.#owesEnd = !this.#membership.isReady;
    this.#dirty.clear();
    this.#chunks = this.#membership.view.snapshot();
    this.#sent = 0;
    this.#isSending = false;
    this.#fill();
  }

  /**
   * Sends the next chunk. One at a time, so that a slow page takes the memory of one chunk, not of the list. The first
   * one, what fits on a screen, does not wait for a page that is behind.
   */
  #fill(): void {
    if (this.#mode !== 'filling' || this.#isSending || this.#isHeld) return;
    if (this.#isSuspended && this.#sent > 0) return;
    const chunk = this.#chunks[this.#sent]?.() ?? longBody('"rows":[]');
    const reset = this.#sent === 0;
    this.#sent += 1;
    const isLast = this.#sent >= this.#chunks.length;
    const done = isLast && !this.#owesEnd;
    const run = this.#run;
    const sent = () => {
      if (run !== this.#run) return;
      this.#isSending = false;
      this.#fill();
    };
    this.#isSending = !isLast;
    // The last one asks for a callback as well: with it the page lets other lists go on.
    this.#post('snapshot', chunk, { lead: `"reset":${reset},"done":${done},`, sent });
    if (!isLast) return;
    this.#chunks = [];
    this.#mode = 'flowing';
    this.#catchUp();
  }

  #take({ uids, bodies }: SharedBatch): void {
    if (this.#mode === 'waiting') return;
    let isWhole = this.#mode === 'flowing' && !this.#isHeld && this.#dirty.size === 0;
    for (const body of bodies) {
      isWhole &&= !this.#isSuspended;
      if (isWhole) this.#post('changes', body);
    }
    // The page fell behind before the last body: all of its rows are sent again once it has caught up.
    if (!isWhole) for (const uid of uids) this.#dirty.add(uid);
  }

  /** Sends the rows that changed meanwhile, as long as the page keeps up, and then the state. */
  #catchUp(): void {
    const { view } = this.#membership;
    while (this.#dirty.size > 0) {
      if (this.#isHeld || this.#isSuspended) return;
      const upserts: string[] = [];
      const removes: string[] = [];
      for (const uid of this.#dirty) {
        if (upserts.length + removes.length === snapshotChunk) break;
        this.#dirty.delete(uid);
        const entry = view.current(uid);
        if (entry === undefined) removes.push(uid);
        else upserts.push(view.text(entry));
      }
      for (const body of changeBodies(upserts, removes, view.total())) this.#post('changes', body);
    }
    this.#sendEnd();
    this.#sendState();
  }

  /** Says that the rows which were sent are all, once they are. */
  #sendEnd(): void {
    const { isReady, view } = this.#membership;
    if (!this.#owesEnd || !isReady || this.#isHeld || this.#isSuspended) return;
    this.#owesEnd = false;
    this.#post('snapshot', `"reset":false,"done":true,"rows":[]${totalText(view.total())}`);
  }

  #sendState(): void {
    if (this.#isHeld || this.#isSuspended || this.#mode === 'filling') return;
    // A state follows the rows that it speaks of; the first one does not wait for a list that never stops changing.
    if (this.#dirty.size > 0 && this.#lastState !== undefined) return;
    const { state } = this.#membership;
    if (state === this.#lastState || JSON.stringify(state) === JSON.stringify(this.#lastState)) return;
    this.#lastState = state;
    this.#post('state', `"state":${JSON.stringify(state)}`);
  }

  /** Shows other joins than before: another view of the same rows. */
  #move(spec: ViewSpec): void {
    const before = this.#membership;
    this.#spec = spec;
    this.#membership = this.#feed.join(spec, this.#sink);
    before.leave();
    if (this.#mode !== 'waiting') this.#begin();
  }
}
