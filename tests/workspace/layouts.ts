import * as fc from 'fast-check';
import { type Edit, edit } from '../../src/web/workspace/edit.ts';
import { boundariesOf } from '../../src/web/workspace/geometry.ts';
import {
  allTabs,
  type Layout,
  type LayoutRules,
  singleTab,
  tilesOf,
} from '../../src/web/workspace/layout.ts';
import type { ShownNode } from '../../src/web/workspace/link.ts';
import { viewKey } from '../../src/web/workspace/place.ts';
import type { LayoutNode, Side } from '../../src/web/workspace/tree.ts';

/** Rules with ids of their own series. */
export function rulesOf(series = 't'): LayoutRules {
  let count = 0;
  return {
    keyOf: viewKey,
    viewOf: viewKey,
    fallback: () => '/clusters/1',
    newId: () => `${series}${(count += 1)}`,
  };
}

export const sides: readonly Side[] = ['left', 'right', 'up', 'down'];

/** A change whose tabs, tiles and boundaries are named by numbers, so that it fits any layout. */
export type AnyChange = (layout: Layout) => Edit;

const href = fc.constantFrom(
  '/',
  '/a',
  '/b?ns=a%20b&q=x~y',
  '/b?view=logs',
  '/c?ns=x(1),*',
  "/c?q='!&r=ü",
  '/clusters/1/pods',
);
const side = fc.constantFrom(...sides);
const tabAt = (layout: Layout, at: number) => allTabs(layout)[at % allTabs(layout).length]?.id ?? '';
const tileAt = (layout: Layout, at: number) => tilesOf(layout)[at % tilesOf(layout).length]?.id ?? '';
const number = fc.nat(12);

/** Any change there is. */
export const change: fc.Arbitrary<AnyChange> = fc.oneof(
  fc.tuple(href, fc.boolean()).map(
    ([to, isInTile]): AnyChange =>
      () => ({ type: 'open', href: to, isInTile }),
  ),
  {
    weight: 3,
    arbitrary: fc.tuple(side, href).map(
      ([at, to]): AnyChange =>
        () => ({ type: 'split', side: at, href: to }),
    ),
  },
  number.map(
    (at): AnyChange =>
      (layout) => ({ type: 'activate', tab: tabAt(layout, at) }),
  ),
  number.map(
    (at): AnyChange =>
      (layout) => ({ type: 'close', tab: tabAt(layout, at) }),
  ),
  fc.tuple(number, href).map(
    ([at, to]): AnyChange =>
      (layout) => ({ type: 'href', tab: tabAt(layout, at), href: to }),
  ),
  fc.tuple(number, number, number).map(
    ([tab, tile, at]): AnyChange =>
      (layout) => ({ type: 'moveTab', tab: tabAt(layout, tab), tile: tileAt(layout, tile), at }),
  ),
  fc.tuple(number, number, side).map(
    ([tab, tile, to]): AnyChange =>
      (layout) => ({ type: 'placeTab', tab: tabAt(layout, tab), beside: tileAt(layout, tile), side: to }),
  ),
  number.map(
    (at): AnyChange =>
      (layout) => ({ type: 'closeTile', tile: tileAt(layout, at) }),
  ),
  number.map(
    (at): AnyChange =>
      (layout) => ({ type: 'focus', tile: tileAt(layout, at) }),
  ),
  fc.tuple(number, number).map(
    ([a, b]): AnyChange =>
      (layout) => ({ type: 'swap', one: tileAt(layout, a), other: tileAt(layout, b) }),
  ),
  fc.tuple(number, side, fc.option(number)).map(
    ([tile, to, beside]): AnyChange =>
      (layout) => ({
        type: 'moveTile',
        tile: tileAt(layout, tile),
        side: to,
        ...(beside === null ? {} : { beside: tileAt(layout, beside) }),
      }),
  ),
  fc.tuple(number, fc.integer({ min: -20, max: 120 })).map(
    ([at, size]): AnyChange =>
      (layout) => {
        const all = boundariesOf(layout);
        const boundary = all[at % Math.max(1, all.length)];
        return {
          type: 'resize',
          split: boundary?.split ?? '',
          index: boundary?.index ?? 0,
          size: size / 1.7,
        };
      },
  ),
  fc.constant<AnyChange>(() => ({ type: 'equalise' })),
  fc.boolean().map(
    (on): AnyChange =>
      () => ({ type: 'maximise', on }),
  ),
  fc.constant<AnyChange>(() => ({ type: 'clear' })),
);

/** Applies one of them. */
export const run = (layout: Layout, one: AnyChange, rules: LayoutRules): Layout =>
  edit(layout, one(layout), rules);

/** Any layout that can come about. */
export const some: fc.Arbitrary<Layout> = fc.array(change, { maxLength: 25 }).map((changes) => {
  const rules = rulesOf();
  return changes.reduce((layout, one) => run(layout, one, rules), singleTab('/', rules));
});

/** What a layout, or an address, shows: paths, with `*` behind the focused one, and how they are divided. */
export function seen(node: LayoutNode | ShownNode, focused?: string): unknown {
  if (node.type === 'group') {
    const active = node.tabs.find(({ id }) => id === node.active)?.href ?? '';
    return node.id === focused ? `${active}*` : active;
  }
  if (node.type === 'tile') return node.isFocused ? `${node.href}*` : node.href;
  const children = node.children.map((child: LayoutNode | ShownNode) => seen(child, focused));
  return { [node.direction]: children, sizes: node.sizes };
}
