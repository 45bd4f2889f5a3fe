/** Where a menu opens, px in the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  readonly align: 'start' | 'end';
}

/** The place below a button, its right edges aligned. */
export function placeBelow(element: Element): MenuPlace {
  const { right, bottom } = element.getBoundingClientRect();
  return { x: right, y: bottom + 2, align: 'end' };
}
