import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { tidyAddress } from './address.ts';
import type { BrowserPlace } from '../workspace/workspace-store.ts';

const key = 'wheelhouse.tabs';
/** Where the library keeps the number of an entry in the history: it tells how far the browser moved. */
const numberKey = '__TSR_index';

/** The history of this browser tab, whose addresses are in order before anything reads them. */
export function consoleHistory(): RouterHistory {
  const put = history.replaceState.bind(history);
  // Before the library hears of it, and past it.
  window.addEventListener('popstate', () => {
    // An entry without a state is one that the browser made for another hash: it comes after the one that showed.
    const index = made.location.state[numberKey] + 1;
    if (history.state === null) put({ [numberKey]: index, key: `hash-${index}` }, '');
    tidyAddress(put);
  });
  tidyAddress(put);
  const made = createBrowserHistory();
  return made;
}

/** The address, history and storage of this browser tab. The hash is never part of a place. */
export function browserPlace(made: RouterHistory): BrowserPlace {
  let isOwn = false;
  const href = () => made.location.pathname + made.location.search;
  const write = (how: 'push' | 'replace', to: string) => {
    isOwn = true;
    // The workspace asks before anything is lost, and reads the address at once.
    made[how](to, undefined, { ignoreBlocker: true });
    made.flush();
    isOwn = false;
  };
  return {
    href,
    push: (to) => write('push', to),
    replace: (to) => write('replace', to),
    listen: (on) => {
      made.subscribe(({ action }) => {
        if (isOwn) return;
        if (action.type === 'PUSH' || action.type === 'REPLACE') on.replaced(href());
        else on.moved();
      });
      made.block({
        enableBeforeUnload: false,
        blockerFn: ({ currentLocation, nextLocation }) => {
          const by = nextLocation.state[numberKey] - currentLocation.state[numberKey];
          const next = nextLocation.pathname + nextLocation.search;
          // To move by nothing would load the page anew.
          return by !== 0 && !on.mayMove(next, () => made.go(by, { ignoreBlocker: true }));
        },
      });
    },
    read: () => sessionStorage.getItem(key),
    write: (text) => sessionStorage.setItem(key, text),
  };
}
