import type { ReactNode } from 'react';
import { type Hint, Hints } from '../keyboard/Hints.tsx';
import { StatusLine } from '../ui/StatusLine.tsx';
import { ViewBody } from '../ui/ViewBody.tsx';

interface PageProps {
  readonly title: ReactNode;
  /** One line beside the title. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Stands in the middle of a wide window, its line below the title: a page with nothing around it; `wide` for a table. */
  readonly isCentred?: true | 'wide';
  /** The word in the corner of the status line. */
  readonly mode: string;
  readonly status?: ReactNode;
  /** The keys that work here, most used first. */
  readonly hints?: readonly Hint[];
  readonly children: ReactNode;
}

/** A screen that is not a list: title, actions, a scrolling body and the status line. */
export function Page({ title, about, actions, isCentred, mode, status, hints = [], children }: PageProps) {
  return (
    <>
      <ViewBody
        isScrolled
        className={`page ${isCentred === undefined ? '' : isCentred === 'wide' ? 'centred wide' : 'centred'}`}
      >
        <header className="page-head">
          <h1>{title}</h1>
          {about !== undefined && <p className="sec">{about}</p>}
          <span className="grow" />
          {actions}
        </header>
        {children}
      </ViewBody>
      <StatusLine mode={mode}>
        {status}
        <Hints hints={hints} />
      </StatusLine>
    </>
  );
}
