import type { Toaster } from '../../../registry/commands/services.ts';
import { inTurn, refusalLines } from '../../core/in-turn.ts';
import type { PersonOrInvitation } from './port.ts';

/** The people of an act in words: a name, or their number. */
export const peopleText = ([first, ...others]: readonly [
  PersonOrInvitation,
  ...PersonOrInvitation[],
]): string => (others.length === 0 ? first.name : `${others.length + 1} people`);

/**
 * Makes a change for each person, and says what was done and what was refused. The failure for a single person is thrown.
 * @param done what was done, for the text and the verb of those for whom it was
 * @returns the people for whom it was done
 */
export async function forEachPerson(
  people: readonly [PersonOrInvitation, ...PersonOrInvitation[]],
  make: (userId: number) => Promise<unknown>,
  { done, toast }: { readonly done: (text: string, are: 'is' | 'are') => string; readonly toast: Toaster },
): Promise<readonly PersonOrInvitation[]> {
  const [first, ...others] = people;
  if (others.length === 0) {
    await make(first.id);
    toast.success(done(first.name, 'is'));
    return people;
  }
  const outcome = await inTurn(people, ({ id }) => make(id));
  if (outcome.refused.length === 0) toast.success(done(peopleText(people), 'are'));
  else {
    const some = `${outcome.done.length} of ${peopleText(people)}`;
    toast.warning(done(some, 'are'), { detail: refusalLines(outcome) });
  }
  return outcome.done;
}
