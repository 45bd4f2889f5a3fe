import type { ReactNode } from 'react';
import { Flag, ProBadge, WheelMark } from '../ui/marks.tsx';

/** The frame of screens without chrome: mark, name, and one card. */
export function BarePage({ lead, children }: { readonly lead: ReactNode; readonly children?: ReactNode }) {
  return (
    <main className="login">
      <div className="lp">
        <h1 className="row">
          <WheelMark size={30} />
          Wheelhouse
          <ProBadge />
        </h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
      <div className="lflags" aria-hidden="true">
        {[1, 2, 3, 4, 5, 6, 7, 8].map((colour) => (
          <Flag key={colour} colour={colour} size={14} />
        ))}
      </div>
    </main>
  );
}
