import { type Need, permissions } from '../../../contract/permissions.ts';
import type { Namespaces } from '../../access/held.ts';
import type { WhoMay } from '../../organisation/who-may.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type AskedQuestion, listed, namespaceOf, ownRights, type RuleAnswer } from './asking.ts';
import { wantedBy, placeOf } from './permission.ts';
import { plainText } from './question-parser.ts';

/** People that are named, and namespaces of one of them, at most. */
const peopleLimit = 20;
const placeLimit = 5;

/** The people who may do something. Others read none of it, and no model is told: it names people. */
export function holders(asked: AskedQuestion): RuleAnswer {
  return {
    about: 'People who may do it',
    objects: [ownRights],
    async read(answer) {
      const literal = permissions.filter((name) => asked.parsed.text.includes(name));
      if (literal.length > 0)
        return await sayHolders(asked, answer, literal, listed(literal), namespaceOf(asked));
      const wanted = await wantedBy(asked);
      if (wanted === undefined) {
        answer.note(
          'The question does not say what somebody may do. Name a kind of object and what to do with it, such as “Who can delete pods in shop?”.',
        );
        return { summary: 'Nothing was looked up.' };
      }
      const { kind, need, what, subject, isUnknownAction } = wanted;
      if (isUnknownAction) {
        answer.note(`${kind.title} have no such action in this console.`);
        return { summary: 'There is no such action.' };
      }
      return await sayHolders(asked, answer, need, what, placeOf(asked, kind, subject));
    },
  };
}

async function sayHolders(
  { parts, parsed }: AskedQuestion,
  answer: AnswerParts,
  need: Need,
  what: string,
  namespace: string | undefined,
) {
  const found = await parts.whoMay({ need, namespace });
  if (parsed.person.length > 0) return sayPerson(parsed.person, found, answer, { need, what, namespace });
  const where = whereText(namespace);
  const needs = need === 'owner' ? 'only Owners may do it' : `it needs ${listed([need].flat())}`;
  answer.say(
    [
      `These people may do “${what}” ${where} (${needs}):`,
      `• ${listed(found.owners)} (${found.owners.length === 1 ? 'Owner' : 'Owners'})`,
      ...linesOf(found, namespace),
    ].join('\n'),
    { objects: [ownRights] },
  );
  if (!found.isWhole)
    answer.note(
      'Only Owners, you and the people of your own teams are listed. Others may have it by other teams.',
      [ownRights],
    );
  answer.note(consoleAlone);
  return grantsRead;
}

const grantsRead = { summary: 'The grants were read.', objects: [ownRights] };

const consoleAlone =
  'This covers this console alone: the roles of the cluster decide on credentials that people have of their own.';

const whereText = (namespace: string | undefined): string =>
  namespace === undefined ? 'on this cluster' : `in the namespace ${namespace}`;

/** Whether a name has all of these words, as people write them: `mia`, `mia.meier`, `Meier`. */
const isCalled = (name: string, words: readonly string[]): boolean => {
  const parts = plainText(name).split(/[\s.@_-]+/);
  return words
    .flatMap((word) => (word.split('@')[0] ?? '').split(/[._-]+/))
    .every((word) => parts.includes(word));
};

interface WantedOfPerson {
  readonly need: Need;
  readonly what: string;
  readonly namespace: string | undefined;
}

/** Says whether one person may do something, or that nobody whom the asker may know is called so. */
function sayPerson(
  words: readonly string[],
  { owners, people, others, isWhole }: WhoMay,
  answer: AnswerParts,
  { need, what, namespace }: WantedOfPerson,
) {
  const where = whereText(namespace);
  const needs = need === 'owner' ? 'only Owners may do it' : `it needs ${listed([need].flat())}`;
  const lines = [
    ...owners
      .filter((name) => isCalled(name, words))
      .map((name) => `Yes: ${name} is an Owner, and may do “${what}” ${where}.`),
    ...people
      .filter(({ name }) => isCalled(name, words))
      .map(
        ({ name, namespaces }) =>
          `Yes: ${name} may do “${what}” ${where}${namespace === undefined ? placesText(namespaces) : ''} (${needs}).`,
      ),
    ...others
      .filter((name) => isCalled(name, words))
      .map((name) =>
        isWhole
          ? `No: ${name} may not do “${what}” ${where}, as ${needs}.`
          : `No team that you share with ${name} lets them do “${what}” ${where}: ${needs}. Another team may.`,
      ),
  ];
  if (lines.length === 0) {
    const called = words.join(' ');
    answer.note(
      isWhole
        ? `Your organisation has no active member called “${called}”.`
        : `“${called}” is not understood: no Owner and nobody of your own teams has that name.`,
      [ownRights],
    );
    return { summary: 'Nobody of that name was found.' };
  }
  answer.say(lines.join('\n'), { objects: [ownRights] });
  answer.note(consoleAlone);
  return grantsRead;
}

/** A line for each person, with the namespaces where the question names none. */
function linesOf({ people }: WhoMay, namespace: string | undefined): string[] {
  const shown = people.slice(0, peopleLimit);
  const rest = people.length - shown.length;
  return [
    ...shown.map(
      ({ name, namespaces }) => `• ${name}${namespace === undefined ? placesText(namespaces) : ''}`,
    ),
    ...(rest === 0 ? [] : [`… and ${rest} more`]),
  ];
}

function placesText(namespaces: Namespaces): string {
  if (namespaces === 'all') return '';
  const names = [...namespaces].sort();
  const rest = names.length - placeLimit;
  return ` in ${rest > 0 ? `${names.slice(0, placeLimit).join(', ')} and ${rest} more namespaces` : listed(names)}`;
}
