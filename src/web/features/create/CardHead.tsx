import type { ReactNode } from 'react';

/** The head of the dialog's cards. */
export function CardHead({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-7.5 flex-none items-center gap-1.5 border-b border-border bg-raised pr-1.5 pl-3">
      {children}
    </div>
  );
}
