/**
 * The element that takes the focus of a view: its rows, the text of an editor or terminal, a field that asked for it,
 * else the view itself.
 */
const rows =
  ':is([role=grid], [role=tree], [role=application])[tabindex="0"], [data-keys=terminal] textarea, [data-part=edit-text] :is([role=textbox], textarea)';

/** The view that the focused tile shows; null before it is there. */
export function focusedView(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-tile][data-focused] [role=tabpanel]:not([hidden])');
}

/** Gives a view the keyboard's focus, so that it is never left to the page. Nothing when the view is not there yet. */
export function focusView(tab: string): void {
  focusIn(document.getElementById(`view-${tab}`));
}

/** The same for the view that the focused tile shows. */
export function focusShownView(): void {
  focusIn(focusedView());
}

function focusIn(view: HTMLElement | null): void {
  if (view === null || view.hidden) return;
  const target = view.querySelector<HTMLElement>(rows) ?? view;
  // Rows are as tall as their list: focusing them would scroll.
  target.focus({ preventScroll: true });
}
