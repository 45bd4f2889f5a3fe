import { type AttentionLine, attentionObjects } from '../../../contract/dashboard.ts';
import type { Ref } from '../../../contract/objects.ts';
import type { SharedCause } from '../../../kube/shared-cause.ts';
import { type Attention, causeOf, compareTrouble, remedyOf } from '../../../registry/kinds/attention.ts';
import type { Facts, KindAction } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { May } from '../../access/held.ts';
import { changePlace } from '../../access/place.ts';
import { needOf } from '../../actions/available.ts';
import { objectHelpOf } from './object-help.ts';
import { chronicAfter, type RememberedTrouble } from './trouble-memory.ts';
import type { Entry } from '../source/projector.ts';

/** An object in trouble. */
export interface Trouble {
  readonly kind: AnyKind;
  readonly entry: Pick<Entry, 'uid' | 'namespace' | 'name'>;
  readonly attention: Attention;
  /** Where it is shown: the workload of a pod, else the object itself. */
  readonly place: Place;
  /** The remembered trouble. */
  readonly memory?: RememberedTrouble | undefined;
}

/** The line of one object, as the server has it. */
export interface OwnLine extends AttentionLine {
  /** The cause where it lies outside of the object: objects in trouble by it become one line. */
  readonly sharedCause?: SharedCause;
}

/** An object that a line stands for. */
export interface Place {
  readonly ref: Ref;
  readonly uid: string;
  /** Absent for a kind that the console does not have. */
  readonly kind: AnyKind | undefined;
  /** Its facts, where it was read. */
  readonly facts?: Facts | undefined;
}

/** Whether trouble is trouble at a time, epoch seconds. */
export const isDue = (
  { notBefore = 0, notAfter = Number.POSITIVE_INFINITY }: Attention,
  now: number,
): boolean => notBefore <= now && now < notAfter;

/** When time alone begins or ends trouble, epoch seconds; undefined where it does neither any more. */
export const turnOf = (
  { notBefore = 0, notAfter = Number.POSITIVE_INFINITY }: Attention,
  now: number,
): number | undefined => [notBefore, notAfter].find((at) => at > now && Number.isFinite(at));

/** Trouble as “Needs attention” tells of it: not before it has settled. */
export const unasked = (attention: Attention): Attention =>
  attention.settledAt === undefined
    ? attention
    : { ...attention, notBefore: Math.max(attention.notBefore ?? 0, attention.settledAt) };

/** Names an object of a kind. */
export function refOf(
  kind: Pick<AnyKind, 'id'>,
  { namespace, name }: { namespace: string; name: string },
): Ref {
  return { kind: kind.id, ...(namespace === '' ? {} : { namespace }), name };
}

/** Names a place: the key of its line. */
export const placeKey = ({ kind, namespace = '', name }: Ref) => `${kind} ${namespace} ${name}`;

const tones = { bad: 0, warn: 1 } as const;

/** The order of trouble, then by place. */
const compare = (a: AttentionLine, b: AttentionLine): number =>
  compareTrouble(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/**
 * Lines of trouble, worst first: pods of one workload in trouble by one rule are one line, and what a workload says of
 * itself is left out where its pods say why.
 * @param may whether the person may do what asks for this
 */
export function attentionLinesOf(troubles: readonly Trouble[], may: May): readonly OwnLine[] {
  const groups = new Map<string, Trouble[]>();
  for (const trouble of troubles) {
    const key = `${causeOf(trouble.attention)} ${trouble.place.uid}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [trouble]);
    else group.push(trouble);
  }
  const worstOfPods = new Map<string, number>();
  for (const { entry, attention, place } of troubles) {
    if (entry.uid === place.uid) continue;
    worstOfPods.set(place.uid, Math.min(worstOfPods.get(place.uid) ?? 2, tones[attention.tone]));
  }
  const lines: OwnLine[] = [];
  for (const [key, group] of groups) {
    const [first] = group.sort((a, b) => (a.attention.since ?? 0) - (b.attention.since ?? 0));
    if (first === undefined) continue;
    const { entry, attention, place } = first;
    const cause = worstOfPods.get(entry.uid);
    if (entry.uid === place.uid && cause !== undefined && cause <= tones[attention.tone]) continue;
    const objects = group.slice(0, attentionObjects).map((one) => refOf(one.kind, one.entry));
    const help = objectHelpOf(remedyOf(attention), place.ref.namespace, may);
    lines.push({
      key,
      rule: attention.rule,
      tone: attention.tone,
      title: attention.title,
      detail: attention.detail ?? null,
      on: place.ref,
      ...(place.kind?.custom === undefined ? {} : { kindName: place.kind.kind }),
      objects,
      count: group.length,
      ...timesOf(first),
      causes: [
        {
          rule: causeOf(attention),
          extent: first.memory?.extent ?? group.reduce((sum, one) => sum + (one.attention.extent ?? 1), 0),
        },
      ],
      action: actionOf(first, objects, may),
      ...(help === undefined ? {} : { help }),
      ...(attention.sharedCause === undefined ? {} : { sharedCause: attention.sharedCause }),
      ...(attention.isCause === true ? { isCause: true } : {}),
      ...(attention.log === undefined ? {} : { log: attention.log }),
    });
  }
  return lines.sort(compare);
}

/** Since when trouble lasts, as far as it is known. */
function timesOf({
  attention,
  memory,
}: Pick<Trouble, 'attention' | 'memory'>): Pick<AttentionLine, 'since' | 'isSinceLatest' | 'worseAt'> {
  const isSinceLatest = memory?.isSinceLatest ?? attention.isSinceLatest === true;
  return {
    since: memory?.since ?? attention.since ?? null,
    ...(isSinceLatest ? { isSinceLatest } : {}),
    ...(memory === undefined || memory.worseAt === null ? {} : { worseAt: memory.worseAt }),
  };
}

/** One line for each place, of lines that stand worst first: the first of a place, with the titles of its others. */
export function oncePerPlace(lines: readonly OwnLine[]): readonly OwnLine[] {
  const places = new Map<string, OwnLine>();
  for (const line of lines) {
    const key = placeKey(line.on);
    const first = places.get(key);
    if (first === undefined) places.set(key, { ...line, key });
    else places.set(key, withCause({ ...first, also: [...(first.also ?? []), line.title] }, line));
  }
  return [...places.values()];
}

/** The line of a place with a further cause, if that is as bad: less does not make it worse. */
function withCause(first: OwnLine, { tone, causes, worseAt = 0 }: OwnLine): OwnLine {
  if (tone !== first.tone) return first;
  const newest = Math.max(first.worseAt ?? 0, worseAt);
  return { ...first, causes: [...first.causes, ...causes], ...(newest === 0 ? {} : { worseAt: newest }) };
}

/** When a line becomes chronic unless it gets worse, epoch seconds; undefined if its start is not known. */
export const chronicAt = ({ since, worseAt = 0 }: AttentionLine): number | undefined =>
  since === null ? undefined : Math.max(since, worseAt) + chronicAfter;

/** Lines of trouble, worst first, with those marked that are chronic. @param now epoch seconds */
export function markChronic<Line extends AttentionLine>(
  lines: readonly Line[],
  now: number,
): readonly Line[] {
  const marked = lines.map((line): Line => {
    const at = chronicAt(line);
    return at === undefined || at > now ? line : { ...line, isChronic: true };
  });
  return marked.sort(compare);
}

/** The lines as they are told: that of a workload by the event that it came to, where it came to one. */
export function asEvents(
  lines: readonly AttentionLine[],
  troubles: readonly Trouble[],
): readonly AttentionLine[] {
  const events = new Map<string, Attention>();
  for (const { attention, place } of troubles)
    if (attention.isEvent === true) events.set(placeKey(place.ref), attention);
  return lines.map((line) => {
    const event = events.get(placeKey(line.on));
    if (event === undefined) return line;
    const { rule, tone, title, detail = null, since = null } = event;
    return { ...line, rule, tone, title, detail, since };
  });
}

/** The action that helps; where it cannot be done, the other one that helps, if that can. */
function actionOf(trouble: Trouble, objects: readonly Ref[], may: May): AttentionLine['action'] {
  const { action, otherwise } = trouble.attention;
  const first = actionBy(action, trouble, objects, may);
  if (otherwise === undefined || (first !== null && first.reason === undefined)) return first;
  const other = actionBy(otherwise, trouble, objects, may);
  return other === null || other.reason !== undefined ? first : other;
}

/** The action of an id, on the objects themselves or on what they belong to, whichever has it. */
function actionBy(
  action: string | undefined,
  { kind, entry, place }: Trouble,
  objects: readonly Ref[],
  may: May,
): AttentionLine['action'] {
  const find = (of: AnyKind | undefined): KindAction | undefined =>
    of?.actions.find(({ id }) => id === action);
  const own = find(kind);
  if (own !== undefined) {
    const facts = entry.uid === place.uid ? place.facts : undefined;
    const isAllowed = objects.every((ref) => may(needOf(own, kind), changePlace(kind, ref)));
    return isAllowed ? { id: own.id, refs: objects, ...refusalBy(own, facts) } : null;
  }
  const helps = find(place.kind);
  if (helps === undefined || place.kind === undefined) return null;
  return may(needOf(helps, place.kind), changePlace(place.kind, place.ref))
    ? { id: helps.id, refs: [place.ref], ...refusalBy(helps, place.facts) }
    : null;
}

/** Why an action cannot be done on an object, as far as these facts tell. */
function refusalBy({ enabled }: KindAction, facts: Facts | undefined): { readonly reason?: string } {
  if (facts === undefined) return {};
  const verdict = enabled?.({ facts, joined: {} }) ?? true;
  return verdict === true ? {} : { reason: verdict };
}
