import type { Theme } from '../../../registry/services.ts';
import { type Keeper, persisted } from './persisted.ts';
import type { Cell } from './state.ts';
import { membersOf, parseStored } from './stored.ts';

/** How the page looks in this browser. */
export interface AppearanceState {
  readonly theme: Theme;
  /** Undefined until the person decided: then the width does. */
  readonly isSidebarOpen: boolean | undefined;
  /** Whether Tab leaves editors of text; as long as this page is there. */
  readonly tabLeaves?: boolean;
}

const version = 1;
const key = 'wheelhouse.appearance';

/** The stored theme, or the system's where nothing readable is stored. The rest is of this page. */
export function readAppearance(text: string | null, present?: AppearanceState): AppearanceState {
  const { theme } = membersOf(parseStored(text), version);
  return {
    isSidebarOpen: undefined,
    ...present,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

/** The appearance as text to store. Whether the sidebar is open belongs to the moment and the width. */
export function storeAppearance({ theme }: AppearanceState): string {
  return JSON.stringify({ version, theme });
}

/** Puts the theme on the document. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
}

/** How the page looks; the theme is kept in this browser, for all its pages. */
export const createAppearance = (keeper: Keeper): Cell<AppearanceState> =>
  persisted({ key, read: readAppearance, write: storeAppearance }, keeper);
