import type { ObjectRef } from '../../registry/command.ts';
import { objectOfRoute } from '../../registry/kind-commands.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Entry } from './entries.ts';

/** The object an entry stands for, whose actions may be opened. */
export function objectOfEntry(registry: Registry, { act }: Entry): ObjectRef | undefined {
  if (act.type === 'object') return act.ref;
  return act.type === 'place' ? objectOfRoute(registry.match(act.href)) : undefined;
}

/** Gives the focus back to where it was; to the tab that shows, where that is gone. */
export function returnFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.checkVisibility();
  const target = isThere ? opener : document.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
  target?.focus();
}
