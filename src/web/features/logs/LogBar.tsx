import { cva } from 'class-variance-authority';
import type { ReactNode, Ref } from 'react';
import { tipsToLeft } from '../../kit/tip.ts';

/** In a narrow window it wraps. The names of its buttons open to the left, as most stand at its right end. */
const look = cva(
  [
    'flex min-h-toolbar min-w-0 flex-none items-center gap-2 border-b border-hairline px-2 py-1',
    tipsToLeft,
    // Important: a low window is often a narrow one too, in which its buttons ask for 44 px.
    'narrow:min-h-11 low:min-h-0 low:gap-y-1 low:*:h-7!',
  ],
  {
    variants: { folds: { true: 'narrow:flex-wrap', false: 'flex-wrap' } },
    defaultVariants: { folds: false },
  },
);

interface LogBarProps {
  readonly ref?: Ref<HTMLDivElement>;
  /** What has no room is folded away by whoever fills it, so that it stays one line. */
  readonly folds?: boolean;
  readonly children: ReactNode;
}

/** The bar above a log or a terminal. */
export function LogBar({ ref, folds, children }: LogBarProps) {
  return (
    <div ref={ref} className={look({ folds })} data-toolbar="">
      {children}
    </div>
  );
}

/** The room between what a bar has at its left and at its right end. */
export function LogBarSpace() {
  return <span className="min-w-0 flex-1 narrow:hidden" />;
}
