import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { type Hint, Hints } from '../keyboard/Hints.tsx';
import { StatusLine } from '../kit/StatusLine.tsx';
import { ViewBody } from '../kit/ViewBody.tsx';
import { PageHead } from './PageHead.tsx';

interface PageProps {
  readonly title: ReactNode;
  /** One line beside the title. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Stands in the middle of a wide window, its line below the title: a page with nothing around it; `wide` for a table. */
  readonly isCentred?: boolean | 'wide';
  /** The word in the corner of the status line. */
  readonly mode: string;
  readonly status?: ReactNode;
  /** The keys that work here, most used first. */
  readonly hints?: readonly Hint[];
  readonly children: ReactNode;
}

const pageLook = cva('flex flex-col gap-3 bg-deck py-3', {
  variants: {
    isCentred: {
      false: 'px-3',
      true: 'px-[max(0.75rem,(100%-67rem)/2)]',
      wide: 'px-[max(0.75rem,(100%-86rem)/2)]',
    },
  },
});

/** A screen that is not a list: title, actions, a scrolling body and the status line. */
export function Page(props: PageProps) {
  const { title, about, actions, isCentred = false, mode, status, hints = [], children } = props;
  return (
    <>
      <ViewBody isScrolled className={pageLook({ isCentred })} data-part="page">
        <PageHead title={title} about={about} actions={actions} isStacked={isCentred !== false} />
        {children}
      </ViewBody>
      <StatusLine mode={mode}>
        {status}
        <Hints hints={hints} />
      </StatusLine>
    </>
  );
}
