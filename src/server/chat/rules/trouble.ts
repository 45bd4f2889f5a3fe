import { kinds } from '../../../../commands/kinds/index.ts';
import type { Diagnosis } from '../../../contract/diagnosis.ts';
import type { Ref } from '../../../contract/objects.ts';
import { escapePattern } from '../../../kube/escape-pattern.ts';
import { distinct, objectsOfFinding, type ToldObject } from '../sight.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  fieldOf,
  listed,
  namespaceOf,
  namespaceQuery,
  placeObjects,
  placeText,
  pluralOf,
  readList,
  readSubject,
  type RuleAnswer,
  subjectsOf,
  timeText,
} from './asking.ts';
import { calledOf, isNamespace, titleOf } from './question-names.ts';

/** Findings of one answer, and objects that are diagnosed for it, at most. */
const findingLimit = 8;
const subjectLimit = 3;

/** The trouble of objects, of a namespace, or of the cluster. */
export function trouble(asked: AskedQuestion): RuleAnswer {
  const {
    question: { about, calls, clusterId },
    parsed: { kinds: askedKinds },
  } = asked;
  const named = subjectsOf(asked);
  // The object at which somebody asks comes first.
  const at = about === null || named.some((ref) => isSame(ref, about)) ? [] : [about];
  const namespace = namespaceOf(asked);
  const subjects = [...at, ...named].filter((ref) => !isNamespace(ref)).slice(0, subjectLimit);
  if (subjects.length > 0) {
    return {
      about: `What the rules find in ${listed(subjects.map(calledOf))}`,
      async read(answer) {
        const diagnoses: Diagnosis[] = [];
        for (const ref of subjects) {
          const diagnosis = await calls.read('diagnoseObject', {
            params: { clusterId, kind: ref.kind, name: ref.name },
            query: namespaceQuery(ref.namespace),
          });
          sayDiagnosis(diagnosis, { text: calledOf(ref), objects: [ref, ...examinedIn(ref)] }, answer);
          if (asksForEnd.test(asked.parsed.text)) await sayEnd(asked, ref, answer);
          diagnoses.push(diagnosis);
        }
        return summaryOf(diagnoses);
      },
    };
  }
  const where = placeText(asked, namespace, 'the whole cluster');
  return {
    about: `What the rules find in ${where}`,
    objects: placeObjects(namespace),
    async read(answer) {
      const swept = await calls.read('diagnoseCluster', {
        params: { clusterId },
        query: namespaceQuery(namespace),
      });
      const whole = swept.findings.length > 0 ? swept : await withYoungTrouble(asked, swept, namespace);
      const isAsked = ({ object, path }: Diagnosis['findings'][number]) =>
        askedKinds.length === 0 ||
        askedKinds.some((kind) => isNamespace({ kind })) ||
        [object, ...path].some(({ kind }) => askedKinds.includes(kind));
      const findings = whole.findings.filter(isAsked);
      const others = whole.findings.length - findings.length;
      const titles = listed(askedKinds.map(pluralOf));
      const text = others === 0 ? where : `${titles} in ${where}`;
      sayDiagnosis({ ...whole, findings }, { text, objects: placeObjects(namespace), isPlace: true }, answer);
      if (others > 0)
        answer.note(
          `${counted(others, 'finding')} about other objects ${others === 1 ? 'is' : 'are'} left out. Ask what is wrong in ${where}.`,
          distinct(whole.findings.flatMap(objectsOfFinding)),
        );
      return summaryOf([{ ...whole, findings }]);
    },
  };
}

/** Words that ask when something ends. */
const asksForEnd = /\b(?:expir\w+|ablaufen|abgelaufen|valid until|gueltig)\b/;
const day = 86_400;

/** Says until when an object is valid, where its status records that, as a certificate's does. */
async function sayEnd(asked: AskedQuestion, ref: Ref, answer: AnswerParts): Promise<void> {
  const { status } = (await readSubject(asked, ref)) as { readonly status?: { readonly notAfter?: unknown } };
  const end = typeof status?.notAfter === 'string' ? Date.parse(status.notAfter) / 1000 : Number.NaN;
  if (Number.isNaN(end)) {
    answer.note(`${titleOf(ref)} does not record until when it is valid.`);
    return;
  }
  const days = Math.floor(Math.abs(end - asked.now) / day);
  const when = end > asked.now ? `in ${counted(days, 'day')}` : `${counted(days, 'day')} ago`;
  answer.say(`${titleOf(ref)} is valid until ${timeText(end)}, ${when}.`, {
    evidence: [fieldOf(ref, 'status.notAfter', status?.notAfter)],
    ...(end > asked.now + 7 * day ? {} : { tone: 'warn' as const }),
  });
}

const isSame = (one: Ref, other: Ref): boolean =>
  one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;

function summaryOf(diagnoses: readonly Diagnosis[]) {
  const findings = diagnoses.flatMap((one) => one.findings);
  const isGone = diagnoses.every(({ gone }) => gone !== undefined);
  return {
    summary: isGone
      ? 'It does not exist.'
      : findings.length === 0
        ? 'No findings.'
        : findings.length === 1
          ? 'One finding.'
          : `${findings.length} findings.`,
    // Their number tells of each.
    objects: distinct(findings.flatMap(objectsOfFinding)),
  };
}

/** Objects by which the counts around an object may be seen. */
const examinedIn = ({ namespace }: Ref) => placeObjects(namespace);

/** The objects that were examined. */
interface Examined {
  /** Within a sentence: `the whole cluster`. */
  readonly text: string;
  /** Objects that its counts include. */
  readonly objects: readonly ToldObject[];
  /** It holds many objects: each finding names its own. */
  readonly isPlace?: true;
}

/** A finding's sentence with the object that it is about, where it does not name that itself. */
function namedSentence({ sentence, path, object }: Diagnosis['findings'][number]): string {
  const ref = path[0] ?? object;
  const title = titleOf(ref);
  const [kind = ''] = title.split(' ');
  // The name of an image may end with that of the object.
  const isNamed = [`${kind} ${ref.name}`, calledOf(ref)].some((text) =>
    new RegExp(`(?<![\\w./-])${escapePattern(text)}(?![\\w/-]|[.:]\\w)`, 'i').test(sentence),
  );
  return isNamed || isNamespace(ref) ? sentence : `${title}: ${sentence}`;
}

/** Writes each finding after its evidence. */
function sayDiagnosis(
  { findings, notes, gone, examined }: Diagnosis,
  { text: where, objects, isPlace }: Examined,
  answer: AnswerParts,
): void {
  if (gone !== undefined) {
    answer.say(gone.sentence, { evidence: gone.evidence, tone: 'warn' });
    for (const text of notes) answer.note(text);
    return;
  }
  const shown = findings.slice(0, findingLimit);
  const rest = findings.length - shown.length;
  for (const finding of shown) {
    const { tone, object, next, actions, opens, edits, creates, evidence, count } = finding;
    const sentence = isPlace === true ? namedSentence(finding) : finding.sentence;
    const others = count > 1 ? ` The same problem affects ${count} objects.` : '';
    answer.say(`${sentence}${others}`, {
      evidence,
      tone,
      object,
      objects: objectsOfFinding(finding),
      ...(next === undefined ? {} : { next }),
      ...(actions.length === 0 ? {} : { actions }),
      ...(opens === undefined ? {} : { opens }),
      ...(edits === undefined ? {} : { edits }),
      ...(creates === undefined ? {} : { creates }),
    });
  }
  if (shown.length === 0) {
    const extent = examined === undefined ? '' : ` Examined: ${examined}.`;
    answer.note(
      notes.length === 0
        ? `The rules find nothing wrong with ${where}.${extent}`
        : `The rules find nothing wrong with ${where} in the objects that you may view.${extent}`,
      objects,
    );
  }
  // They say as well what is withheld, and why.
  for (const text of notes) answer.note(text);
  if (rest > 0)
    answer.note(
      `${rest} more ${rest === 1 ? 'finding is' : 'findings are'} left out. Ask about one namespace or object.`,
    );
}

/** Kinds whose objects are looked at one by one where no line of a dashboard tells of any. */
const youngKinds = kinds
  .filter(({ logs }) => logs !== undefined)
  .toSorted((a, b) => Number(b.logs === 'own') - Number(a.logs === 'own'));
/** Objects that are diagnosed then. */
const youngLimit = 6;

/**
 * A dashboard shows trouble once it has lasted: until then the objects whose status says so are diagnosed one by one, so
 * that no answer calls a place healthy in which a pod is failing.
 */
async function withYoungTrouble(
  asked: AskedQuestion,
  swept: Diagnosis,
  namespace: string | undefined,
): Promise<Diagnosis> {
  const { calls, clusterId } = asked.question;
  const { held } = await asked.parts.reach();
  const findings = new Map<string, Diagnosis['findings'][number]>();
  const notes = new Set(swept.notes);
  let left = youngLimit;
  for (const { id, permissions } of youngKinds) {
    if (!held.may(permissions.view, 'anywhere')) continue;
    const { rows } = await readList(asked, id, namespace);
    for (const { ref, status } of rows) {
      if (left === 0 || status?.tone !== 'bad') continue;
      left -= 1;
      const found = await calls.read('diagnoseObject', {
        params: { clusterId, kind: ref.kind, name: ref.name },
        query: namespaceQuery(ref.namespace),
      });
      for (const one of found.findings) findings.set(JSON.stringify([one.rule, one.sentence]), one);
      for (const note of found.notes) notes.add(note);
    }
  }
  return { ...swept, findings: [...findings.values()], notes: [...notes] };
}
