import { Problem } from '../../../contract/problem.ts';

/**
 * A failure to send what somebody wrote, as it is told: where no answer came, nobody knows what became of it, and the
 * text is still there. Any other failure as it is.
 */
export function unsure(failure: unknown): unknown {
  if (!(failure instanceof Problem) || failure.where.source !== 'network') return failure;
  return new Problem(
    {
      status: failure.status,
      title: `${failure.title} Your text is kept. It is unknown whether the cluster made the change: check before you send it again.`,
      retryable: failure.retryable,
      where: failure.where,
    },
    { cause: failure },
  );
}
