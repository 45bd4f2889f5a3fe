import { Problem } from '../../contract/problem.ts';
import { counted } from '../../registry/counted.ts';
import { inTurn, refusalLines } from '../core/in-turn.ts';

/** Things of which some were done and some failed. */
export interface DoneOf<T> {
  readonly done: readonly T[];
  readonly failed: readonly T[];
  /** A sentence for each that failed, as one failure; undefined where none did. */
  readonly failure: Problem | undefined;
}

/**
 * Makes a change for each thing of a form, with what failed as one failure of the form.
 * @param things by the name that the person knows
 */
export async function eachOf<T extends { readonly name: string }>(
  things: readonly T[],
  noun: string,
  make: (thing: T) => Promise<unknown>,
): Promise<DoneOf<T>> {
  const outcome = await inTurn(things, make);
  const { done } = outcome;
  const failed = [...outcome.refused.map(([thing]) => thing), ...outcome.left];
  if (failed.length === 0) return { done, failed, failure: undefined };
  const last = outcome.refused.at(-1)?.[1];
  if (things.length === 1 && last instanceof Problem) return { done, failed, failure: last };
  const failure = new Problem({
    status: last instanceof Problem ? last.status : 500,
    title:
      done.length === 0
        ? `None of the ${counted(things.length, noun)} was done.`
        : `${failed.length} of ${counted(things.length, noun)} failed; the others are done.`,
    detail: refusalLines(outcome),
    retryable: true,
  });
  return { done, failed, failure };
}
