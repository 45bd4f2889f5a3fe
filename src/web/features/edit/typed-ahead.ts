import type { Registry } from '../../../registry/commands/registry.ts';
import { splitHref } from '../../../registry/path.ts';
import type { Cell } from '../../core/state/state.ts';
import type { Overlays } from '../../kit/overlays.ts';
import type { WorkspacePort } from '../../workspace/port.ts';
import { focusedTab } from '../../workspace/layout.ts';
import { parseSearch } from '../../workspace/search.ts';

/** The views of an object in which letters are text: its editor and its terminals. */
const textViews: ReadonlySet<string | undefined> = new Set(['edit', 'shell', 'attach']);

/** Text typed for the editor of a tab while it was loading. */
export interface TypedAhead {
  readonly tab: string;
  /** The tab's address when it was typed. */
  readonly href: string;
  readonly text: string;
}

const viewOf = (registry: Registry, href: string): string | undefined =>
  registry.match(splitHref(href).pathname)?.command.shows === 'object'
    ? parseSearch(splitHref(href).search).view
    : undefined;

/** Whether an address leads to a view in which letters are text; known before anything of the view is loaded. */
export const awaitsText = (registry: Registry, href: string): boolean =>
  textViews.has(viewOf(registry, href));

const fields = 'input, textarea, select, [contenteditable], [role=textbox], [role=combobox], [data-keys]';
const pressable = 'button, a[href], [role=tab], [role=menuitem]';

/** Parts of the page that typing ahead needs. */
interface TypingParts extends Pick<WorkspacePort, 'workspace' | 'tools'> {
  readonly registry: Registry;
  readonly overlays: Cell<Overlays>;
  readonly typedAhead: Cell<TypedAhead | undefined>;
}

/**
 * Keeps a key that is typed while the editor of the focused tab is loading, to be written into it once it is there.
 * @param at what has the focus
 * @returns false where no editor is loading, or the key is no text
 */
export function typeAheadOfEditor(
  { workspace, tools, registry, overlays, typedAhead }: TypingParts,
  key: string,
  at: Element | null,
): boolean {
  const { id: tab, href } = focusedTab(workspace.state.get().layout);
  // The view says what it is once it shows the editor, or why there is none.
  const isLoading = viewOf(registry, href) === 'edit' && tools.of(tab) === undefined;
  const { menu, dialog } = overlays.get();
  // Text typed for an editor that was left is dropped: it is for no other editor.
  if (!isLoading && typedAhead.get() !== undefined) typedAhead.set(undefined);
  if (!isLoading || menu > 0 || dialog > 0) return false;
  if (at?.closest(fields) != null) return false;
  const known = typedAhead.get();
  const text = known?.tab === tab && known.href === href ? known.text : '';
  if (at?.closest(pressable) != null && (key === 'Enter' || key === ' ') && text === '') return false;
  const next =
    key === 'Enter'
      ? `${text}\n`
      : key === 'Backspace'
        ? text.slice(0, -1)
        : /^.$/u.test(key)
          ? text + key
          : undefined;
  if (next === undefined) return false;
  typedAhead.set({ tab, href, text: next });
  return true;
}

/** Takes what was typed ahead for the editor of a tab, as it is addressed now; empty where nothing was. */
export function takeTypedAhead(
  { typedAhead, workspace }: Pick<TypingParts, 'typedAhead' | 'workspace'>,
  tab: string,
): string {
  const known = typedAhead.get();
  typedAhead.set(undefined);
  return known?.tab === tab && known.href === workspace.hrefOf(tab) ? known.text : '';
}
