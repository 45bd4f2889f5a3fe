import type { ReactNode } from 'react';
import { cardLook } from '../../kit/card.ts';

/** Pieces of one sort, side by side where they find room. */
export const partGrid = 'grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-2';

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** One card of the tokens page: tokens or shared pieces of one sort, under their name. */
export function Part({ title, children }: PartProps) {
  return (
    <section aria-label={title} className={`flex flex-col gap-3 p-4 ${cardLook}`}>
      <h2 className="text-md font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Pieces in a line, which wraps. */
export function Line({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>;
}
