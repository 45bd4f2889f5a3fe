import { allTabs, type Layout, tilesOf } from './layout.ts';
import type { ClosedTab } from './workspace-store.ts';

/** Closed tabs that are remembered. */
const maxClosed = 25;

/** The tabs that were closed on this page, for opening them again. */
export class ClosedTabs {
  #closed: readonly ClosedTab[] = [];

  /** Every closed tab, the latest last. */
  get all(): readonly ClosedTab[] {
    return this.#closed;
  }

  /** Remembers the tabs that one layout has and whose address the next has no more. */
  note(before: Layout, next: Layout): void {
    const left = new Set(allTabs(next).flatMap(({ id, href }) => [id, href]));
    const gone = tilesOf(before).flatMap((group) =>
      group.tabs.flatMap(({ id, href }, at) =>
        left.has(id) || left.has(href) ? [] : [{ href, tile: group.id, at }],
      ),
    );
    if (gone.length > 0) this.#closed = [...this.#closed, ...gone].slice(-maxClosed);
  }

  /** Takes the tab that was closed last. */
  take(): ClosedTab | undefined {
    const last = this.#closed.at(-1);
    this.#closed = this.#closed.slice(0, -1);
    return last;
  }

  /** Forgets them: they were another person's. */
  forget(): void {
    this.#closed = [];
  }
}
