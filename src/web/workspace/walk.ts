/** Elements that are a line of their own in lists and tables of a page. */
const lines = 'li, tr, [role=row]';
/** A way to another page of this console, or what stands for a line that leads nowhere and that keys act on. */
const internalLink = 'a[href^="/"], [data-line]';
/** How far one step scrolls (rem). */
const step = 3;
/** How much of a screenful stays in sight (share). */
const page = 0.85;

const isShown = (element: Element) => element.checkVisibility();

/** The lines of a view that lead somewhere: the first link of each. */
function linksOf(view: Element): readonly HTMLElement[] {
  const found = [...view.querySelectorAll(lines)].flatMap(
    (line) => line.querySelector<HTMLElement>(internalLink) ?? [],
  );
  return [...new Set(found)].filter(isShown);
}

const canScroll = (element: Element) =>
  element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY);

/** The scrolling element of a view: around the focused element, else the largest one. */
function scrollerOf(view: Element): Element | undefined {
  let around: Element | null = document.activeElement;
  while (around !== null && around !== view && view.contains(around)) {
    if (canScroll(around)) return around;
    around = around.parentElement;
  }
  const size = (element: Element) => element.clientWidth * element.clientHeight;
  return [...view.querySelectorAll('*')].filter(canScroll).sort((a, b) => size(b) - size(a))[0];
}

const viewOf = (tab: string) => {
  const view = document.getElementById(`view-${tab}`);
  return view === null || view.hidden ? undefined : view;
};

/** The line where a view begins: the first beside its navigation, else the page that the navigation marks. */
const firstOf = (links: readonly HTMLElement[]) =>
  links.find((link) => link.closest('nav') === null) ??
  links.find((link) => link.getAttribute('aria-current') === 'page') ??
  links[0];

/** Focuses the first line of a view that leads somewhere, unless something of the view has the focus already. */
export function focusFirstLine(tab: string): void {
  const view = viewOf(tab);
  if (view === undefined) return;
  const active = document.activeElement;
  if (active === null || active === document.body || active === view) firstOf(linksOf(view))?.focus();
}

/** Goes to the next line that leads somewhere where that is in sight or one step away, else scrolls; -1 is up. */
export function walk(tab: string, by: 1 | -1): void {
  const view = viewOf(tab);
  if (view === undefined) return;
  const scroller = scrollerOf(view);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const { top, bottom } = (scroller ?? view).getBoundingClientRect();
  const near = (link: Element) => {
    const box = link.getBoundingClientRect();
    return box.bottom > top - step * rem && box.top < bottom + step * rem;
  };
  const links = linksOf(view);
  const at = links.findIndex((link) => link === document.activeElement);
  const current = links[at];
  // From a line that was scrolled out of sight one goes on with what is in sight.
  const beside = current !== undefined && near(current) ? links[at + by] : undefined;
  const inSight = current === undefined || !near(current) ? links.filter(near) : [];
  const next = beside ?? (by > 0 ? inSight[0] : inSight.at(-1));
  if (next !== undefined && near(next)) next.focus();
  else scroller?.scrollBy({ top: by * step * rem });
}

/** Scrolls a view by screenfuls; ±Infinity goes to an end. */
export function scrollView(tab: string, by: number): void {
  const view = viewOf(tab);
  const scroller = view === undefined ? undefined : scrollerOf(view);
  if (scroller === undefined) return;
  if (Number.isFinite(by)) scroller.scrollBy({ top: by * scroller.clientHeight * page });
  else scroller.scrollTo({ top: by > 0 ? scroller.scrollHeight : 0 });
}
