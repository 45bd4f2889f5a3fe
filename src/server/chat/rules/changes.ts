import { kinds } from '../../../../commands/kinds/index.ts';
import { outcomeOf } from '../../../contract/audit.ts';
import type { Ref } from '../../../contract/objects.ts';
import { Problem } from '../../../contract/problem.ts';
import type { LastChange } from '../../../kube/last-change.ts';
import { listPlace } from '../../access/place.ts';
import { redactText } from '../../kit/redact-text.ts';
import { textIn } from '../named-object.ts';
import { type KnownChange, knownChanges } from '../changes-tool.ts';
import type { ToldObject } from '../sight.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  exists,
  namespaceOf,
  namespaceQuery,
  placeObjects,
  placeText,
  readList,
  type RuleAnswer,
  subjectsOf,
  timeText,
} from './asking.ts';
import { eventObjects, eventsOf, sayEvent, tellingEvents } from './object-answers.ts';
import { calledOf, isNamespace, titleOf } from './question-names.ts';

/** The time that is looked back over where a question names none, s. */
const defaultSpan = 24 * 3600;
/** Changes, and events behind them, that are listed. */
const changeLimit = 15;
const eventLimit = 5;

/** Kinds whose objects record when they changed last, of those that every cluster has. */
const changedKinds = kinds.filter(({ changed, addOn }) => changed !== undefined && addOn === undefined);

/** Changes since a time: of an object, of a namespace, or of the cluster. */
export function changes(asked: AskedQuestion): RuleAnswer {
  const { parsed, now } = asked;
  const [subject] = subjectsOf(asked);
  const namespace = subject?.namespace ?? namespaceOf(asked);
  const since = parsed.since ?? now - defaultSpan;
  const where = subject === undefined ? placeText(asked, namespace) : titleOf(subject);
  return {
    about: `Changes to ${subject === undefined ? where : calledOf(subject)} since ${timeText(since)}`,
    objects: [...placeObjects(namespace), ...eventObjects(namespace)],
    read: (answer) =>
      subject === undefined || isNamespace(subject)
        ? placeChanges(asked, namespace, since, answer)
        : objectChanges(asked, subject, parsed.since, answer),
  };
}

async function objectChanges(asked: AskedQuestion, ref: Ref, since: number | undefined, answer: AnswerParts) {
  const { question, parts } = asked;
  const found = await knownChanges(ref, since, { ...parts, ...question, people: { of: (actor) => actor } });
  const { changes: all, gaps, objects } = found;
  for (const one of all.slice(0, changeLimit))
    answer.say(changeText(one), { evidence: [exists(ref)], objects });
  if (all.length === 0)
    answer.say(
      `No changes to ${titleOf(ref)}${since === undefined ? '' : ` since ${timeText(since)}`} are known.`,
      { evidence: [exists(ref)], objects },
    );
  if (all.length > changeLimit)
    answer.note(`${all.length - changeLimit} older changes are left out.`, objects);
  const told = tellingEvents(await eventsOf(asked, ref, ref.namespace));
  for (const one of told.slice(0, eventLimit)) sayEvent(one, answer);
  for (const text of gaps) answer.note(text);
  return { summary: `${counted(all.length, 'change')} known.`, objects };
}

/** A change of an object as a sentence. */
export function changeText({ at, from, ...more }: KnownChange): string {
  const text = (key: string) => textIn(more[key]);
  const time = at === '' ? 'At an unknown time' : timeText(at);
  switch (from) {
    case 'audit':
      return `${time}: ${text('who')} did “${text('action')}” in this console${text('outcome') === 'succeeded' || text('outcome') === '' ? '' : ` (${text('outcome')})`}.`;
    case 'rollout': {
      const images = Array.isArray(more['images']) ? more['images'].join(', ') : '';
      const cause = text('cause') === '' ? '' : `, recorded reason: ${text('cause')}`;
      return `${time}: revision ${String(more['revision'])} with ${images}${cause}.`;
    }
    case 'helm':
      return `${time}: Helm revision ${String(more['revision'])}, ${text('status')}, chart ${text('chart')}: ${text('description')}.`;
    case 'managed fields': {
      const fields = Array.isArray(more['fields']) ? more['fields'].join(', ') : '';
      return `${time}: ${text('manager')} wrote ${fields === '' ? 'to it' : fields}.`;
    }
    case 'object':
      return `${time}: ${text('what') === 'created' ? 'it was created' : 'its deletion was requested'}.`;
    default:
      return from satisfies never;
  }
}

/** One change of a place. */
interface PlaceChange {
  /** Epoch seconds. */
  readonly at: number;
  readonly text: string;
  readonly ref: Ref | undefined;
  readonly objects: readonly ToldObject[];
}

async function placeChanges(
  asked: AskedQuestion,
  namespace: string | undefined,
  since: number,
  answer: AnswerParts,
) {
  const found: PlaceChange[] = [];
  const unread: string[] = [];
  const { held } = await asked.parts.reach();
  for (const kind of changedKinds) {
    if (kind.scope === 'Cluster' && namespace !== undefined) continue;
    if (!held.may(kind.permissions.view, listPlace(kind))) {
      unread.push(kind.title);
      continue;
    }
    const { rows } = await readList(asked, kind.id, namespace);
    for (const { ref, object } of rows) {
      const change = kind.changed?.(object);
      if (change === undefined || change.at < since) continue;
      found.push({ at: change.at, text: `${titleOf(ref)} ${changeOfPlace(change)}`, ref, objects: [ref] });
    }
  }
  found.push(...(await releaseChanges(asked, since, namespace)));
  const audit = await auditChanges(asked, since, namespace);
  const all = [...found, ...audit.changes].toSorted((a, b) => b.at - a.at);
  for (const { at, text, ref, objects } of all.slice(0, changeLimit))
    answer.say(`${timeText(at)}: ${text}.`, {
      evidence: ref === undefined ? [] : [exists(ref)],
      objects,
      ...(ref === undefined ? {} : { opens: [ref] }),
    });
  const objects = placeObjects(namespace);
  if (all.length === 0)
    answer.say(`No changes in ${placeText(asked, namespace)} since ${timeText(since)} are known.`, {
      objects,
    });
  if (all.length > changeLimit)
    answer.note(`${all.length - changeLimit} older changes are left out.`, objects);
  const withTime = { ...asked, parsed: { ...asked.parsed, since } };
  const warnings = tellingEvents(
    (await eventsOf(withTime, undefined, namespace)).filter(({ type }) => type === 'Warning'),
  );
  for (const one of warnings.slice(0, eventLimit)) sayEvent(one, answer);
  if (warnings.length > eventLimit)
    answer.note(`${warnings.length - eventLimit} more warnings are recorded.`, eventObjects(namespace));
  answer.note(
    'This covers rollouts, Helm releases, creations, scaling and events. A cluster does not record who changed what: edits of ConfigMaps, Secrets and other objects, and anything deleted, may be missing, and a cluster keeps events for an hour unless it is set otherwise.',
  );
  if (unread.length > 0) answer.note(`Not seen, because you may not view them: ${unread.join(', ')}.`);
  if (audit.gap !== undefined) answer.note(audit.gap);
  return { summary: `${counted(all.length, 'change')} known.`, objects };
}

/** Releases whose history is read. */
const releaseLimit = 20;

/** The revisions of Helm releases since a time. */
async function releaseChanges(
  { question: { calls, clusterId } }: AskedQuestion,
  since: number,
  namespace: string | undefined,
): Promise<readonly PlaceChange[]> {
  const { hits } = await calls.read('search', {
    query: { cluster: clusterId, kinds: 'release', limit: releaseLimit, ...namespaceQuery(namespace) },
  });
  const found: PlaceChange[] = [];
  for (const { namespace: at = '', name } of hits) {
    const ref = { kind: 'release', namespace: at, name };
    const { revisions } = await calls.read('releaseHistory', { params: { clusterId, namespace: at, name } });
    for (const { updated, revision, status, description } of revisions) {
      const time = Date.parse(updated ?? '') / 1000;
      if (!(time >= since)) continue;
      const text = `Revision ${revision} of ${titleOf(ref)} (${status}): ${redactText(description)}`;
      found.push({ at: time, text: text.replace(/\.$/, ''), ref, objects: [ref] });
    }
  }
  return found;
}

function changeOfPlace({ what, to, by }: LastChange): string {
  const who = by === undefined ? '' : ` by ${by}`;
  switch (what) {
    case 'created':
      return `was created${who}`;
    case 'edited':
      return `was edited${who}`;
    case 'cordoned':
      return `was cordoned${who}`;
    case 'rolled-out':
      return `finished the rollout of revision ${to ?? 'unknown'}`;
    case 'scaled':
      return `scaled to ${counted(to ?? 0, 'pod')}`;
    default:
      return what satisfies never;
  }
}

/** Changes that people made on the cluster by this console, for Owners alone, who may read its audit. */
async function auditChanges(
  { question: { calls, clusterId } }: AskedQuestion,
  since: number,
  namespace: string | undefined,
): Promise<{ readonly changes: readonly PlaceChange[]; readonly gap?: string }> {
  try {
    const { entries, next } = await calls.read('audit', {
      query: { clusterId, from: new Date(since * 1000).toISOString() },
    });
    const about = entries.filter(
      ({ subject }) =>
        subject['dryRun'] !== true &&
        (namespace === undefined ||
          subject['namespace'] === namespace ||
          String(subject['names'] ?? '').includes(`${namespace}/`)),
    );
    return {
      changes: about.map(({ startedAt, actor, action, subject, status }) => ({
        at: Date.parse(startedAt) / 1000,
        text: `${actor} did “${action}” in this console${subjectText(subject)} (${outcomeOf(status)})`,
        ref: undefined,
        // In a conversation, too, Owners alone read it.
        objects: [{ kind: 'namespace', need: 'owner' as const }],
      })),
      ...(next === null ? {} : { gap: 'Only the newest entries of the audit were read.' }),
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return {
      changes: [],
      gap: 'Only Owners can read the audit, which records what people did in this console.',
    };
  }
}

function subjectText(subject: Readonly<Record<string, unknown>>): string {
  const names = textIn(subject['names']) || textIn(subject['name']);
  return names === '' ? '' : ` on ${names}`;
}
