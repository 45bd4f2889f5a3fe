import { cva } from 'class-variance-authority';
import type { HTMLAttributes, Ref } from 'react';

const look = cva('relative min-h-0 flex-1', {
  variants: { isScrolled: { true: 'scrollbar-quiet overflow-auto', false: 'overflow-hidden' } },
});

interface ViewBodyProps extends HTMLAttributes<HTMLDivElement> {
  /** It may be longer than its place: what is in it finds what scrolls it by `data-scroller`. */
  readonly isScrolled?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
}

/** The content of a view, between its bars. */
export function ViewBody({ isScrolled = false, className, ...rest }: ViewBodyProps) {
  return (
    <div {...rest} className={look({ isScrolled, className })} data-scroller={isScrolled || undefined} />
  );
}
