import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { objectOfRoute } from '../../../registry/commands/kind-commands.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import { focusedView } from '../../kit/focus.ts';
import type { Entry } from './entries.ts';

/** The object an entry stands for, whose actions may be opened. */
export function objectOfEntry(registry: Registry, { act }: Entry): ObjectRef | undefined {
  if (act.type === 'object') return act.ref;
  return act.type === 'place' ? objectOfRoute(registry.match(act.href)) : undefined;
}

/**
 * Where the focus goes before another page opens: to the view, unless it is in one. From there it follows to the page;
 * a tab, a link or a button of the shell would keep it, and take the next Enter.
 */
export function focusBeforeGoing(opener: Element | null, view: () => void): void {
  if (opener?.closest('[role=tabpanel]:not([hidden])') == null) view();
  else returnFocus(opener);
}

/** Gives the focus back to where it was; where that is gone, what in the view has it keeps it, else the tab that shows gets it. */
export function returnFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.checkVisibility();
  if (!isThere && focusedView()?.contains(document.activeElement) === true) return;
  const target = isThere ? opener : document.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
  target?.focus();
}
