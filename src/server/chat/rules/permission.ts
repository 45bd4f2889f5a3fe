import type { JobPlan, Ref } from '../../../contract/objects.ts';
import { type Need, permissions } from '../../../contract/permissions.ts';
import type { KindAction } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { whyNotText } from '../../../registry/commands/why-not-text.ts';
import { toolNeeds } from '../../../registry/kinds/object-tools.ts';
import { needOf } from '../../actions/available.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  exists,
  listed,
  namespaceOf,
  ownRights,
  type RuleAnswer,
  subjectsOf,
} from './asking.ts';
import { titleOf } from './question-names.ts';
import { actionsByWord } from './question-words.ts';

/** Whether the person may do something, and whom they ask otherwise. Others read none of it. */
export function permission(asked: AskedQuestion): RuleAnswer {
  const { parsed } = asked;
  return {
    about: 'Your permissions',
    objects: [ownRights],
    async read(answer) {
      const literal = permissions.filter((name) => parsed.text.includes(name));
      if (literal.length > 0) return await sayNeed(asked, answer, literal, listed(literal), undefined);
      const wanted = await wantedBy(asked);
      if (wanted === undefined) {
        if (/\b(?:owners?|admins?|administrator)\b/.test(parsed.text))
          return await sayNeed(asked, answer, 'owner', undefined, undefined);
        answer.note(
          'The question does not say what the permission is for. Name a kind of object and what to do with it, such as “Whom do I ask to see Secrets?”.',
        );
        return { summary: 'Nothing was looked up.' };
      }
      const { kind, action, subject, need, what, isUnknownAction } = wanted;
      if (isUnknownAction) answer.note(`${kind.title} have no such action in this console.`);
      if (action !== undefined && subject !== undefined)
        return await sayAction(asked, answer, { action, kind, ref: subject });
      const said = await sayNeed(asked, answer, need, what, placeOf(asked, kind, subject));
      if (isOrder.test(parsed.text)) answer.note('The chat itself changes nothing.');
      return said;
    },
  };
}

/** An act that a question is about: the kind, the object where the question names one, and the permission that it needs. */
interface WantedRight {
  readonly kind: AnyKind;
  readonly subject: Ref | undefined;
  /** Absent where it is about viewing or changing. */
  readonly action: KindAction | undefined;
  /** The question names an action, and the kind has none of that sort. */
  readonly isUnknownAction: boolean;
  readonly need: Need;
  readonly what: string;
}

/** Words for the tools of pods that need a permission of their own. */
const toolWords = {
  shell: /\b(?:shells?|exec|terminals?|ssh|bash|konsole)\b/,
  logs: /\b(?:logs?|protokolle?)\b/,
} as const;

/** The act that a question asks the permission for; undefined where it names no kind of object. */
export async function wantedBy(asked: AskedQuestion): Promise<WantedRight | undefined> {
  const { parsed, parts } = asked;
  const [subject] = subjectsOf(asked);
  const tool = (Object.keys(toolWords) as (keyof typeof toolWords)[]).find((one) =>
    toolWords[one].test(parsed.text),
  );
  const toolNeed = tool === undefined ? undefined : toolNeeds[tool];
  if (tool !== undefined && toolNeed !== undefined)
    return {
      kind: await parts.findKind('pod'),
      subject,
      action: undefined,
      isUnknownAction: false,
      need: toolNeed,
      what: tool === 'shell' ? 'Shell (Pods)' : 'Logs (Pods)',
    };
  const [kindId = subject?.kind ?? (namespaceOf(asked) === undefined ? undefined : 'namespace')] =
    subject === undefined ? parsed.kinds : [subject.kind];
  if (kindId === undefined) return undefined;
  const kind = await parts.findKind(kindId);
  const action = actionOf(kind, parsed.actions);
  const isUnknownAction = action === undefined && parsed.actions.length > 0;
  if (action !== undefined)
    return {
      kind,
      subject,
      action,
      isUnknownAction,
      need: needOf(action, kind),
      what: `${titleText(action)} (${kind.title})`,
    };
  const isChange = /\b(?:edit|change|create|manage|aendern|erstellen|bearbeiten|verwalten)\b/.test(
    parsed.text,
  );
  return {
    kind,
    subject,
    action,
    isUnknownAction,
    need: isChange ? kind.permissions.manage : kind.permissions.view,
    what: `${isChange ? 'Change' : 'View'} ${kind.title}`,
  };
}

/** A question that is an order: it begins with a verb. */
const isOrder = new RegExp(`^(?:please |bitte )?(?:${Object.keys(actionsByWord).join('|')})\\b`);

/** The action of a kind that a question means, the first of the wanted ones that it has. */
const actionOf = ({ actions }: AnyKind, wanted: readonly string[]): KindAction | undefined =>
  wanted
    .map((part) => actions.find(({ id }) => id.endsWith(`.${part}`)))
    .find((action) => action !== undefined);

const titleText = ({ title }: KindAction): string => title.replace(/…$/, '');

/** The namespace in which a permission is needed; undefined on the cluster as a whole. */
export const placeOf = (asked: AskedQuestion, kind: AnyKind, subject: Ref | undefined): string | undefined =>
  kind.scope === 'Cluster' ? undefined : (subject?.namespace ?? namespaceOf(asked));

async function sayNeed(
  { question: { calls, clusterId } }: AskedQuestion,
  answer: AnswerParts,
  need: Need,
  what: string | undefined,
  namespace: string | undefined,
) {
  const found = await calls.read('whyNot', {
    query: {
      needs: typeof need === 'string' ? need : need.join(','),
      // Owners are those of the organisation.
      ...(need === 'owner' ? {} : { clusterId }),
      ...(namespace === undefined ? {} : { namespace }),
    },
  });
  if (need === 'owner') answer.say(`${ownersText(found.owners)}.`, { objects: [ownRights] });
  else {
    const { title, detail } = whyNotText(what, found);
    answer.say(found.missing.length === 0 ? title : `${title}\n${detail}`, { objects: [ownRights] });
  }
  return { summary: found.missing.length === 0 ? 'Nothing is missing.' : 'A permission is missing.' };
}

const ownersText = (owners: readonly string[]): string =>
  `${owners.length === 1 ? 'The Owner of your organisation is' : 'The Owners of your organisation are'} ${listed(owners)}`;

async function sayAction(
  asked: AskedQuestion,
  answer: AnswerParts,
  { action, kind, ref }: { readonly action: KindAction; readonly kind: AnyKind; readonly ref: Ref },
) {
  const { question, parts } = asked;
  const { calls, clusterId } = question;
  const title = titleText(action);
  const states = await calls.read('availableActions', { params: { clusterId }, body: { refs: [ref] } });
  if (states.refused.includes(action.id))
    return await sayNeed(
      asked,
      answer,
      needOf(action, kind),
      `${title} on ${titleOf(ref)}`,
      placeOf(asked, kind, ref),
    );
  const state = states.actions.find(({ id }) => id === action.id);
  if (state === undefined) {
    answer.say(`“${title}” does not apply to ${titleOf(ref)} as it is now.`, { evidence: [exists(ref)] });
    return { summary: 'It does not apply.' };
  }
  if (state.enabled !== true) {
    answer.say(`“${title}” is not possible on ${titleOf(ref)} now. ${state.enabled}`, {
      evidence: [exists(ref)],
      objects: [ownRights],
    });
    return { summary: 'Not possible now.' };
  }
  const button = { object: ref, actions: [{ id: action.id, refs: [ref] }] };
  answer.say(
    `You may do this: “${title}” is possible on ${titleOf(ref)} now. The chat itself changes nothing.`,
    { evidence: [exists(ref)], objects: [ownRights], ...button },
  );
  if ('job' in action && action.id === 'node.drain') {
    const [outcome] = await parts.tryAction({ action: action.id, refs: [ref], args: initialArgs(action) });
    if (outcome?.plan === undefined) answer.note(outcome?.message ?? 'No plan could be made.', [ownRights]);
    else sayPlan(outcome.plan, ref, answer);
  }
  return { summary: 'Possible now.' };
}

/** The arguments that a dialog of the action begins with. */
const initialArgs = ({ args = {} }: KindAction): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, definition]) =>
      definition.type === 'number' && typeof definition.initial === 'number'
        ? [[name, definition.initial]]
        : [],
    ),
  );

/** Says what a drain would do with the pods of a node. */
function sayPlan({ lines, notes, blocked }: JobPlan, node: Ref, answer: AnswerParts): void {
  const objects = [ownRights, { kind: 'pod', need: 'asker' } as const];
  const groups = Map.groupBy(lines, ({ group }) => group);
  const counts = [...groups].map(([group, of]) => `${counted(of.length, 'pod')} ${group.toLowerCase()}`);
  const evidence = [exists(node)];
  answer.say(
    counts.length === 0
      ? `No pods run on ${node.name}.`
      : `A dry run of the drain of ${node.name} gives: ${listed(counts)}.`,
    { evidence, objects },
  );
  for (const { name, about } of lines
    .filter(({ tone, about: text }) => text !== null && tone !== 'idle')
    .slice(0, 8))
    answer.say(`Pod ${name}: ${about ?? ''}.`, { evidence, objects, tone: 'warn' });
  if (blocked !== null) answer.say(blocked, { evidence, objects, tone: 'bad' });
  for (const text of notes) answer.note(text, objects);
}
