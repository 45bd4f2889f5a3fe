/** Width of the tab that shows, at least (rem): its title can be read. */
const leastActive = 10;
/** Width of every other tab, at least (rem): an icon and the beginning of its title. */
const leastOther = 5.5;

/** The tabs of a bar that have room: those from one place to before another. */
export interface TabsInBar {
  readonly from: number;
  readonly to: number;
}

/**
 * The tabs that stand in the bar; the menu has all of them. They are neighbours, with the one that shows among them, and
 * as few as possible are others than before.
 * @param active place of the tab that shows
 * @param room width for tabs (rem)
 * @param before the place where the tabs in the bar began
 */
export function tabsInBar(count: number, active: number, room: number, before: number): TabsInBar {
  const fitting = 1 + Math.max(0, Math.floor((room - leastActive) / leastOther));
  const shown = Math.min(count, fitting);
  const least = Math.max(0, active - shown + 1);
  const from = Math.min(Math.max(before, least), active, count - shown);
  return { from, to: from + shown };
}
