import { distinct, type ToldObject } from './sight.ts';
import type { Question } from './reasoner.ts';
import { AnswerParts, notice } from './rules/answer-parts.ts';
import {
  type AskedQuestion,
  type RuleAnswer,
  type RuleParts,
  subjectsOf,
  namespaceOf,
} from './rules/asking.ts';
import { answerable, intents } from './rules/intents.ts';
import { findNames, lookUpNames, type QuestionNames, titleOf } from './rules/question-names.ts';
import { parseQuestion } from './rules/question-parser.ts';

/** Id of the tool of the rules, the first part of an answer that says what its question is about. */
export const topicId = 'rules';

const byRules = 'This answer comes from rules, not from a model.';

/**
 * Answers a question by the rules. Throws Problem where the cluster cannot be read.
 * @param options `isAlone`: no model answers after them
 */
export async function answerByRules(
  question: Question,
  parts: RuleParts,
  { isAlone = true }: { readonly isAlone?: boolean } = {},
): Promise<void> {
  const { tell } = question;
  const asked = await readQuestion(question, parts);
  const { intent, reading } = readingOf(asked, isAlone);
  // A reader of the question learns of all that it names.
  const objects = distinct([...namedObjects(asked), ...(reading.objects ?? [])]);
  await tell([
    { part: { type: 'tool.started', id: topicId, tool: intent ?? 'names', about: reading.about }, objects },
  ]);
  const answer = new AnswerParts();
  for (const text of asked.names.notes) answer.note(text, objects);
  const { summary, objects: told = [] } = await reading.read(answer);
  // A question may be answered about one object and name another that is not there.
  if (intent !== undefined) noteUnknown(asked.names, answer);
  await tell([
    {
      part: { type: 'tool.done', id: topicId, ok: true, summary },
      objects: distinct([...objects, ...told]),
    },
    notice(byRules),
    ...answer.parts,
  ]);
}

/** Reads the words of a question, and finds the objects that they name. */
async function readQuestion(question: Question, parts: RuleParts): Promise<AskedQuestion> {
  const now = await parts.now();
  // Any word may be a name until the names are known: then the rest may be misspelt kinds.
  const { names: words } = parseQuestion(question.text, { isName: () => true, now });
  const found = await lookUpNames(question, words);
  const isName = (word: string) => found.get(word)?.some(({ name }) => name === word) === true;
  const parsed = parseQuestion(question.text, { isName, now });
  const names = await findNames(question, parsed.names, found);
  const { held, excluded } = await parts.reach();
  const isPartial = held.namespaces !== 'all' || excluded.size > 0;
  return { question, parsed, names, parts, isPartial, now };
}

const namedObjects = ({ question: { about }, names }: AskedQuestion): ToldObject[] => [
  ...(about === null ? [] : [about]),
  ...names.objects,
  ...names.namespaces.map((name) => ({ kind: 'namespace', name })),
  ...names.unknown.flatMap(({ similar }) => similar),
];

/** The answer to a question: by its sort, but never about the cluster where it names something that is not there. */
function readingOf(asked: AskedQuestion, isAlone: boolean) {
  const { parsed, names } = asked;
  const isPlaced =
    subjectsOf(asked).length > 0 || namespaceOf(asked) !== undefined || asked.question.about !== null;
  const { intent } = parsed;
  const isKnown = intent !== undefined && (isPlaced || names.unknown.length === 0 || intent === 'help');
  return isKnown
    ? { intent, reading: intents[intent].answer(asked) }
    : { intent: undefined, reading: notUnderstood(asked, isAlone) };
}

/** Says what was not understood, with the nearest names, and what can be asked. */
function notUnderstood(asked: AskedQuestion, isAlone: boolean): RuleAnswer {
  const {
    names,
    question: { about },
    parsed,
  } = asked;
  return {
    about: 'The words of the question',
    async read(answer) {
      noteUnknown(names, answer);
      const subject = names.objects[0] ?? about;
      if (parsed.intent === undefined)
        answer.note(
          subject === null
            ? 'The rules do not understand this question.'
            : `The rules do not understand what is asked about ${titleOf(subject)}.`,
        );
      if (isAlone) {
        const { text, objects } = await answerable(asked);
        answer.note(text, objects);
      }
      return { summary: 'Not understood.' };
    },
  };
}

/** Says which words name nothing, with the nearest names. */
function noteUnknown({ unknown }: QuestionNames, answer: AnswerParts): void {
  for (const { word, similar } of unknown)
    answer.note(
      `“${word}” is not understood: nothing that you may view in this cluster has that name.${similar.length === 0 ? '' : ` Similar names: ${similar.map(titleOf).join(', ')}.`}`,
      similar,
    );
}
