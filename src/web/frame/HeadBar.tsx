import type { ReactNode } from 'react';
import { tipsToLeft } from '../kit/tip.ts';

interface HeadBarProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Labels of its buttons hide in a tile of usual width already. */
  readonly isLong?: boolean;
  /** Buttons behind the title; where that leaves it too little room they go below. */
  readonly actions?: ReactNode;
  /** The line below the title. */
  readonly about: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a view of objects. A long title takes more lines before it is cut: its end tells it from its siblings. */
export function HeadBar({ icon, title, isLong = false, actions, about, children }: HeadBarProps) {
  return (
    <header
      data-part="head"
      data-long={isLong || undefined}
      className={[
        'group/head @container flex flex-none flex-col gap-1.5 border-b border-hairline px-3 py-2.5',
        'low:flex-row low:flex-wrap low:items-center low:py-1 low:[&_button]:order-1 low:[&_button]:h-7',
        tipsToLeft,
      ].join(' ')}
    >
      <div className="flex min-w-0 flex-wrap items-center gap-1.5 low:contents">
        {icon}
        <h1
          className="line-clamp-8 min-w-0 flex-[1_1_8rem] text-lg font-semibold tracking-[-0.005em] wrap-anywhere low:line-clamp-2 low:flex-initial"
          title={title}
        >
          {title}
        </h1>
        {actions}
      </div>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-(length:--text-xs) text-text-2 low:flex-[1_1_12rem]">
        {about}
      </p>
      {children}
    </header>
  );
}
