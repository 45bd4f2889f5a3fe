import { ownPath } from '../../registry/path.ts';
import { type Layout, type LayoutRules, edit, singleTab } from './layout.ts';

/** Version of what is stored; another one is ignored. */
const version = 1;

/** The tabs of a browser tab and the selected cluster, as text for its session storage. */
export function storeTabs(layout: Layout, clusterId: number | undefined): string {
  return JSON.stringify({ version, tabs: layout.root.tabs.map((tab) => tab.href), clusterId });
}

/** What was stored, or nothing when it does not read as what this version writes. Foreign addresses are dropped. */
export function readTabs(text: string | null): {
  readonly hrefs: readonly string[];
  readonly clusterId?: number;
} {
  if (text === null) return { hrefs: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return { hrefs: [] };
    const { version: found, tabs, clusterId } = value as Record<string, unknown>;
    if (found !== version || !Array.isArray(tabs)) return { hrefs: [] };
    const hrefs = tabs.slice(0, 50).flatMap((href) => ownPath(typeof href === 'string' ? href : null) ?? []);
    return typeof clusterId === 'number' && Number.isInteger(clusterId) && clusterId > 0
      ? { hrefs, clusterId }
      : { hrefs };
  } catch {
    return { hrefs: [] };
  }
}

/** The layout of a page load: the stored background tabs, and the address, which wins. */
export function restoreLayout(hrefs: readonly string[], href: string, rules: LayoutRules): Layout {
  const [first, ...rest] = hrefs;
  if (first === undefined) return singleTab(href, rules);
  const stored = rest.reduce(
    (layout, one) => edit(layout, { type: 'open', href: one }, rules),
    singleTab(first, rules),
  );
  return edit(stored, { type: 'open', href }, rules);
}
