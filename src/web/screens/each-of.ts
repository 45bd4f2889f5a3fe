import { Problem } from '../../contract/problem.ts';
import { counted } from '../../registry/counted.ts';

/** Things of which some were done and some failed. */
export interface DoneOf<T> {
  readonly done: readonly T[];
  readonly failed: readonly T[];
  /** A sentence for each that failed, as one failure; undefined where none did. */
  readonly failure: Problem | undefined;
}

/**
 * Does one thing after the other; what fails keeps none of the others. A failure that is about the person, such as an
 * identity that was not confirmed, ends it: each further one would be asked for the same.
 * @param things by the name that the person knows
 */
export async function eachOf<T extends { readonly name: string }>(
  things: readonly T[],
  noun: string,
  act: (thing: T) => Promise<unknown>,
): Promise<DoneOf<T>> {
  const done: T[] = [];
  const failed: T[] = [];
  const sentences: string[] = [];
  let last: unknown;
  for (const thing of things) {
    if (last instanceof Problem && last.code !== undefined) {
      failed.push(thing);
      continue;
    }
    try {
      await act(thing);
      done.push(thing);
    } catch (error) {
      last = error;
      failed.push(thing);
      sentences.push(`${thing.name}: ${error instanceof Error ? error.message : 'An error occurred'}`);
    }
  }
  if (failed.length === 0) return { done, failed, failure: undefined };
  if (things.length === 1 && last instanceof Problem) return { done, failed, failure: last };
  return {
    done,
    failed,
    failure: new Problem({
      status: last instanceof Problem ? last.status : 500,
      title:
        done.length === 0
          ? `None of the ${counted(things.length, noun)} was done.`
          : `${failed.length} of ${counted(things.length, noun)} failed; the others are done.`,
      detail: sentences.join('\n'),
      retryable: true,
    }),
  };
}
