import type { ReactNode } from 'react';

/**
 * Names and values in two columns, one below the other where a tile is very narrow. In here a value is said in the colour
 * of text, also one that lists say more quietly.
 */
export function FactList({
  className = '',
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <dl
      className={[
        'grid grid-cols-[6.25rem_minmax(0,1fr)] gap-x-2.5 gap-y-1.25',
        '@max-[17rem]:grid-cols-[minmax(0,1fr)] @max-[17rem]:gap-y-0 @min-[44rem]:grid-cols-[10.5rem_minmax(0,1fr)]',
        className,
      ].join(' ')}
    >
      {children}
    </dl>
  );
}

interface FactProps {
  readonly name: ReactNode;
  readonly isMono?: boolean;
  readonly children: ReactNode;
}

/** One line of a `FactList`. */
export function Fact({ name, isMono = false, children }: FactProps) {
  return (
    <div className="contents">
      <dt className="min-w-0 wrap-anywhere text-text-3">{name}</dt>
      <dd
        className={[
          'min-w-0 wrap-anywhere @max-[17rem]:pb-1',
          '[&>.text-text-2]:text-inherit [&>div>.text-text-2]:text-inherit',
          isMono ? 'mono' : '',
        ].join(' ')}
      >
        {children}
      </dd>
    </div>
  );
}
