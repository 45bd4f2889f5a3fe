import { cva } from 'class-variance-authority';

/** A place in the sidebar; `aria-current` says that the focused tile shows it. */
export const sideEntry = cva(
  [
    'flex h-6 items-center gap-2 rounded-sm px-2 whitespace-nowrap text-text-2 hover:bg-row-hover hover:text-text narrow:h-10',
    'data-unreadable:text-text-3',
    'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-text',
    '*:[svg]:text-text-3 aria-[current=page]:*:[svg]:text-accent-text',
    'forced-colors:aria-[current=page]:outline forced-colors:aria-[current=page]:-outline-offset-1 forced-colors:aria-[current=page]:outline-[Highlight]',
  ],
  {
    variants: {
      kind: {
        entry: '',
        /** The button that opens and closes the group below it. */
        accordion: 'w-full',
        /** Stands where a window of many puts it. */
        within: 'absolute inset-x-0 top-0 pl-7.5',
      },
    },
    defaultVariants: { kind: 'entry' },
  },
);

/** The name of an entry: the longest of the console's own has room beside a count of three digits. */
export const sideName = 'min-w-0 truncate font-stretch-85%';

/** A heading over entries. */
export const sideHeading = 'px-2 pb-px text-2xs/4 font-medium text-text-3';

/** The text of a sidebar without entries. */
export const sideNothing = 'p-2 wrap-anywhere text-text-3';

/** The count at the end of an entry; in the tone of what it counts. */
export const sideCount =
  'ml-auto flex items-center gap-1.5 text-(length:--text-2xs) text-text-3 data-tone:font-semibold data-tone:text-tone-fg data-tone:*:[svg]:text-tone';

/** The round mark of a person. */
export const avatar = cva(
  'grid flex-none place-items-center rounded-full border font-semibold text-accent-text bg-accent-soft',
  {
    variants: {
      size: {
        /** In the top bar; where it is narrow a target of 36 around a mark of 28. */
        bar: 'size-6 border-accent-border text-(length:--text-2xs) narrow:size-9 narrow:border-4 narrow:border-transparent narrow:bg-clip-padding narrow:text-(length:--text-xs) narrow:shadow-[inset_0_0_0_1px_var(--color-accent-border)]',
        /** On the person's own page. */
        page: 'size-9 border-accent-border text-(length:--text-2xs)',
        menu: 'size-7 border-accent-border text-(length:--text-2xs)',
      },
    },
  },
);
