import { createHistory, parseHref, type RouterHistory } from '@tanstack/history';
import { focusedTab } from './layout.ts';
import type { WorkspaceStore } from './workspace.ts';

/**
 * The history of one view: a window onto the workspace, which alone writes the browser's address.
 * A change of search stays in the tab; another path is opened as the workspace's rules say.
 */
export function createViewHistory(
  workspace: WorkspaceStore,
  tab: string,
  hrefOf: () => string,
  keyOf: (href: string) => string,
): RouterHistory {
  let index = 0;
  let known = { href: '', location: parseHref('/', { __TSR_index: 0 }) };
  const go = (href: string, mode: 'push' | 'replace') => {
    // A view that leads elsewhere by itself, beside the focused one, takes nobody along.
    const isFocused = focusedTab(workspace.state.get().layout).id === tab;
    if (!isFocused || keyOf(href) === keyOf(hrefOf())) workspace.setHref(tab, href, mode);
    else if (mode === 'push') workspace.open(href);
    else workspace.redirect(href);
  };
  return createHistory({
    // The router compares locations by identity.
    getLocation: () => {
      const href = hrefOf();
      if (known.href !== href) known = { href, location: parseHref(href, { __TSR_index: index }) };
      return known.location;
    },
    getLength: () => window.history.length,
    pushState: (href) => {
      index += 1;
      go(href, 'push');
    },
    replaceState: (href) => go(href, 'replace'),
    back: () => window.history.back(),
    forward: () => window.history.forward(),
    go: (n) => window.history.go(n),
    createHref: (href) => href,
    notifyOnIndexChange: false,
  });
}
