/** Where a menu opens, px in the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  readonly align: 'start' | 'end';
}

/**
 * The place of an event that asks for a menu: the pointer's, or, by a key, below what has the focus.
 */
export function placeAt(event: {
  readonly clientX: number;
  readonly clientY: number;
  readonly target: EventTarget;
}): MenuPlace {
  const { clientX: x, clientY: y, target } = event;
  const isByKey = x === 0 && y === 0;
  return isByKey && target instanceof Element ? placeBelow(target) : { x, y, align: 'start' };
}

/** The place below a button, its right edges aligned. */
export function placeBelow(element: Element): MenuPlace {
  const { right, bottom } = element.getBoundingClientRect();
  return { x: right, y: bottom + 2, align: 'end' };
}
