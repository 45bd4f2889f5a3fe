import { commands } from '../../commands/index.ts';
import { allTabs } from '../../src/web/workspace/layout.ts';
import type { BrowserPlace, PlaceListener, WorkspaceStore } from '../../src/web/workspace/workspace-store.ts';
import { routedRegistry } from '../registry/routed.ts';

/** Everything the console can do. */
export const registry = routedRegistry(commands);

/**
 * A browser's history of addresses, without a browser: `back` is its Back, `stored` what it keeps for a reload. Back asks
 * before it moves, and tells when it has, as the library's history does.
 */
export function browser(start: string, stored: string | null = null) {
  const entries = [start];
  const ahead: string[] = [];
  let kept = stored;
  let listener: PlaceListener | undefined;
  const go = (by: number, isAllowed = false) => {
    const next = [...entries, ...ahead][entries.length - 1 + by] ?? start;
    if (!isAllowed && listener?.mayMove(next, () => go(by, true)) === false) {
      // The library's history tells of its way back to where it stood, too.
      listener.moved();
      return;
    }
    for (let at = by; at < 0; at += 1) ahead.unshift(...entries.splice(-1));
    entries.push(...ahead.splice(0, Math.max(0, by)));
    listener?.moved();
  };
  const place: BrowserPlace = {
    href: () => entries.at(-1) ?? '/',
    push: (href) => {
      ahead.length = 0;
      entries.push(href);
    },
    replace: (href) => entries.splice(-1, 1, href),
    listen: (on) => {
      listener = on;
    },
    read: () => kept,
    write: (text) => {
      kept = text;
    },
  };
  /** What the router does: a guard leads elsewhere, or an address is written another way. */
  const replaced = (href: string) => {
    entries.splice(-1, 1, href);
    listener?.replaced(href);
  };
  return { place, entries, back: () => go(-1), replaced, stored: () => kept };
}

/** The addresses of all tabs, in their order. */
export const tabsOf = (workspace: WorkspaceStore) =>
  allTabs(workspace.state.get().layout).map((tab) => tab.href);
