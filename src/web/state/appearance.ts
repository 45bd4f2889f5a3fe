import type { Theme } from '../../registry/services.ts';

/** How the page looks in this browser. */
export interface AppearanceState {
  readonly theme: Theme;
  /** Undefined until the person decided: then the width does. */
  readonly isSidebarOpen: boolean | undefined;
  /** Whether Tab leaves editors of text; as long as this page is there. */
  readonly tabLeaves?: boolean;
}

const version = 1;
export const appearanceKey = 'wheelhouse.appearance';

/** The stored appearance, or the defaults where nothing readable is stored. */
export function readAppearance(text: string | null): AppearanceState {
  const fallback: AppearanceState = { theme: 'system', isSidebarOpen: undefined };
  if (text === null) return fallback;
  try {
    const value = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    if (value === null || value.version !== version) return fallback;
    const theme = value.theme === 'light' || value.theme === 'dark' ? value.theme : 'system';
    return { theme, isSidebarOpen: undefined };
  } catch {
    return fallback;
  }
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
