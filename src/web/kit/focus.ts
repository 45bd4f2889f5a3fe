/** Rows and the like, which take the focus for the view that they are in. */
const rowSelector = ':is([role=grid], [role=tree], [role=application])[tabindex="0"]';
/** The text of an editor or terminal. */
const textSelector = '[data-keys=terminal] textarea, [data-part=edit-text] :is([role=textbox], textarea)';

/** The view that the focused tile shows; null before it is there. */
export function focusedView(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-tile][data-focused] [role=tabpanel]:not([hidden])');
}

/** Whether no control has the focus: the page has it, or a view as a whole. */
export function isFocusFree(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active === focusedView();
}

/**
 * Gives a view the keyboard's focus, so that it is never left to the page: its rows or text, else the view itself. Nothing
 * when the view is not there yet.
 */
export function focusView(tab: string): void {
  focusIn(document.getElementById(`view-${tab}`), `${rowSelector}, ${textSelector}`);
}

/**
 * Gives the view that the focused tile shows the focus in place of something in it that is gone: its rows, else the view
 * itself. Not its text, where the next key would be a letter of it.
 */
export function focusShownView(): void {
  focusIn(focusedView(), rowSelector);
}

function focusIn(view: HTMLElement | null, wanted: string): void {
  if (view === null || view.hidden) return;
  const target = view.querySelector<HTMLElement>(wanted) ?? view;
  // Rows are as tall as their list: focusing them would scroll.
  target.focus({ preventScroll: true });
}
