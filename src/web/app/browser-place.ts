import type { BrowserPlace } from '../workspace/workspace.ts';

const key = 'wheelhouse.tabs';

/** The address, history and storage of this browser tab. The hash is never part of a place. */
export function browserPlace(): BrowserPlace {
  // Each entry of the history is numbered: it does not tell by itself how far the browser moved in it.
  let at = 0;
  const moved = (): number => {
    const before = at;
    // An entry without a number is the first one, or one that the browser made (another hash).
    if (typeof history.state !== 'number') history.replaceState(before + 1, '');
    at = Number(history.state);
    return at - before;
  };
  moved();
  return {
    href: () => location.pathname + location.search,
    push: (href) => history.pushState((at += 1), '', href),
    replace: (href) => history.replaceState(at, '', href),
    moved,
    go: (by) => history.go(by),
    read: () => sessionStorage.getItem(key),
    write: (text) => sessionStorage.setItem(key, text),
  };
}
