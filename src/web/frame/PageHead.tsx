import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { pageHeading } from '../kit/heading.ts';

interface PageHeadProps {
  /** Stands before the title: a mark of what the page is about. */
  readonly mark?: ReactNode;
  readonly title: ReactNode;
  /** Stands after the title: badges. */
  readonly badges?: ReactNode;
  /** One line beside the title; below everything else where there is little room. */
  readonly about?: ReactNode;
  readonly aboutSize?: 'sm' | 'xs';
  readonly actions?: ReactNode;
  /** The line is always below the title. */
  readonly isStacked?: boolean;
}

const headLook = cva('flex min-h-control-md flex-none', {
  variants: {
    isStacked: { true: 'flex-col items-start', false: 'flex-wrap items-center gap-x-3 gap-y-2' },
  },
});
const aboutLook = cva('min-w-0 text-text-2', {
  variants: {
    isStacked: { true: '', false: 'max-lg:order-1 max-lg:flex-[1_1_100%] lg:flex-[1_1_16rem]' },
    size: { sm: '', xs: 'text-(length:--text-xs)' },
  },
});

/** Together on one line, beside the title or below it. */
const actionsLook = 'flex max-w-full flex-none flex-wrap items-center gap-x-3 gap-y-2 empty:hidden';

/** The head of a page: its title, what it is about, and what can be done with it. */
export function PageHead(props: PageHeadProps) {
  const { mark, title, badges, about, aboutSize = 'sm', actions, isStacked = false } = props;
  const hasAbout = about !== undefined;
  return (
    <header className={headLook({ isStacked })}>
      {mark}
      <h1 className={`max-w-full flex-none wrap-anywhere [&_a]:text-inherit ${pageHeading}`}>{title}</h1>
      {badges}
      {hasAbout && <p className={aboutLook({ isStacked, size: aboutSize })}>{about}</p>}
      {/* Where the line has the room beside the title, it is what pushes the actions aside. */}
      {!isStacked && <span className={`min-w-0 flex-1 ${hasAbout ? 'lg:hidden' : ''}`} />}
      {actions !== undefined && <div className={actionsLook}>{actions}</div>}
    </header>
  );
}
