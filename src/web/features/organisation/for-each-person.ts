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
 * the others from it; that for a single person is thrown. Any other failure ends it: an identity that is not confirmed
 * would be asked for once for each of them.
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
      if (!isOfPerson(error)) break;
    }
  }
  showOutcome(people.length, made, refused, { done, toast });
  return made;
}

/** Statuses of refusals that are about one person, and say nothing of the others. */
const statusesOfPerson: readonly unknown[] = [402, 404, 409];

const isOfPerson = (error: unknown): boolean =>
  statusesOfPerson.includes((error as { readonly status?: unknown } | undefined)?.status);

/** Maximum number of refusals listed in a message. */
const maxListed = 5;

function showOutcome(
  count: number,
  made: readonly PersonOrInvitation[],
  refused: Refused,
  { done, toast }: { readonly done: (text: string, are: 'is' | 'are') => string; readonly toast: Toaster },
): void {
  if (refused.length === 0) {
    toast.success(done(`${count} people`, 'are'));
    return;
  }
  const listed = refused.slice(0, maxListed).map(([{ name }, sentence]) => `${name}: ${sentence}`);
  if (refused.length > maxListed) listed.push(`${refused.length - maxListed} more were refused.`);
  const left = count - made.length - refused.length;
  if (left > 0) listed.push(`It was not tried for ${left} more.`);
  const of = `${made.length} of ${count} people`;
  toast.warning(done(of, 'are'), { detail: listed.join('\n') });
}
