import { ownPath, splitHref } from '../../registry/path.ts';
import { activeTab, type Layout, tileLimit } from './layout.ts';
import { type Direction, type LayoutNode, leastSize, sumTo100 } from './tree.ts';

/**
 * The layout in an address. The focused tile's path is the address itself; with several tiles one more search value,
 * `_w`, carries the rest:
 *
 *     layout = "1" [ "m" ] split          version, and whether the focused tile covers the others
 *     split  = ( "r" | "c" ) size { "-" size } "(" node { "," node } ")"      a row or a column, per cents
 *     node   = split | "*" | path         "*" is the focused tile
 *
 * Paths are percent-encoded with `~` for the percent sign; what browsers and this grammar leave alone stays readable.
 */
export const layoutParam = '_w';

/** The tiles of an address: how they are divided, and what each of them shows. */
export type ShownNode =
  | { readonly type: 'tile'; readonly href: string; readonly isFocused: boolean }
  | {
      readonly type: 'split';
      readonly direction: Direction;
      readonly sizes: readonly number[];
      readonly children: readonly ShownNode[];
    };

/** The tiles an address shows. */
export interface LinkedTiles {
  readonly root: ShownNode;
  readonly isMaximised: boolean;
}

const version = '1';
/** Characters of `_w` at most: proxies cut addresses off at 8 KB. */
const maxLinkLength = 6_000;
const maxDepth = tileLimit - 1;

const encodePath = (href: string): string =>
  encodeURIComponent(href)
    .replace(/[~!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?:2F|3F|3D|3A|40)/g, decodeURIComponent)
    .replaceAll('%', '~');

function decodePath(text: string): string | undefined {
  try {
    return consolePath(decodeURIComponent(text.replaceAll('~', '%')));
  } catch {
    return undefined;
  }
}

/** A path of this console without layout and hash; nothing for anything that leads elsewhere. */
export function consolePath(href: string | null | undefined): string | undefined {
  const own = ownPath(href);
  if (own === undefined) return undefined;
  const { pathname, search } = splitHref(own);
  if (!search.includes(layoutParam)) return pathname + search;
  const left = search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith(`${layoutParam}=`) && part !== layoutParam);
  return pathname + (left.length === 0 ? '' : `?${left.join('&')}`);
}

function encodeNode(node: LayoutNode, focused: string, hrefOf: (href: string) => string): string {
  if (node.type === 'group') return node.id === focused ? '*' : encodePath(hrefOf(activeTab(node).href));
  const children = node.children.map((child) => encodeNode(child, focused, hrefOf));
  return `${node.direction === 'row' ? 'r' : 'c'}${node.sizes.join('-')}(${children.join(',')})`;
}

/** The address of a layout: the focused tile's, with the other tiles that show. */
export function addressOf(layout: Layout, focusedHref: string): string {
  if (layout.root.type === 'group') return focusedHref;
  const mark = layout.isMaximised ? `${version}m` : version;
  const full = mark + encodeNode(layout.root, layout.focused, (href) => href);
  // Filters of the other tiles are given up before the layout is.
  const text =
    full.length <= maxLinkLength
      ? full
      : mark + encodeNode(layout.root, layout.focused, (href) => splitHref(href).pathname);
  if (text.length > maxLinkLength) return focusedHref;
  return `${focusedHref}${focusedHref.includes('?') ? '&' : '?'}${layoutParam}=${text}`;
}

/**
 * The tiles of an address; one tile for every layout that `addressOf` does not write. Undefined for a foreign address.
 */
export function shownBy(address: string): LinkedTiles | undefined {
  const href = consolePath(address);
  if (href === undefined) return undefined;
  const single: LinkedTiles = { root: { type: 'tile', href, isFocused: true }, isMaximised: false };
  const text = new URLSearchParams(splitHref(address).search).get(layoutParam);
  if (text === null || text.length > maxLinkLength || !text.startsWith(version)) return single;
  const isMaximised = text[version.length] === 'm';
  const root = parse(text.slice(version.length + (isMaximised ? 1 : 0)), href);
  return root === undefined ? single : { root, isMaximised };
}

/** Whether an address says anything of tiles, readable or not. */
export const namesTiles = (address: string): boolean =>
  new URLSearchParams(splitHref(address).search).has(layoutParam);

/** Reads a split from the front of a text and gives what is left of it; nothing for anything odd. */
function parse(text: string, focusedHref: string): ShownNode | undefined {
  let rest = text;
  let tiles = 0;
  let focused = 0;
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)?.[0];
    if (found !== undefined) rest = rest.slice(found.length);
    return found;
  };
  const node = (depth: number, outer: Direction | undefined): ShownNode | undefined => {
    const head = take(/^[rc][\d.-]+\(/);
    if (head === undefined) return tile();
    const direction = head.startsWith('r') ? 'row' : 'column';
    if (depth > maxDepth || direction === outer) return undefined;
    const sizes = head.slice(1, -1).split('-').map(Number);
    const children: ShownNode[] = [];
    do {
      const child = node(depth + 1, direction);
      if (child === undefined) return undefined;
      children.push(child);
    } while (take(/^,/) !== undefined);
    const sum = sizes.reduce((total, size) => total + size, 0);
    const isSound =
      take(/^\)/) !== undefined &&
      children.length >= 2 &&
      sizes.length === children.length &&
      sizes.every((size) => size >= leastSize / 5) &&
      Math.abs(sum - 100) < 0.5;
    return isSound ? { type: 'split', direction, sizes: sumTo100(sizes), children } : undefined;
  };
  const tile = (): ShownNode | undefined => {
    tiles += 1;
    const path = take(/^(?:\*|\/[^(),*]*)/);
    if (path === undefined || tiles > tileLimit) return undefined;
    if (path === '*') {
      focused += 1;
      return { type: 'tile', href: focusedHref, isFocused: true };
    }
    const href = decodePath(path);
    return href === undefined ? undefined : { type: 'tile', href, isFocused: false };
  };
  const root = node(1, undefined);
  return root?.type === 'split' && rest === '' && focused === 1 ? root : undefined;
}
