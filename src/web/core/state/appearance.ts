import type { Theme } from '../../../registry/commands/services.ts';
import { type Keeper, persisted } from './persisted.ts';
import type { Cell } from './state.ts';
import { membersOf, parseStored } from './stored.ts';

/** How the page looks in this browser. */
export interface AppearanceState {
  readonly theme: Theme;
  /** Undefined until the person decided: then the width does. */
  readonly isSidebarOpen: boolean | undefined;
  /** Whether the sidebar's group More is open. */
  readonly isMoreOpen?: boolean;
  /** The place of one of its lists, for which it is open while that shows; of this page. */
  readonly moreOpenFor?: string | undefined;
  /** Whether Tab leaves editors of text; as long as this page is there. */
  readonly tabLeaves?: boolean;
}

const version = 1;
const key = 'wheelhouse.appearance';

/** The stored theme and group More, or the defaults where nothing readable is stored. The rest is of this page. */
export function readAppearance(text: string | null, present?: AppearanceState): AppearanceState {
  const { theme, isMoreOpen } = membersOf(parseStored(text), version);
  const { isMoreOpen: _before, ...ofPage } = present ?? { isSidebarOpen: undefined };
  return {
    ...ofPage,
    ...(isMoreOpen === true ? { isMoreOpen } : {}),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

/** The appearance as text to store. Whether the sidebar is open belongs to the moment and the width. */
export function storeAppearance({ theme, isMoreOpen }: AppearanceState): string {
  return JSON.stringify({ version, theme, ...(isMoreOpen === true ? { isMoreOpen } : {}) });
}

/** Whether the sidebar's group More shows its lists. */
export const showsMore = ({ isMoreOpen, moreOpenFor }: AppearanceState): boolean =>
  isMoreOpen === true || moreOpenFor !== undefined;

/** The group More opened, or closed also where one of its lists shows. */
export const withMoreToggled = (state: AppearanceState): AppearanceState => ({
  ...state,
  isMoreOpen: !showsMore(state),
  moreOpenFor: undefined,
});

/** Puts the theme on the document. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
}

/** How the page looks; the theme and the group More are kept in this browser, for all its pages. */
export const createAppearance = (keeper: Keeper): Cell<AppearanceState> =>
  persisted({ key, read: readAppearance, write: storeAppearance }, keeper);
