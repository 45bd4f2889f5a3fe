import { type Need, permissions } from '../../../contract/permissions.ts';
import type { Namespaces } from '../../access/held.ts';
import type { WhoMay } from '../../organisation/who-may.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type AskedQuestion, listed, namespaceOf, ownRights, type RuleAnswer } from './asking.ts';
import { wantedBy, placeOf } from './permission.ts';

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
  { parts }: AskedQuestion,
  answer: AnswerParts,
  need: Need,
  what: string,
  namespace: string | undefined,
) {
  const found = await parts.whoMay({ need, namespace });
  const where = namespace === undefined ? 'on this cluster' : `in the namespace ${namespace}`;
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
  answer.note(
    'This covers this console alone: the roles of the cluster decide on credentials that people have of their own.',
  );
  return { summary: 'The grants were read.', objects: [ownRights] };
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
