import type { ComponentProps } from 'react';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';

interface FailureNoteProps extends Pick<ComponentProps<typeof ErrorAlert>, 'onRetry' | 'isRetrying'> {
  /** What failed, as a sentence; below it what the server said of it, where it said more. */
  readonly sentence: string;
  /** Nothing shows without one. */
  readonly error: unknown;
}

/** Says that a step of the subscription failed. */
export function FailureNote({ sentence, error, ...rest }: FailureNoteProps) {
  if (error === undefined || error === null) return null;
  return sentenceOf(error) === sentence ? (
    <ErrorAlert {...rest} message={sentence} />
  ) : (
    <ErrorAlert {...rest} title={sentence} error={error} />
  );
}
