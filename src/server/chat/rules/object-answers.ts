import type { KubeObject } from '../../../kube/object.ts';
import { isPlainObject } from '../../../kube/plain.ts';
import { healthAt, type WorkloadHealth, type WorkloadState } from '../../../kube/workload-status.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { viewPlace } from '../../access/place.ts';
import { redactEnd, redactText } from '../../kit/redact-text.ts';
import type { Ref } from '../../../contract/objects.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { textIn } from '../named-object.ts';
import { withoutKeyedSecrets } from '../secret-keys.ts';
import { isVague } from '../../diagnosis/own-words.ts';
import { shortened } from '../../diagnosis/shortened.ts';
import type { ToldObject } from '../sight.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  exists,
  fieldOf,
  isPodKind,
  type ListedObject,
  listed,
  namespaceOf,
  namespaceQuery,
  placeObjects,
  placeText,
  readList,
  readSubject,
  rolloutKinds,
  type RuleAnswer,
  subjectsOf,
  timeText,
} from './asking.ts';
import { podSelectorOf } from './lists.ts';
import { calledOf, titleOf } from './question-names.ts';

/** An answer that needs the name of an object, which the question lacks. */
const unnamed = (what: string, example: string): RuleAnswer => ({
  about: 'Nothing',
  async read(answer) {
    answer.note(`The question does not name ${what}. For example: “${example}”.`);
    return { summary: 'Nothing was looked up.' };
  },
});

const stateTexts: Readonly<Record<WorkloadState, string>> = {
  available: 'is complete',
  progressing: 'is in progress',
  paused: 'is paused',
  stuck: 'made no progress before its deadline',
  unavailable: 'has too few available pods',
  degraded: 'has pods that are not available',
  empty: 'has no pods, because the workload is scaled to zero',
};

/** The state of a rollout, or of those in a place that are not complete. */
export function rollout(asked: AskedQuestion): RuleAnswer {
  const { question, now } = asked;
  const { calls, clusterId } = question;
  const [ref] = subjectsOf(asked);
  const namespace = namespaceOf(asked);
  if (ref === undefined)
    return {
      about: `Rollouts in ${placeText(asked, namespace)}`,
      objects: placeObjects(namespace),
      async read(answer) {
        let total = 0;
        let open = 0;
        for (const kindId of rolloutKinds) {
          const { kind, rows } = await readList(asked, kindId, namespace);
          total += rows.length;
          for (const row of rows) {
            const found = kind.rollout?.(row.object);
            if (found === undefined || ['available', 'empty'].includes(healthAt(found, now).state)) continue;
            open += 1;
            if (open <= 12) sayHealth(row.ref, row.object, healthAt(found, now), answer);
          }
        }
        const text = `${total - open} of ${counted(total, 'rollout')} in ${placeText(asked, namespace)} ${total - open === 1 ? 'is' : 'are'} complete.`;
        answer.say(text, { objects: placeObjects(namespace) });
        return { summary: text, objects: placeObjects(namespace) };
      },
    };
  return {
    about: `Rollout of ${calledOf(ref)}`,
    async read(answer) {
      const kind = await asked.parts.findKind(ref.kind);
      const object = await readSubject(asked, ref);
      const found = kind.rollout?.(object);
      if (found === undefined) {
        answer.say(`${titleOf(ref)} has no rollouts.`, { evidence: [exists(ref)] });
        return { summary: 'No rollouts.' };
      }
      sayHealth(ref, object, healthAt(found, now), answer);
      const params = { clusterId, kind: ref.kind, name: ref.name };
      const { revisions } = await calls.read('revisions', { params, query: namespaceQuery(ref.namespace) });
      for (const { revision, isCurrent, createdAt, images } of revisions.slice(0, 3))
        answer.say(
          `Revision ${revision}${isCurrent ? ', the current one' : ''}${createdAt === null ? '' : `, of ${timeText(createdAt)}`}: ${listed(images.map(redactText))}.`,
          { evidence: [exists(ref)] },
        );
      return { summary: `The rollout ${stateTexts[healthAt(found, now).state]}.` };
    },
  };
}

function sayHealth(ref: Ref, object: KubeObject, health: WorkloadHealth, answer: AnswerParts): void {
  const status = (object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
  const { state, desired, updated, available, message } = health;
  const paths = ['updatedReplicas', 'availableReplicas', 'updatedNumberScheduled', 'numberAvailable'];
  answer.say(
    `The rollout of ${titleOf(ref)} ${stateTexts[state]}: ${updated} of ${counted(desired, 'pod')} updated, ${available} available.${message === undefined ? '' : ` The controller says: ${redactText(message)}`}`,
    {
      evidence: [
        exists(ref),
        ...paths.filter((path) => path in status).map((path) => fieldOf(ref, `status.${path}`, status[path])),
      ],
      ...(['stuck', 'unavailable'].includes(state) ? { tone: 'bad' as const } : {}),
    },
  );
}

/** The containers of a pod or of the pods that an object makes. */
export function containersOf({ spec }: KubeObject & { readonly spec?: unknown }) {
  const inner = (value: unknown, key: string): unknown => (isPlainObject(value) ? value[key] : undefined);
  const job = inner(inner(spec, 'jobTemplate'), 'spec') ?? spec;
  const pod = inner(inner(job, 'template'), 'spec') ?? job;
  return ['initContainers', 'containers'].flatMap((list) => {
    const containers = inner(pod, list);
    return (Array.isArray(containers) ? containers : []).filter(isPlainObject).map((one) => ({
      name: textIn(one['name']),
      image: textIn(one['image']),
    }));
  });
}

/** The images that an object runs. */
export function image(asked: AskedQuestion): RuleAnswer {
  const [ref] = subjectsOf(asked);
  if (ref === undefined) return unnamed('the workload or pod', 'Which image does cart run?');
  return {
    about: `Images of ${calledOf(ref)}`,
    async read(answer) {
      const containers = containersOf(await readSubject(asked, ref));
      for (const { name, image: own } of containers)
        answer.say(`The container ${name} of ${titleOf(ref)} runs the image ${redactText(own)}.`, {
          evidence: [exists(ref)],
        });
      if (containers.length === 0)
        answer.say(`${titleOf(ref)} runs no containers.`, { evidence: [exists(ref)] });
      return { summary: `${counted(containers.length, 'container')}.` };
    },
  };
}

/** Lines of a log that are shown, and those among which errors are looked for. */
const logLines = 20;
const searchedLines = 500;

/** Whether a question asks for errors alone, and whether a line is one. */
const asksForErrors = /\b(?:errors?|exceptions?|fehler)\b/;
const isError = /\b(?:error|err|fatal|panic|exception|severe|critical)\b/i;

/** The last lines of the log of a pod, or of one of the pods of an object. */
export function logs(asked: AskedQuestion): RuleAnswer {
  const [ref] = subjectsOf(asked);
  if (ref === undefined) return unnamed('the pod or workload', 'Show the log of cart');
  const isForErrors = asksForErrors.test(asked.parsed.text);
  const isPrevious = /\b(?:previous|before|vorherig\w*|last run)\b/.test(asked.parsed.text);
  return {
    about: `Log of ${calledOf(ref)}`,
    async read(answer) {
      const pod = await podOf(asked, ref);
      if (pod === undefined) {
        answer.say(`${titleOf(ref)} has no pod with a log that can be read.`, { evidence: [exists(ref)] });
        return { summary: 'No pods.' };
      }
      const text = await asked.parts.readLog({
        namespace: pod.namespace ?? '',
        container: undefined,
        pod: pod.name,
        previous: isPrevious,
        lines: isForErrors ? searchedLines : logLines,
      });
      const all = withoutKeyedSecrets(redactEnd(text))
        .split('\n')
        .filter((line) => line.trim() !== '');
      const lines = (isForErrors ? all.filter((line) => isError.test(line)) : all).slice(-logLines);
      if (lines.length === 0)
        answer.say(
          all.length > 0
            ? `None of the last ${counted(all.length, 'line')} of the log of ${titleOf(pod)} reads as an error.`
            : `The log of ${titleOf(pod)} is empty.`,
          { evidence: [exists(pod)], opens: [pod] },
        );
      else
        answer.say(
          `The last ${counted(lines.length, isForErrors ? 'error' : 'line')} of the log of ${titleOf(pod)}:\n${lines.join('\n')}`,
          {
            evidence: [exists(pod)],
            opens: [pod],
          },
        );
      return { summary: `${counted(lines.length, 'line')}.`, objects: [pod] };
    },
  };
}

/** The pod whose log tells most: one that is in trouble. */
async function podOf(asked: AskedQuestion, ref: Ref): Promise<Ref | undefined> {
  if (isPodKind(ref.kind)) return ref;
  const rows = await podRowsOf(asked, ref);
  return (rows.find(({ status }) => status?.tone === 'bad') ?? rows[0])?.ref;
}

/** The pods that an object selects. */
async function podRowsOf(asked: AskedQuestion, ref: Ref): Promise<readonly ListedObject[]> {
  const kind = await asked.parts.findKind(ref.kind);
  if (kind.pods === undefined) return [];
  const selector = podSelectorOf(kind, await readSubject(asked, ref));
  return selector === undefined ? [] : (await readList(asked, 'pod', ref.namespace, selector)).rows;
}

const podsOf = async (asked: AskedQuestion, ref: Ref): Promise<readonly Ref[]> =>
  (await podRowsOf(asked, ref)).map(({ ref: pod }) => pod);

/** Events that are listed. */
const eventLimit = 12;

/** The events about an object, or the warnings in a place. */
export function events(asked: AskedQuestion): RuleAnswer {
  const [ref] = subjectsOf(asked);
  const namespace = ref?.namespace ?? namespaceOf(asked);
  const where = ref === undefined ? placeText(asked, namespace) : titleOf(ref);
  return {
    about: `Events of ${where}`,
    objects: eventObjects(namespace),
    async read(answer) {
      const pods = ref === undefined ? [] : await podsOf(asked, ref);
      const all = await eventsOf(asked, pods.length === 0 ? ref : undefined, namespace);
      const isAbout = ({ ref: on }: KnownEvent) =>
        [ref, ...pods].some((one) => one?.kind === on.kind && one.name === on.name);
      const found = tellingEvents(
        all.filter((one) => (ref === undefined ? one.type === 'Warning' : isAbout(one))),
      );
      for (const one of found.slice(0, eventLimit)) sayEvent(one, answer);
      if (found.length === 0)
        answer.say(
          ref === undefined
            ? `No warnings are recorded in ${where}. A cluster keeps events for an hour unless it is set otherwise.`
            : `No events about ${where} are recorded. A cluster keeps events for an hour unless it is set otherwise.`,
          { objects: eventObjects(namespace) },
        );
      else if (found.length > eventLimit)
        answer.note(`${found.length - eventLimit} older events are left out.`, eventObjects(namespace));
      return { summary: `${counted(found.length, 'event')}.`, objects: eventObjects(namespace) };
    },
  };
}

/** Objects by which the events of a place may be seen. */
export const eventObjects = (namespace: string | undefined): readonly ToldObject[] => [
  namespace === undefined ? { kind: 'event', need: 'asker' } : { kind: 'event', namespace },
];

/** Characters of an event's message that an answer says: its evidence has all of them. */
const messageLimit = 160;

/** Events without those that repeat another about the same object: `Error: ErrImagePull` says nothing that its cause does not. */
export function tellingEvents(events: readonly KnownEvent[]): readonly KnownEvent[] {
  const keyOf = ({ ref, reason }: KnownEvent) => JSON.stringify([ref, reason]);
  const telling = new Set(events.filter(({ message }) => !isVague(message)).map(keyOf));
  return events.filter((one) => !isVague(one.message) || !telling.has(keyOf(one)));
}

/** An event as answers say it. */
export interface KnownEvent {
  readonly ref: Ref;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Epoch seconds; null where it says no time. */
  readonly at: number | null;
  readonly count: number;
}

/** The events about an object or in a place since a time, the newest first. */
export async function eventsOf(
  asked: AskedQuestion,
  ref: Ref | undefined,
  namespace: string | undefined,
): Promise<readonly KnownEvent[]> {
  const { rows } = await readList(asked, 'event', namespace);
  const wanted = ref === undefined ? undefined : await asked.parts.findKind(ref.kind);
  const { since } = asked.parsed;
  const reach = await asked.parts.reach();
  const kinds = new Map<string, AnyKind | undefined>();
  const found: KnownEvent[] = [];
  for (const { object } of rows) {
    const body = object as unknown as Readonly<Record<string, unknown>>;
    const on = body['involvedObject'];
    if (!isPlainObject(on)) continue;
    const [kindName, name, at] = [textIn(on['kind']), textIn(on['name']), textIn(on['namespace'])];
    if (ref !== undefined && (name !== ref.name || kindName !== wanted?.kind || at !== (ref.namespace ?? '')))
      continue;
    const key = `${textIn(on['apiVersion'])} ${kindName}`;
    if (!kinds.has(key)) kinds.set(key, await kindNamed(asked, kindName));
    const kind = kinds.get(key);
    if (
      kind === undefined ||
      !reach.held.may(kind.permissions.view, viewPlace(kind, { namespace: at, name }))
    )
      continue;
    const time = Date.parse(textIn(body['lastTimestamp']) || textIn(body['eventTime'])) / 1000;
    if (since !== undefined && !(time >= since)) continue;
    found.push({
      ref: { kind: kind.id, name, ...(at === '' ? {} : { namespace: at }) },
      type: textIn(body['type']),
      reason: textIn(body['reason']),
      message: redactText(textIn(body['message'])),
      at: Number.isNaN(time) ? null : time,
      count: typeof body['count'] === 'number' ? body['count'] : 1,
    });
  }
  return found.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

const kindNamed = async ({ parts }: AskedQuestion, kind: string): Promise<AnyKind | undefined> =>
  await parts.findKind(kind.toLowerCase()).catch(() => undefined);

/** Says an event, with it as evidence. */
export function sayEvent({ ref, type, ...event }: KnownEvent, answer: AnswerParts): void {
  const { reason, message, at, count } = event;
  answer.say(
    `${at === null ? '' : `${timeText(at)}: `}${reason} on ${titleOf(ref)}${count > 1 ? ` (${count} times)` : ''}: ${shortened(message, messageLimit)}`,
    {
      evidence: [{ type: 'event', ref, ...event }],
      ...(type === 'Warning' ? { tone: 'warn' as const } : {}),
    },
  );
}

/** Objects that are named by one answer. */
const useLimit = 15;
const needsPattern =
  /\b(?:what|which \w+|was|welche\w* \w+) (?:does|do)\b.*\b(?:use|need|depend|require|mount|reference|refer|consume)|\bdependencies of\b/;

/** The objects that use an object, or that it uses. */
export function uses(asked: AskedQuestion): RuleAnswer {
  const [ref] = subjectsOf(asked);
  if (ref === undefined) return unnamed('the object', 'What uses the Secret database?');
  const isOwn = needsPattern.test(asked.parsed.text);
  return {
    about: isOwn ? `What ${calledOf(ref)} uses` : `What uses ${calledOf(ref)}`,
    objects: [{ kind: 'namespace', need: 'asker' }],
    async read(answer) {
      const kind = await asked.parts.findKind(ref.kind);
      const object = await readSubject(asked, ref);
      return isOwn
        ? await sayOwn(asked, ref, kind, object, answer)
        : await sayUsers(asked, ref, kind, answer);
    },
  };
}

async function sayOwn(
  asked: AskedQuestion,
  ref: Ref,
  kind: AnyKind,
  object: KubeObject,
  answer: AnswerParts,
): Promise<{ readonly summary: string }> {
  const { held } = await asked.parts.reach();
  let count = 0;
  for (const one of kind.refs?.(object) ?? []) {
    const of = await kindNamed(asked, one.kind);
    if (of === undefined || !held.may(of.permissions.view, viewPlace(of, one))) continue;
    count += 1;
    if (count > useLimit) continue;
    const other = {
      kind: of.id,
      name: one.name,
      ...(one.namespace === undefined ? {} : { namespace: one.namespace }),
    };
    answer.say(`${titleOf(ref)} refers to ${titleOf(other)}.`, {
      evidence: [exists(ref)],
      objects: [other],
      opens: [other],
    });
  }
  if (count === 0)
    answer.say(`${titleOf(ref)} refers to nothing that you may view.`, { evidence: [exists(ref)] });
  return { summary: counted(count, 'object') + '.' };
}

async function sayUsers(asked: AskedQuestion, ref: Ref, kind: AnyKind, answer: AnswerParts) {
  const reach = await asked.parts.reach();
  const key = refKey({
    apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    name: ref.name,
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
  });
  const unread: string[] = [];
  const users: Ref[] = [];
  let isPart = false;
  for (const id of kind.usedBy ?? []) {
    const other = await asked.parts.findKind(id);
    if (!reach.held.may(other.permissions.view, 'anywhere')) {
      unread.push(other.title);
      continue;
    }
    const { rows, isWhole } = await readList(asked, id, kind.usedAcross === true ? undefined : ref.namespace);
    isPart ||= !isWhole;
    for (const row of rows) {
      // The workload that made a pod says it already.
      const owner = row.object.metadata?.ownerReferences?.[0]?.kind;
      if (
        isPodKind(id) &&
        ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'].includes(owner ?? '') &&
        kind.usedBy?.includes('deployment') === true
      )
        continue;
      if ((other.refs?.(row.object) ?? []).some((named) => refKey(named) === key)) users.push(row.ref);
    }
  }
  for (const user of users.slice(0, useLimit))
    answer.say(`${titleOf(user)} uses ${titleOf(ref)}.`, { evidence: [exists(user)], opens: [user] });
  if (kind.usedBy === undefined)
    answer.say(`The console knows no kind of object that refers to ${kind.title}.`, {
      evidence: [exists(ref)],
    });
  else if (users.length === 0)
    answer.say(
      `Nothing that you may view refers to ${titleOf(ref)}. Programs that read it through the API are not known here.`,
      { evidence: [exists(ref)], objects: [{ kind: 'namespace', need: 'asker' }] },
    );
  if (users.length > useLimit) answer.note(`${users.length - useLimit} more objects use it.`);
  if (unread.length > 0) answer.note(`Not seen, because you may not view them: ${listed(unread)}.`);
  if (isPart) answer.note('There are too many objects to read them all, so some may be missing here.');
  return { summary: counted(users.length, 'object') + '.', objects: users };
}
