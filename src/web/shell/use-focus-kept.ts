import { useEffect } from 'react';

/**
 * Gives the focus to the view that shows when what had it is taken out of sight: its tab was closed, another tab
 * was opened from it, its row went, its button was replaced by another. The browser would give it to the page, whose
 * keyboard order begins at the top.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = (event: FocusEvent) => {
      last = event.target;
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Element)) return;
      if (last.isConnected && last.closest('[hidden]') === null) return;
      last = null;
      document
        .querySelector<HTMLElement>('.tile.focused .view:not([hidden])')
        ?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden'] });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}
