import { sentenceOf } from '../../../registry/commands/execute.ts';
import type { Toaster } from '../../../registry/commands/services.ts';
import type { PersonOrInvitation } from './port.ts';

/** The people of an act in words: a name, or their number. */
export const peopleText = ([first, ...others]: readonly [
  PersonOrInvitation,
  ...PersonOrInvitation[],
]): string => (others.length === 0 ? first.name : `${others.length + 1} people`);

/** The people whose change was refused, with the reason of each. */
type Refused = readonly (readonly [person: PersonOrInvitation, sentence: string])[];

/**
 * Makes a change for each person, one after the other, and says what was done. A refusal for one of several does not keep
 * the others from it; that for a single person is thrown.
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
  const made: PersonOrInvitation[] = [];
  const refused: (readonly [PersonOrInvitation, string])[] = [];
  for (const person of people) {
    try {
      await make(person.id);
      made.push(person);
    } catch (error) {
      refused.push([person, sentenceOf(error)]);
    }
  }
  showOutcome(made, refused, { done, toast });
  return made;
}

/** Maximum number of refusals listed in a message. */
const maxListed = 5;

function showOutcome(
  made: readonly PersonOrInvitation[],
  refused: Refused,
  { done, toast }: { readonly done: (text: string, are: 'is' | 'are') => string; readonly toast: Toaster },
): void {
  const count = made.length + refused.length;
  if (refused.length === 0) {
    toast.success(done(`${count} people`, 'are'));
    return;
  }
  const listed = refused.slice(0, maxListed).map(([{ name }, sentence]) => `${name}: ${sentence}`);
  if (refused.length > maxListed) listed.push(`${refused.length - maxListed} more were refused.`);
  const of = `${made.length} of ${count} people`;
  toast.warning(done(of, 'are'), { detail: listed.join('\n') });
}
