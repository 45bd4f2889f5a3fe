import { sentenceOf } from '../../registry/commands/execute.ts';

/** Outcome of one change that is made for several things. */
export interface InTurn<T> {
  readonly done: readonly T[];
  /** Things whose change failed, with the failure of each. */
  readonly refused: readonly (readonly [thing: T, error: unknown])[];
  /** Things whose change was not tried. */
  readonly left: readonly T[];
}

/** Statuses of refusals that are about one thing, and say nothing of the others. */
const statusesOfOne: readonly unknown[] = [400, 402, 404, 409];

const isOfOne = (error: unknown): boolean =>
  statusesOfOne.includes((error as { readonly status?: unknown } | undefined)?.status);

/**
 * Makes a change for one thing after the other. A refusal for one does not keep the others from it. Any other failure ends
 * it: an identity that is not confirmed would be asked for once for each of them.
 */
export async function inTurn<T>(
  things: readonly T[],
  make: (thing: T) => Promise<unknown>,
): Promise<InTurn<T>> {
  const done: T[] = [];
  const refused: (readonly [T, unknown])[] = [];
  for (const [index, thing] of things.entries()) {
    try {
      await make(thing);
      done.push(thing);
    } catch (error) {
      refused.push([thing, error]);
      if (!isOfOne(error)) return { done, refused, left: things.slice(index + 1) };
    }
  }
  return { done, refused, left: [] };
}

/** Maximum number of refusals listed in a message. */
const maxListed = 5;

/** A line for each refusal, and one for the things whose change was not tried. */
export function refusalLines({ refused, left }: InTurn<{ readonly name: string }>): string {
  const lines = refused.slice(0, maxListed).map(([{ name }, error]) => `${name}: ${sentenceOf(error)}`);
  if (refused.length > maxListed) lines.push(`${refused.length - maxListed} more were refused.`);
  if (left.length > 0) lines.push(`It was not tried for ${left.length} more.`);
  return lines.join('\n');
}
