import type { Suggestion } from '../../contract/chat.ts';
import type { Diagnosis, Finding } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import type { ToldPart } from './answer-log.ts';
import { distinct, objectsOfEvidence, objectsOfFinding, type ToldObject } from './sight.ts';

/** Findings of one answer, at most. */
const findingLimit = 8;
/** Questions that are suggested, at most. */
const suggestionLimit = 4;
/** Words of a question that are looked up as names, at most. */
const nameLimit = 10;

/** Words that people ask with and that are hardly the name of what they ask about. */
const commonWords = new Set(
  'a about all an and any anything are at be broken can cannot cause cluster crash crashing deployment did do does error errors everything fail failed failing fails find for from going happened has have help how in is it job me my namespace node not of on or out pending please pod pods problem problems ready restarting running service show slow so something start starting stuck tell that the there these they this to trouble up was we what when where which who why will with working wrong you'.split(
    ' ',
  ),
);

/** The words of a question that may be names of objects or namespaces, in its order. */
export const namesIn = (question: string): string[] => wordsIn(question).slice(0, nameLimit);

/** A word with a hyphen or a dot in it, or with a number at its end; no words of a language. */
const looksLikeName = /^(?=.{4})(?:[a-z0-9]+(?:[-.][a-z0-9]+)+|[a-z]{2,}[0-9]+)$/;

/**
 * The words of a question that can hardly be anything but names and that nothing of what it is known to name has: an
 * object that is gone, or that whoever asked does not reach.
 * @param named objects that the question is known to name
 */
export function unknownNamesIn(question: string, named: readonly Pick<ToldObject, 'namespace' | 'name'>[]) {
  const known = new Set(named.flatMap(({ namespace, name }) => [namespace, name]));
  return wordsIn(question).filter((word) => looksLikeName.test(word) && !known.has(word));
}

function wordsIn(question: string): string[] {
  const words = question
    .toLowerCase()
    .split(/[^a-z0-9.-]+/)
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
    .filter((word) => word.length > 1 && !commonWords.has(word));
  return [...new Set(words)];
}

/** How an object is called in a sentence: `shop/api`. */
export const calledOf = ({ namespace, name }: Ref): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/**
 * The answer of the rules: each finding as its sentence, behind the evidence that it stands on.
 * @param where what was looked at, within a sentence: `the whole cluster`
 */
export function ruleAnswer({ findings, notes, gone }: Diagnosis, where: string): ToldPart[] {
  if (gone !== undefined) return [notice(byRules), ...absence(gone), ...notes.map(notice)];
  const shown = findings.slice(0, findingLimit);
  const rest = findings.length - shown.length;
  const sayings = [
    ...(shown.length > 0
      ? []
      : notes.length === 0
        ? [`The rules find nothing wrong with ${where}.`]
        : [`The rules find nothing wrong with ${where} in the objects that you may view.`]),
    // They say as well what is withheld, and why.
    ...notes,
    ...(rest === 0
      ? []
      : [
          `${rest} more ${rest === 1 ? 'finding is' : 'findings are'} left out. Ask about one namespace or object.`,
        ]),
  ];
  return [notice(byRules), ...withEvidence(shown), ...sayings.map(notice)];
}

const byRules = 'This answer comes from rules, not from a model. Every sentence cites its evidence.';

/** That an object is not there, behind what still tells of it. */
function absence({ sentence, evidence }: NonNullable<Diagnosis['gone']>): ToldPart[] {
  const proofs = evidence.map((one, index) => ({
    id: `e${index + 1}`,
    one,
    objects: objectsOfEvidence(one),
  }));
  return [
    ...proofs.map(
      ({ id, one, objects }): ToldPart => ({ part: { type: 'evidence', id, evidence: one }, objects }),
    ),
    {
      part: { type: 'text', by: 'rules', text: sentence, cites: proofs.map(({ id }) => id), tone: 'warn' },
      objects: distinct(proofs.flatMap(({ objects }) => objects)),
    },
  ];
}

const notice = (text: string): ToldPart => ({ part: { type: 'notice', text }, objects: [] });

/** Findings as parts; evidence that several stand on comes once for each. */
function withEvidence(findings: readonly Finding[]): ToldPart[] {
  let last = 0;
  return findings.flatMap((finding) => {
    const { sentence, tone, object, actions, opens, creates, evidence, count } = finding;
    const proofs = evidence.map((one): ToldPart & { readonly id: string } => {
      last += 1;
      const id = `e${last}`;
      return { id, part: { type: 'evidence', id, evidence: one }, objects: objectsOfEvidence(one) };
    });
    const others = count > 1 ? ` The same problem affects ${count} objects.` : '';
    return [
      ...proofs.map(({ part, objects }) => ({ part, objects })),
      {
        part: {
          type: 'text',
          by: 'rules',
          text: `${sentence}${others}`,
          cites: proofs.map(({ id }) => id),
          tone,
          object,
          ...(actions.length === 0 ? {} : { actions }),
          ...(opens === undefined ? {} : { opens }),
          ...(creates === undefined ? {} : { creates }),
        },
        objects: objectsOfFinding(finding),
      },
    ];
  });
}

/** Questions that are worth asking: about what is wrong, the worst first, else about the cluster. */
export function suggestionsFrom({ findings }: Pick<Diagnosis, 'findings'>): Suggestion[] {
  const roots = findings.map(({ path, object }) => path[0] ?? object);
  const each = [...new Map(roots.map((ref) => [JSON.stringify(ref), ref])).values()];
  const about = each.slice(0, suggestionLimit).map((ref) => ({
    question: `Why is ${calledOf(ref)} unhealthy?`,
    about: ref,
  }));
  return [...about, { question: 'What is wrong in this cluster?', about: null }];
}
