import { cva } from 'class-variance-authority';

/**
 * The box of a menu, above everything but tooltips and toasts. Only an open menu is animated: Radix keeps a closing one until
 * an animation that it has not seen begin ends, which may already have ended on a busy machine; the menu then never goes.
 */
export const menuBox =
  'z-menu data-[state=open]:animate-menu-in rounded-md border border-border bg-overlay p-1 shadow-menu';

/** A line of a menu; `data-highlighted` and `data-disabled` say its state, as Radix sets them. */
export const menuItem = cva(
  [
    'group/item flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 outline-0 select-none narrow:min-h-10',
    'data-highlighted:bg-accent-soft data-highlighted:shadow-[inset_2px_0_0_var(--color-accent)]',
    'data-disabled:text-text-disabled narrow:[&_kbd]:hidden',
    'forced-colors:data-highlighted:outline-2 forced-colors:data-highlighted:-outline-offset-2 forced-colors:data-highlighted:outline-[Highlight]',
  ],
  {
    variants: {
      /** Destroys something. */
      isDanger: {
        true: 'not-data-disabled:text-bad-fg *:[svg]:text-text-3 not-data-disabled:*:[svg]:text-bad-fg',
        false: 'text-text *:[svg]:text-text-3',
      },
    },
    defaultVariants: { isDanger: false },
  },
);

/** The second line of an item, quieter; readable also where the item is disabled. */
export const menuSub =
  'text-xs text-text-3 group-data-highlighted/item:text-text-2 group-data-disabled/item:whitespace-normal group-data-disabled/item:text-text-2';

/** The tick of what is chosen. Important, since the item's own rule for its icons is the more specific one. */
export const menuTick = 'text-accent-text!';

/** Stands between groups of items. */
export const menuLine = '-mx-1 my-1 h-px bg-border';

/** The text of an empty menu. */
export const menuNothing = 'p-2 text-text-3';

/** Lies over the page while something in front of it has to be answered. */
export const scrim = 'fixed inset-0 z-scrim bg-scrim';
