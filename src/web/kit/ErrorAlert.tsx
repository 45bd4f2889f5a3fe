import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Glyph } from './marks.tsx';
import { Note } from './Note.tsx';

interface ErrorAlertProps {
  /** Nothing shows without one. Several lines are kept. */
  readonly message: string | null | undefined;
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
  readonly isRetrying?: boolean;
  readonly children?: ReactNode;
}

/** Says what failed, and offers to try again where that can help. */
export function ErrorAlert({ message, title, onRetry, isRetrying = false, children }: ErrorAlertProps) {
  if (message === null || message === undefined || message === '') return null;
  return (
    <Note tone="bad" role="alert">
      <Glyph tone="bad" size={13} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <b className="font-semibold">{title}</b>}
        <div className="wrap-anywhere whitespace-pre-line">{message}</div>
        {(onRetry !== undefined || children !== undefined) && (
          <div className="mt-2 flex min-w-0 items-center gap-1.5">
            {onRetry !== undefined && (
              <Button size="sm" variant="secondary" onClick={onRetry} isLoading={isRetrying}>
                Retry
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </Note>
  );
}
