import type { BrowserPlace } from '../workspace/workspace.ts';

const key = 'wheelhouse.tabs';

/** The address, history and storage of this browser tab. The hash is never part of a place. */
export function browserPlace(): BrowserPlace {
  return {
    href: () => location.pathname + location.search,
    push: (href) => history.pushState(null, '', href),
    replace: (href) => history.replaceState(null, '', href),
    read: () => sessionStorage.getItem(key),
    write: (text) => sessionStorage.setItem(key, text),
  };
}
