import { elementScroll, type Rect, type Virtualizer } from '@tanstack/react-virtual';

/**
 * Functions of a virtualizer for the scrolling element that do not force a layout of rows drawn a moment before: the
 * library's own ones took a third of the pass that draws a list's first rows.
 */

type Scrolled = Virtualizer<HTMLElement, Element>;

/** Tells the element's size once the browser has laid it out for the next frame; until then `initialRect` counts. */
export function observeRect(
  { scrollElement }: Scrolled,
  tell: (rect: Rect) => void,
): (() => void) | undefined {
  if (scrollElement === null) return undefined;
  const observer = new ResizeObserver(() =>
    tell({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
}

/** Scrolls, but not to the top where the element has never been scrolled. */
export function scrollUnforced(
  ...[offset, options, instance]: Parameters<typeof elementScroll<HTMLElement>>
): void {
  if (offset !== 0 || (instance.scrollOffset ?? 0) !== 0) elementScroll(offset, options, instance);
}
