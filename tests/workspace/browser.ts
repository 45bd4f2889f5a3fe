import { commands } from '../../commands/index.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { allTabs } from '../../src/web/workspace/layout.ts';
import type { BrowserPlace, WorkspaceStore } from '../../src/web/workspace/workspace.ts';

/** Everything the console can do. */
export const registry = createRegistry(commands);

/** A browser's history of addresses, without a browser: `back` is its Back, `stored` what it keeps for a reload. */
export function browser(start: string, stored: string | null = null) {
  const entries = [start];
  const ahead: string[] = [];
  let kept = stored;
  let steps = 0;
  const go = (by: number) => {
    steps += by;
    for (let at = by; at < 0; at += 1) ahead.unshift(...entries.splice(-1));
    entries.push(...ahead.splice(0, Math.max(0, by)));
  };
  const place: BrowserPlace = {
    href: () => entries.at(-1) ?? '/',
    push: (href) => {
      ahead.length = 0;
      entries.push(href);
    },
    replace: (href) => entries.splice(-1, 1, href),
    moved: () => {
      const by = steps;
      steps = 0;
      return by;
    },
    go,
    read: () => kept,
    write: (text) => {
      kept = text;
    },
  };
  return { place, entries, back: () => go(-1), stored: () => kept };
}

/** The addresses of all tabs, in their order. */
export const tabsOf = (workspace: WorkspaceStore) =>
  allTabs(workspace.state.get().layout).map((tab) => tab.href);
