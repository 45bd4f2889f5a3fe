interface Box {
  readonly isConnected: boolean;
  /** Measures against the window, px. */
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

interface Scroller extends Box {
  readonly scrollTop: number;
}

/** An item of a list, and where it was in all that is scrolled, px from its top. */
export interface ItemPlace<Item> {
  readonly item: Item;
  readonly offset: number;
}

const offsetOf = (item: Box, scroller: Scroller): number =>
  item.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;

/** Where the items of a list are, from the topmost one on that shows; the last one where the list is above what shows. */
export function placesOf<Item extends Box>(
  items: readonly Item[],
  scroller: Scroller,
): readonly ItemPlace<Item>[] {
  const edge = scroller.getBoundingClientRect().top;
  return items
    .slice(items.findIndex((item) => item.getBoundingClientRect().bottom > edge))
    .map((item) => ({ item, offset: offsetOf(item, scroller) }));
}

/** How far down, px, the first of some items that is still there has moved; 0 when none of them is. */
export function shiftOf(places: readonly ItemPlace<Box>[], scroller: Scroller): number {
  const kept = places.find(({ item }) => item.isConnected);
  return kept === undefined ? 0 : offsetOf(kept.item, scroller) - kept.offset;
}
