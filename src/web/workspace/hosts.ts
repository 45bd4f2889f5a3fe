/**
 * The elements that tiles and views are drawn into. They move between places as they are, so that nothing in them
 * starts anew, and keep the focus and how far they are scrolled.
 */
export interface Hosts {
  /** The element of this id, made when it is first asked for. */
  of(id: string): HTMLElement;
  /** Takes elements out of places that are about to go. */
  park(ids: readonly string[], into: HTMLElement): void;
  /** Puts each element into its place, outer ones first; elements of other ids go. */
  place(wanted: readonly { readonly id: string; readonly into: HTMLElement }[]): void;
}

/** Moves an element that is on the page without taking it out, so that it keeps the focus, where the browser can. */
function move(element: HTMLElement, into: HTMLElement): void {
  if ('moveBefore' in into && element.isConnected && into.isConnected) into.moveBefore(element, null);
  else into.append(element);
}

/** No elements yet. */
export function createHosts(): Hosts {
  const hosts = new Map<string, HTMLElement>();
  let scrolled: readonly (readonly [Element, number, number])[] = [];
  let focused: Element | null = null;
  const noteScroll = (host: HTMLElement) =>
    [...host.querySelectorAll('*')].flatMap((element) =>
      element.scrollTop !== 0 || element.scrollLeft !== 0
        ? [[element, element.scrollTop, element.scrollLeft] as const]
        : [],
    );
  const restore = () => {
    for (const [element, top, left] of scrolled) {
      element.scrollTop = top;
      element.scrollLeft = left;
    }
    scrolled = [];
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
      focused.focus({ preventScroll: true });
    focused = null;
  };
  return {
    of: (id) => {
      const known = hosts.get(id);
      if (known !== undefined) return known;
      const made = document.createElement('div');
      made.className = 'contents';
      hosts.set(id, made);
      return made;
    },
    park: (ids, into) => {
      const moved = ids.flatMap((id) => hosts.get(id) ?? []);
      // All of them before the first one moves: moving an element scrolls it back.
      scrolled = moved.flatMap(noteScroll);
      focused = moved.some((host) => host.contains(document.activeElement)) ? document.activeElement : null;
      for (const host of moved) move(host, into);
    },
    place: (wanted) => {
      const kept = new Set(wanted.map(({ id }) => id));
      for (const [id, host] of hosts) {
        if (kept.has(id)) continue;
        host.remove();
        hosts.delete(id);
      }
      for (const { id, into } of wanted) {
        const host = hosts.get(id);
        if (host !== undefined && host.parentElement !== into) move(host, into);
      }
      restore();
    },
  };
}
