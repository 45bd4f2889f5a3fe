import type { ReactNode } from 'react';
import { pageHeading } from '../kit/heading.ts';
import { Flag, ProBadge, WheelMark } from '../kit/marks.tsx';

/** The frame of screens without chrome: mark, name, and one card. */
export function BarePage({ lead, children }: { readonly lead: ReactNode; readonly children?: ReactNode }) {
  return (
    <main className="grid h-dvh place-content-center-safe justify-items-center gap-4.5 overflow-auto bg-deck py-4">
      <div className="w-90 max-w-[calc(100vw-1.5rem)] rounded-lg border border-border bg-surface px-7 pt-7 pb-6">
        <h1 className={`flex min-w-0 items-center gap-2.5 ${pageHeading}`}>
          <WheelMark size={30} />
          Wheelhouse
          <ProBadge />
        </h1>
        <p className="mt-2.5 mb-5.5 text-md text-text-2">{lead}</p>
        <div className="flex flex-col gap-3.5">{children}</div>
      </div>
      <div className="flex gap-1.5 opacity-90" aria-hidden="true">
        {[1, 2, 3, 4, 5, 6, 7, 8].map((colour) => (
          <Flag key={colour} colour={colour} size={14} />
        ))}
      </div>
    </main>
  );
}
