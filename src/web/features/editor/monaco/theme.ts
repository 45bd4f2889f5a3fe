import { colorsAt } from '../../../kit/colors.ts';
import { monaco } from './monaco.ts';

const name = 'wheelhouse';

/** The library's colours by the names of the page's tokens. */
const colors: Readonly<Record<string, string>> = {
  foreground: '--color-text',
  focusBorder: '--color-focus',
  errorForeground: '--color-bad-fg',
  'editor.background': '--color-surface',
  'editor.foreground': '--color-text',
  'editor.lineHighlightBackground': '--color-row-cursor',
  'editor.selectionBackground': '--color-accent-soft',
  'editor.inactiveSelectionBackground': '--color-row-selected',
  'editor.findMatchBackground': '--color-match',
  'editor.findMatchHighlightBackground': '--color-brass-soft',
  'editor.findMatchBorder': '--color-brass',
  'editor.hoverHighlightBackground': '--color-accent-soft',
  'editor.placeholder.foreground': '--color-text-3',
  'editorCursor.foreground': '--color-accent',
  'editorLineNumber.foreground': '--color-text-3',
  'editorLineNumber.activeForeground': '--color-text',
  'editorIndentGuide.background1': '--color-hairline',
  'editorIndentGuide.activeBackground1': '--color-border',
  'editorBracketMatch.background': '--color-accent-soft',
  'editorBracketMatch.border': '--color-accent-border',
  'editorGutter.foldingControlForeground': '--color-text-3',
  'editorError.foreground': '--color-bad',
  'editorWarning.foreground': '--color-warn',
  'editorInfo.foreground': '--color-info',
  'editorWidget.background': '--color-overlay',
  'editorWidget.foreground': '--color-text',
  'editorWidget.border': '--color-border',
  'editorHoverWidget.background': '--color-overlay',
  'editorHoverWidget.foreground': '--color-text',
  'editorHoverWidget.border': '--color-border',
  'editorHoverWidget.statusBarBackground': '--color-raised',
  'editorSuggestWidget.background': '--color-overlay',
  'editorSuggestWidget.foreground': '--color-text',
  'editorSuggestWidget.border': '--color-border',
  'editorSuggestWidget.selectedBackground': '--color-row-selected',
  'editorSuggestWidget.selectedForeground': '--color-text',
  'editorSuggestWidget.highlightForeground': '--color-accent-text',
  'editorSuggestWidget.focusHighlightForeground': '--color-accent-text',
  'editorMarkerNavigation.background': '--color-raised',
  'editorMarkerNavigationError.background': '--color-bad',
  'editorMarkerNavigationWarning.background': '--color-warn',
  'editorMarkerNavigationInfo.background': '--color-info',
  'list.hoverBackground': '--color-row-hover',
  'list.focusBackground': '--color-row-selected',
  'list.focusForeground': '--color-text',
  'input.background': '--color-surface',
  'input.foreground': '--color-text',
  'input.border': '--color-control',
  'input.placeholderForeground': '--color-text-3',
  'inputOption.activeBackground': '--color-accent-soft',
  'inputOption.activeForeground': '--color-text',
  'inputOption.activeBorder': '--color-accent-border',
  'textLink.foreground': '--color-accent-text',
  'textLink.activeForeground': '--color-accent-text',
  'textCodeBlock.background': '--color-sunken',
  'scrollbarSlider.background': '--color-fill',
  'scrollbarSlider.hoverBackground': '--color-fill-hover',
  'scrollbarSlider.activeBackground': '--color-fill-hover',
  'widget.shadow': '--color-shade-2',
  'icon.foreground': '--color-text-2',
};

/** The token colours of YAML, from the page's code colours. */
const rules: Readonly<Record<string, string>> = {
  '': '--color-text',
  type: '--color-code-key',
  string: '--color-code-string',
  // The library's own themes have rules of their own for these.
  'string.yaml': '--color-code-string',
  number: '--color-code-number',
  keyword: '--color-code-number',
  comment: '--color-code-comment',
  operators: '--color-code-punct',
  delimiter: '--color-code-punct',
  namespace: '--color-code-number',
  tag: '--color-code-number',
  meta: '--color-code-comment',
};

const dark = matchMedia('(prefers-color-scheme: dark)');

function apply(): void {
  const root = document.documentElement;
  const chosen = root.dataset['theme'];
  const isDark = chosen === undefined ? dark.matches : chosen === 'dark';
  monaco.editor.defineTheme(name, {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: Object.entries(colorsAt(root, rules)).map(([token, color]) => ({
      token,
      foreground: color.slice(1),
    })),
    colors: {
      ...colorsAt(root, colors),
      'editor.lineHighlightBorder': '#00000000',
      'scrollbar.shadow': '#00000000',
    },
  });
  monaco.editor.setTheme(name);
}

let isFollowing = false;

/** Gives the editors the page's colours, now and whenever the page changes them. */
export function followTheme(): void {
  apply();
  if (isFollowing) return;
  isFollowing = true;
  dark.addEventListener('change', apply);
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] });
}
