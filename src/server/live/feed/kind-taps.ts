import type { ListState } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Namespaces } from '../../access/held.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Tapped } from './audience.ts';
import type { Feed } from './feed.ts';
import type { Entry } from '../source/projector.ts';

/** Inputs of `KindTaps`. */
export interface KindTapsParts {
  /** Throws Problem when the cluster has too many lists open. */
  readonly feed: (kind: AnyKind) => Feed;
  /** Follows every list that is open. */
  readonly listener: {
    changed(entry: Entry | undefined, previous: Entry | undefined, kind: AnyKind): void;
    settled(): void;
  };
  readonly clock: Clock;
}

interface OpenTap {
  readonly tap: Tapped;
  readonly retry: () => void;
}

const isUnreadable = ({ status }: ListState) =>
  status === 'forbidden' || status === 'absent' || status === 'unreachable';

/** The lists of several kinds that one view of a cluster as a whole follows. */
export class KindTaps {
  readonly #parts: KindTapsParts;
  readonly #open = new Map<AnyKind, OpenTap>();
  /** States of the kinds that the cluster had no room for. */
  readonly #refusals = new Map<AnyKind, ListState>();

  constructor(parts: KindTapsParts) {
    this.#parts = parts;
  }

  /** Opens the list of a kind unless it is open. Answers whether it is; false where the cluster has too many lists open. */
  open(kind: AnyKind): boolean {
    if (this.#open.has(kind)) return true;
    const { feed: feedOf, listener, clock } = this.#parts;
    try {
      const feed = feedOf(kind);
      const tap = feed.tap({
        changed: (entry, previous) => listener.changed(entry, previous, kind),
        settled: () => listener.settled(),
        ended: () => this.#ended(kind),
      });
      this.#open.set(kind, { tap, retry: () => feed.retry() });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const since = new Date(clock.now()).toISOString();
      this.#refusals.set(kind, { status: 'unreachable', since, message: error.title });
      return false;
    }
    this.#refusals.delete(kind);
    return true;
  }

  /** The list gave way to another one. */
  #ended(kind: AnyKind): void {
    this.#open.delete(kind);
    this.#parts.listener.settled();
  }

  close(kind: AnyKind): void {
    this.#open.get(kind)?.tap.leave();
    this.#open.delete(kind);
  }

  /** Closes the lists of all other kinds. */
  closeExcept(kinds: ReadonlySet<AnyKind>): void {
    for (const kind of this.#open.keys()) if (!kinds.has(kind)) this.close(kind);
  }

  /** Closes every list, and forgets which kinds there was no room for. */
  closeAll(): void {
    for (const { tap } of this.#open.values()) tap.leave();
    this.#open.clear();
    this.#refusals.clear();
  }

  /** Lists again, if the list is open. */
  retry(kind: AnyKind): void {
    this.#open.get(kind)?.retry();
  }

  /** The objects of a kind; undefined until its list is complete. */
  entries(kind: AnyKind): Iterable<Entry> | undefined {
    const tap = this.#open.get(kind)?.tap;
    return tap?.isReady === true ? tap.entries() : undefined;
  }

  find(kind: AnyKind, uid: string): Entry | undefined {
    return this.#open.get(kind)?.tap.find(uid);
  }

  /**
   * State of a kind's list, also of one that there was no room for; undefined for one that was not opened.
   * @param within the namespaces that may be named in it
   */
  state(kind: AnyKind, within: Namespaces): ListState | undefined {
    return this.#open.get(kind)?.tap.stateWithin(within) ?? this.#refusals.get(kind);
  }

  isOpen(kind: AnyKind): boolean {
    return this.#open.has(kind);
  }

  isReady(kind: AnyKind): boolean {
    return this.#open.get(kind)?.tap.isReady === true;
  }

  /** The namespaces in which a kind's list was read once; the empty name is the whole cluster. */
  scopes(kind: AnyKind): readonly string[] {
    const tap = this.#open.get(kind)?.tap;
    return tap?.isReady === true ? tap.scopes : [];
  }

  /** Whether a view need not wait for a kind: its list was read once, cannot be read or is not open. */
  isSettled(kind: AnyKind): boolean {
    const tap = this.#open.get(kind)?.tap;
    return tap === undefined || tap.isReady || isUnreadable(tap.state);
  }
}
