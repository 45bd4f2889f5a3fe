/** The part of a list's rows that its scroller shows. Lengths in px. */
interface Window {
  /** How far it is scrolled. */
  readonly offset: number;
  /** Of what it shows, the headings included. */
  readonly height: number;
  /** Of each row. */
  readonly rowHeight: number;
}

/**
 * The rows to draw: those that are seen, and some beyond; none of a list that shows nothing because it is hidden.
 * @param count how many rows there are
 * @param beyond rows above and below those that are seen
 * @returns the first one, and the one behind the last
 */
export function drawnRange(
  { offset, height, rowHeight }: Window,
  count: number,
  beyond: number,
): readonly [from: number, to: number] {
  if (height === 0) return [0, 0];
  const seen = Math.min(Math.floor(offset / rowHeight), Math.max(0, count - 1));
  const end = Math.ceil((offset + height) / rowHeight);
  return [Math.max(0, seen - beyond), Math.min(count, end + beyond)];
}

/**
 * How far to scroll, as little as shows a row in full; undefined if it shows.
 * @param headHeight of the headings, which cover as much of what is shown, px
 */
export function offsetShowing(
  index: number,
  { offset, height, rowHeight }: Window,
  headHeight: number,
): number | undefined {
  const start = index * rowHeight;
  const end = start + rowHeight;
  if (start < offset) return start;
  return end > offset + height - headHeight ? Math.max(0, end - height + headHeight) : undefined;
}
