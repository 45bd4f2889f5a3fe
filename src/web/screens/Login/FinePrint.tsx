import type { ReactNode } from 'react';

interface FinePrintProps {
  /** The room above it. */
  readonly className: string;
  readonly children: ReactNode;
}

/** Further notes below a form. */
export function FinePrint({ className, children }: FinePrintProps) {
  return <p className={`text-xs wrap-anywhere text-text-3 ${className}`}>{children}</p>;
}
