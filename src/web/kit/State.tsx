import type { ReactNode } from 'react';
import { cva } from 'class-variance-authority';

type StatePlace = 'view' | 'above' | 'page';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly role?: 'status' | 'alert';
  /** 1 where it is all the screen says. */
  readonly level?: 1 | 2;
  readonly place?: StatePlace;
}

/** The middle of what has nothing else to show; `isStretched`: what is said takes the width. */
export const stateLook = cva('grid place-content-center gap-1 text-center *:[svg]:mb-1 *:[svg]:text-text-3', {
  variants: {
    isStretched: { true: 'justify-items-stretch', false: 'justify-items-center' },
    place: {
      view: 'h-full p-4',
      /** Only as high as what it says: something stands below it. */
      above: 'px-4 py-6',
      /** In a page, of which it takes what is left. */
      page: 'flex-1 rounded-md border border-border bg-surface p-4',
    },
  },
  defaultVariants: { isStretched: false, place: 'view' },
});

/** Shown in place of content: says what is missing, where, and what to do next. */
export function State({ icon, title, children, actions, role = 'status', level = 2, place }: StateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={stateLook({ place })} role={role}>
      {icon}
      <Heading className="text-md font-semibold">{title}</Heading>
      {children !== undefined && <p className="max-w-[46ch] text-balance text-text-2">{children}</p>}
      {actions !== undefined && (
        <div className="mt-2 flex min-w-0 items-center justify-center gap-2">{actions}</div>
      )}
    </div>
  );
}
