import { kindById, kinds } from '../../../../commands/kinds/index.ts';
import type { Evidence } from '../../../contract/diagnosis.ts';
import type { ObjectBody, Ref } from '../../../contract/objects.ts';
import { Problem } from '../../../contract/problem.ts';
import type { UsageKind } from '../../../contract/usage.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { statusAt } from '../../../registry/kinds/kind.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Tone } from '../../../registry/tone.ts';
import { isNamespaceKind } from '../../access/place.ts';
import { isInSight, noneExcluded } from '../../access/sight.ts';
import type { WhoMay, WhoMayQuestion } from '../../organisation/who-may.ts';
import type { TryAction } from '../proposals.ts';
import type { PersonCalls, Question } from '../reasoner.ts';
import type { ToldObject } from '../sight.ts';
import type { ToolParts } from '../tool.ts';
import type { AnswerParts } from './answer-parts.ts';
import { isNamespace, type QuestionNames } from './question-names.ts';
import type { ParsedQuestion } from './question-parser.ts';

/** Readers of the rules besides calls of the API; all of them ask for the grants that the person has at that moment. */
export interface RuleParts extends Pick<ToolParts, 'reach' | 'findKind' | 'readLog' | 'readManagedFields'> {
  /** The time by the clock of the cluster, epoch seconds. Throws Problem. */
  readonly now: () => Promise<number>;
  /** The people who may do something here, as far as the person may know. Throws Problem. */
  readonly whoMay: (asked: Omit<WhoMayQuestion, 'clusterId'>) => Promise<WhoMay>;
  /** Has the usage of pods or nodes measured until the returned function is called. */
  readonly measureUsage: (kind: UsageKind) => () => void;
  /** The dry run of an action for the person. Throws Problem. */
  readonly tryAction: (proposal: Parameters<TryAction>[2]) => ReturnType<TryAction>;
}

/** A question of somebody, with the objects that it names. */
export interface AskedQuestion {
  readonly question: Question;
  readonly parsed: ParsedQuestion;
  readonly names: QuestionNames;
  readonly parts: RuleParts;
  /** Namespaces of the cluster are left out, for want of a right or by the person's choice: nobody knows what is in them. */
  readonly isPartial: boolean;
  /** By the clock of the cluster, epoch seconds. */
  readonly now: number;
}

/** The way in which one question is answered. */
export interface RuleAnswer {
  /** The subject of the reading, in a few words for people. */
  readonly about: string;
  /** Objects that the question tells of besides those that it names. */
  readonly objects?: readonly ToldObject[];
  /** Reads and answers; returns the result. Throws Problem. */
  readonly read: (answer: AnswerParts) => Promise<ReadSummary>;
}

/** The result of a reading, as a sentence. */
export interface ReadSummary {
  readonly summary: string;
  /** Objects that the summary tells of. */
  readonly objects?: readonly ToldObject[];
}

/** Numbers and silences of everything that the person views. */
export const allNamespaces: ToldObject = { kind: 'namespace', need: 'asker' };
/** The rights of the person who asked: nobody else reads about them. */
export const ownRights: ToldObject = { kind: 'namespace', need: 'self' };

/** Objects that a question is about: those that it names, else the one that it was asked at. */
export function subjectsOf({ names: { objects }, question: { about } }: AskedQuestion): readonly Ref[] {
  if (objects.length > 0) return objects;
  return about === null || isNamespace(about) ? [] : [about];
}

/** The namespace that a question is about; undefined for all of them. */
export function namespaceOf({
  names: { namespaces },
  question: { about },
}: AskedQuestion): string | undefined {
  return namespaces[0] ?? (about !== null && isNamespace(about) ? about.name : undefined);
}

/** A place within a sentence: what is in namespaces that the person does not see is said by nothing. */
export function placeText(
  { isPartial }: Pick<AskedQuestion, 'isPartial'>,
  namespace: string | undefined,
  cluster = 'the cluster',
): string {
  if (namespace !== undefined) return `the namespace ${namespace}`;
  return isPartial ? 'the namespaces you see' : cluster;
}

/** Objects that a place tells of. */
export const placeObjects = (namespace: string | undefined): readonly ToldObject[] =>
  namespace === undefined ? [allNamespaces] : [{ kind: 'namespace', name: namespace }];

/** The namespace as calls take it. */
export const namespaceQuery = (namespace: string | undefined) =>
  namespace === undefined ? {} : { namespace };

/** That an object exists, as evidence. */
export const exists = (ref: Ref): Evidence => ({ type: 'object', ref, exists: true });

/** A field of an object, as evidence. */
export const fieldOf = (ref: Ref, path: string, value: unknown): Evidence => ({
  type: 'field',
  ref,
  path,
  value:
    value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
});

/** A time as sentences have it: `2026-11-30 04:05 UTC`. @param at epoch seconds or ISO */
export const timeText = (at: number | string): string =>
  `${new Date(typeof at === 'number' ? at * 1000 : at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names in a sentence: `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** Reads an object for the person. Throws Problem. */
export const readSubject = async ({ question: { calls, clusterId } }: AskedQuestion, ref: Ref) =>
  (await calls.read('object', {
    params: { clusterId, kind: ref.kind, name: ref.name },
    query: namespaceQuery(ref.namespace),
  })) as KubeObject;

/** An object of a list with its status. */
export interface ListedObject {
  readonly ref: Ref;
  readonly object: KubeObject;
  readonly status: { readonly label: string; readonly tone: Tone } | undefined;
}

/** Pages of one list that are read, and namespaces of somebody who may view some alone. */
const pageLimit = 4;
const placeLimit = 20;

/** Namespaces by their names; those that a grant names and the cluster does not have are left out. */
async function namespacesBy(
  calls: PersonCalls,
  clusterId: number,
  names: readonly string[],
): Promise<ObjectBody[]> {
  const items: ObjectBody[] = [];
  for (const name of names.slice(0, placeLimit))
    try {
      items.push(await calls.read('object', { params: { clusterId, kind: 'namespace', name }, query: {} }));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
    }
  return items;
}

/** The objects of a kind in a place that the person sees. */
export async function readList(
  { question: { calls, clusterId }, parts, now }: AskedQuestion,
  kindId: string,
  namespace: string | undefined,
  labelSelector?: string,
): Promise<{ readonly kind: AnyKind; readonly rows: readonly ListedObject[]; readonly isWhole: boolean }> {
  const kind = await parts.findKind(kindId);
  const reach = await parts.reach();
  const place = kind.scope === 'Cluster' ? undefined : namespace;
  const sight = place === undefined ? reach : { ...reach, excluded: noneExcluded };
  const own = reach.held.namespacesFor(kind.permissions.view);
  // Of some namespaces only theirs are listed.
  const isAtOnce = kind.scope === 'Cluster' || place !== undefined || own === 'all';
  const places = isAtOnce ? [place] : [...own];
  // Namespaces are listed for the whole cluster alone, and read one by one for somebody who views some.
  const named = isNamespaceKind(kind) && own !== 'all' ? [...own] : undefined;
  const items: ObjectBody[] = named === undefined ? [] : await namespacesBy(calls, clusterId, named);
  let isWhole = (named ?? places).length <= placeLimit;
  for (const at of named === undefined ? places.slice(0, placeLimit) : []) {
    let next: string | undefined;
    for (let page = 0; page === 0 || (next !== undefined && page < pageLimit); page += 1) {
      const answer = await calls.read('objects', {
        params: { clusterId, kind: kind.id },
        query: {
          ...namespaceQuery(at),
          ...(labelSelector === undefined ? {} : { labelSelector }),
          ...(next === undefined ? {} : { continue: next }),
        },
      });
      items.push(...answer.items);
      next = answer.continue;
    }
    isWhole &&= next === undefined;
  }
  const rows = items.flatMap((item): ListedObject[] => {
    const object = item as KubeObject;
    const { name = '', namespace: at = '' } = object.metadata ?? {};
    if (!isInSight(sight, kind, { name, namespace: at })) return [];
    const ref = { kind: kind.id, name, ...(at === '' ? {} : { namespace: at }) };
    const status = kind.status === undefined ? undefined : statusAt(kind.status(object), now);
    return [{ ref, object, status }];
  });
  return { kind, rows, isWhole };
}

/** Whether objects of a kind are pods: they have logs of their own. @param id of a kind with a file */
export const isPodKind = (id: string): boolean => kindById(id)?.logs === 'own';

/** Ids of the kinds that have rollouts. */
export const rolloutKinds = kinds.filter(({ rollout }) => rollout !== undefined).map(({ id }) => id);

/** The plural of a kind within a sentence. */
export const pluralOf = (kindId: string): string => kindById(kindId)?.title ?? kindId;
