import type { ReactNode } from 'react';
import { isAtLimit, questionOf, sentenceOf, sentencesOf } from '../../registry/commands/execute.ts';
import { Button } from './Button.tsx';
import { Glyph } from './marks.tsx';
import { Note } from './Note.tsx';
import { PlansButton } from './PlansButton.tsx';
import { WhyNotButton } from './WhyNotButton.tsx';

interface ErrorAlertProps {
  /** A text of the page's own; several lines are kept. What failed is given as `error`. */
  readonly message?: string | null | undefined;
  readonly title?: string;
  /**
   * What failed, or a text about it: its sentence is the message, and where a right of the person is missing the alert offers
   * to tell who can grant it, and the plans where a limit of the plan is reached. Nothing shows while there is neither this nor a message.
   */
  readonly error?: unknown;
  /** Shows the details of what failed as well, on lines of their own. */
  readonly isDetailed?: boolean;
  readonly onRetry?: (() => void) | undefined;
  readonly isRetrying?: boolean;
  readonly children?: ReactNode;
}

/** Says what failed, and offers to try again where that can help. */
export function ErrorAlert({
  message,
  title,
  error,
  isDetailed = false,
  onRetry,
  isRetrying = false,
  children,
}: ErrorAlertProps) {
  const sayOf = isDetailed ? sentencesOf : sentenceOf;
  const text = message ?? (error === undefined || error === null ? undefined : sayOf(error));
  if (text === undefined || text === '') return null;
  const refused = questionOf(error);
  const isLimited = isAtLimit(error);
  return (
    <Note tone="bad" role="alert">
      <Glyph tone="bad" size={13} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <b className="font-semibold">{title}</b>}
        <div className="wrap-anywhere whitespace-pre-line">{text}</div>
        {(onRetry !== undefined || children !== undefined || refused !== undefined || isLimited) && (
          <div className="mt-2 flex min-w-0 items-center gap-1.5">
            {onRetry !== undefined && (
              <Button size="sm" variant="secondary" onClick={onRetry} isLoading={isRetrying}>
                Retry
              </Button>
            )}
            {children}
            {refused !== undefined && <WhyNotButton refused={refused} />}
            {isLimited && <PlansButton />}
          </div>
        )}
      </div>
    </Note>
  );
}
