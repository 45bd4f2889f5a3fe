import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

const look = cva(
  [
    '@container flex min-w-0 flex-none items-center gap-2 border-b border-hairline px-2',
    // Names of its buttons open to the left, as most stand at its right end.
    '[&_[data-tip]::after]:right-0 [&_[data-tip]::after]:left-auto',
  ],
  {
    variants: {
      /** When what finds no room stands in another line. */
      wraps: {
        never: 'h-toolbar narrow:h-11 low:h-10',
        narrow:
          'h-toolbar narrow:h-auto narrow:min-h-11 narrow:flex-wrap narrow:py-1 low:min-h-10 low:py-0.5',
        always: 'min-h-toolbar flex-wrap py-1',
      },
    },
    defaultVariants: { wraps: 'never' },
  },
);

interface ToolbarProps {
  readonly wraps?: 'never' | 'narrow' | 'always';
  readonly className?: string;
  readonly children: ReactNode;
}

/** The bar above what a view shows. What is in it can ask for its width: `@max-[18rem]:hidden`. */
export function Toolbar({ wraps, className, children }: ToolbarProps) {
  return (
    <div className={look({ wraps, className })} data-toolbar="">
      {children}
    </div>
  );
}
