/** The elements that views are drawn into. They move between tiles as they are, so no view starts anew. */
export interface Hosts {
  of(tab: string): HTMLElement;
  /** Puts each tab's element into the body of its tile; elements of other tabs go. */
  place(wanted: readonly { readonly tab: string; readonly body: HTMLElement }[]): void;
  /** Notes how far everything inside is scrolled: moving an element loses that. */
  noteScroll(): void;
  /** Scrolls back to what was noted. */
  restoreScroll(): void;
}

/** No elements yet. */
export function createHosts(): Hosts {
  const hosts = new Map<string, HTMLElement>();
  let scrolled: readonly (readonly [Element, number, number])[] = [];
  return {
    of: (tab) => {
      const known = hosts.get(tab);
      if (known !== undefined) return known;
      const made = document.createElement('div');
      made.className = 'host';
      hosts.set(tab, made);
      return made;
    },
    place: (wanted) => {
      const kept = new Set(wanted.map(({ tab }) => tab));
      for (const [tab, host] of hosts) {
        if (kept.has(tab)) continue;
        host.remove();
        hosts.delete(tab);
      }
      for (const { tab, body } of wanted) {
        const host = hosts.get(tab);
        if (host === undefined || host.parentElement === body) continue;
        body.append(host);
      }
    },
    noteScroll: () => {
      scrolled = [...hosts.values()].flatMap((host) =>
        [...host.querySelectorAll('*')].flatMap((element) =>
          element.scrollTop !== 0 || element.scrollLeft !== 0
            ? [[element, element.scrollTop, element.scrollLeft] as const]
            : [],
        ),
      );
    },
    restoreScroll: () => {
      for (const [element, top, left] of scrolled) {
        element.scrollTop = top;
        element.scrollLeft = left;
      }
      scrolled = [];
    },
  };
}
