import { useEffect } from 'react';
import { focusShownView } from '../kit/focus.ts';

/** Overlays that return the focus to the element that had it before. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu]';

/** Elements that had the focus and are remembered: an overlay may open from another, which may open from a third. */
const historyLength = 8;

const isShown = (element: Element): boolean =>
  element.isConnected && element.checkVisibility() && element.closest('[hidden], [inert]') === null;

/**
 * Gives the focus to the view that shows when what had it is taken out of sight: its tab was closed, another tab
 * was opened from it, its row went, its button was replaced by another. The browser would give it to the page, whose
 * keyboard order begins at the top. An overlay that closes gives the focus back itself, but in a timer: until then, which is
 * long on a busy page, what had the focus before it has it, so that a screen reader announces no place in between.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** From the oldest to what had the focus last. */
    let history: readonly Element[] = [];
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const others = history.filter((element) => element !== target && element.isConnected);
      history = [...others, target].slice(-historyLength);
    };
    const observer = new MutationObserver(() => {
      const last = history.at(-1);
      if (document.activeElement !== document.body || last === undefined) return;
      if (last.isConnected && last.closest('[hidden]') === null) return;
      const before = last.closest(overlays) === null ? undefined : history.findLast(isShown);
      history = history.filter(isShown);
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      if (document.activeElement !== document.body) return;
      history = [];
      focusShownView();
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden'] });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}
