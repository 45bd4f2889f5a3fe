import type { ITheme } from '@xterm/xterm';
import { colorsAt } from '../../kit/colors.ts';

/** The sixteen colours of a terminal by the names of the page's: each stands out on both themes' surface. */
const names = {
  background: '--color-surface',
  foreground: '--color-text',
  cursor: '--color-accent',
  cursorAccent: '--color-surface',
  selectionBackground: '--color-accent-soft',
  selectionForeground: '--color-text',
  scrollbarSliderBackground: '--color-fill',
  scrollbarSliderHoverBackground: '--color-fill-hover',
  scrollbarSliderActiveBackground: '--color-fill-hover',
  black: '--color-text',
  red: '--color-bad-fg',
  green: '--color-ok-fg',
  yellow: '--color-warn-fg',
  blue: '--color-accent-text',
  magenta: '--color-info-fg',
  cyan: '--color-chart-3',
  white: '--color-text-2',
  brightBlack: '--color-text-3',
  brightRed: '--color-bad-fg',
  brightGreen: '--color-ok-fg',
  brightYellow: '--color-warn-fg',
  brightBlue: '--color-accent-text',
  brightMagenta: '--color-info-fg',
  brightCyan: '--color-chart-3',
  brightWhite: '--color-text',
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** The page's colours as they are now, for a terminal. */
export const themeOf = (element: Element): ITheme => colorsAt(element, names);
