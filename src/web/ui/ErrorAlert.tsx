import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Glyph } from './marks.tsx';

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
    <div className="note bad" role="alert">
      <Glyph tone="bad" size={13} />
      <div className="grow">
        {title !== undefined && <b className="semi">{title}</b>}
        <div className="lines">{message}</div>
        {(onRetry !== undefined || children !== undefined) && (
          <div className="row actions">
            {onRetry !== undefined && (
              <Button size="sm" variant="secondary" onClick={onRetry} isLoading={isRetrying}>
                Retry
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </div>
  );
}
