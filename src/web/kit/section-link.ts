/** A link among those to the sections of a page; `aria-current` marks the one that shows. */
export const sectionLink =
  'flex min-h-7 items-center rounded-sm px-2 text-text no-underline hover:bg-row-hover aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text narrow:min-h-9';
