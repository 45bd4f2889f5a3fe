import { Problem } from '../../../contract/problem.ts';
import { FailureNote } from './FailureNote.tsx';

interface UnfinishedProps {
  /** Why the server could not complete what was paid. */
  readonly failure: unknown;
  readonly onRetry: () => void;
}

/** Whether the server said that nothing can come of a hosted page: it was cancelled, has expired or is another company's. */
const isOver = (failure: unknown): boolean =>
  failure instanceof Problem && (failure.status === 404 || failure.status === 410);

/** Says that a subscription is not complete, and what becomes of what was paid. */
export function Unfinished({ failure, onRetry }: UnfinishedProps) {
  return (
    <>
      <FailureNote
        sentence="Failed to complete the subscription process. Please contact support."
        error={failure}
        onRetry={onRetry}
      />
      {!isOver(failure) && (
        <p className="text-text-2">
          Your payment is not lost: the console checks with the provider, and again when you next open it.
        </p>
      )}
    </>
  );
}
