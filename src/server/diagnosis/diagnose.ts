import type { KubeObject } from '../../kube/object.ts';
import { controllerOf } from '../../kube/owners.ts';
import type { ObjectRemedy } from '../../kube/shared-cause.ts';
import { remedyOf } from '../../registry/kinds/attention.ts';
import type { Around } from '../../registry/kinds/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../registry/kinds/refs.ts';
import { shortened } from './shortened.ts';
import { type WantedObject, wantedByName } from '../objects/wanted.ts';
import { isDue } from '../live/dashboard/attention-lines.ts';
import {
  type Clue,
  event,
  field,
  present,
  type Proof,
  type Remedy,
  type Rule,
  type Tone,
  type Trail,
} from './rule.ts';
import { isVague, tellingWarning } from './own-words.ts';
import { nameOf, warningsOf, type World } from './world.ts';

/** Objects between the one asked about and a cause: a scaler, its deployment, a ReplicaSet, a pod, a claim, a class … */
const maxDepth = 8;
/** Objects that are looked at for one question. */
const maxObjects = 400;

/** Characters of a sentence that names a cause. */
export const sentenceLimit = 200;

/** What a rule found, with the way to it. */
export interface Cause {
  readonly rule: string;
  readonly tone: Tone;
  /** It goes before all others of its tone. */
  readonly goesFirst?: true;
  readonly object: NamedObject;
  /** The cause, in at most `sentenceLimit` characters. */
  readonly sentence: string;
  /** Further text, such as what helps. */
  readonly detail?: string;
  readonly evidence: readonly Proof[];
  /** From the object that was asked about to the one at fault, both included. */
  readonly path: readonly NamedObject[];
  readonly actions: readonly Remedy[];
  /** Objects to look at next that the evidence does not cite. */
  readonly opens: readonly NamedObject[];
  /** Objects whose change helps. */
  readonly edits: readonly NamedObject[];
  /** Missing objects whose creation helps. */
  readonly wanted: readonly WantedObject[];
  /** Equal for the same cause, which several objects may have. */
  readonly key: string;
  /** The keys of all objects that have it. */
  readonly objects: ReadonlySet<string>;
}

/** All rules, and the ways from objects to what they depend on. */
export interface RuleBook {
  readonly rules: readonly Rule[];
  readonly trails: readonly Trail[];
}

/** A kind as rules name it: `Deployment.apps`, `Pod`. */
export function ruleKind({ apiVersion = 'v1', kind = '' }: KubeObject): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/**
 * Why an object is in trouble: the first causes, the worst first. Empty for an object in no trouble. Pure: what the
 * world does not know yet may add causes, and take away symptoms, when it is asked again.
 */
export function diagnose(root: KubeObject, world: World, { rules, trails }: RuleBook): readonly Cause[] {
  /** What was found at each object; nothing yet at those that lead here. */
  const visited = new Map<string, readonly Cause[]>();

  function visit(object: KubeObject, way: readonly NamedObject[]): readonly Cause[] {
    const named = nameOf(object);
    const key = refKey(named);
    const known = visited.get(key);
    if (known !== undefined) return known;
    if (visited.size >= maxObjects || way.length >= maxDepth) return [];
    visited.set(key, []);
    const found = look(object, way, [...way, named]);
    visited.set(key, found);
    return found;
  }

  function look(
    object: KubeObject,
    way: readonly NamedObject[],
    path: readonly NamedObject[],
  ): readonly Cause[] {
    const kind = ruleKind(object);
    const isOfKind = (one: { readonly kind: string }) => one.kind === kind || one.kind === '*';
    const cluesOf = (wanted: (sort: Rule['sort']) => boolean) =>
      rules
        .filter((one) => isOfKind(one) && wanted(one.sort))
        .flatMap((one) => {
          const clue = one.find(object, world);
          return clue === undefined ? [] : [{ one, found: foundBy(one, clue, object, path) }];
        });
    const isRoot = way.length === 0;
    const clues = cluesOf((sort) => sort !== 'last' && sort !== (isRoot ? 'called' : 'advice'));
    const deeper = trails
      .filter(isOfKind)
      .flatMap((one) => one.next(object, world))
      .flatMap((next) => visit(next, path));
    const own = (sort: Rule['sort']) =>
      clues.filter(({ one }) => one.sort === sort).map(({ found }) => found);
    const causes = [...own('cause'), ...own('called'), ...deeper];
    const told = causes.length > 0 ? causes : own('symptom');
    const rest = told.length > 0 ? told : byAttention(object, world, path);
    const all = [...rest, ...own('advice')];
    // Their reads are not sent before everything else has found nothing.
    return all.length > 0 || !isRoot ? all : cluesOf((sort) => sort === 'last').map(({ found }) => found);
  }

  return merged(visit(root, []));
}

/** What the rules that need nothing besides it say of one object, without looking further. */
export function judge(object: KubeObject, world: World, rules: readonly Rule[]): readonly Cause[] {
  const kind = ruleKind(object);
  return rules
    .filter((one) => one.kind === kind && !/^(?:advice|called|last)$/.test(one.sort))
    .flatMap((one) => {
      const clue = one.find(object, world);
      return clue === undefined ? [] : [foundBy(one, clue, object, [nameOf(object)])];
    });
}

/** Causes of several questions together: each once, the worst first. */
export function merged(causes: readonly Cause[]): readonly Cause[] {
  const byKey = new Map<string, Cause>();
  for (const cause of causes) {
    const known = byKey.get(cause.key);
    // Two questions may lead to the same objects.
    const objects = new Set([...(known?.objects ?? []), ...cause.objects]);
    byKey.set(cause.key, { ...(known ?? cause), objects });
  }
  const rank = { bad: 0, warn: 1, info: 2 } as const;
  const place = ({ goesFirst }: Cause) => (goesFirst === true ? 0 : 1);
  return [...byKey.values()].sort((a, b) => rank[a.tone] - rank[b.tone] || place(a) - place(b));
}

/** The sentences of a text; what is quoted stays whole. */
function sentencesOf(text: string): string[] {
  const count = (part: string, sign: string) => part.split(sign).length;
  return text.split(/(?<=[.!?]) (?=[A-Z“])/).reduce<string[]>((whole, part) => {
    const last = whole.at(-1);
    if (last === undefined || count(last, '“') <= count(last, '”')) return [...whole, part];
    return [...whole.slice(0, -1), `${last} ${part}`];
  }, []);
}

/** The sentences of a text that name the cause, as many as are short enough, and the rest. */
export function splitText(said: string): Pick<Cause, 'sentence' | 'detail'> {
  const text = said.trim().replace(/\s*\n\s*/g, ' ');
  if (text.length <= sentenceLimit) return { sentence: text };
  const parts = sentencesOf(text);
  let sentence = '';
  while (parts.length > 0) {
    const longer = [sentence, parts[0] ?? ''].filter((part) => part !== '').join(' ');
    if (longer.length > sentenceLimit) break;
    sentence = longer;
    parts.shift();
  }
  return sentence === ''
    ? { sentence: shortened(text, sentenceLimit), detail: text }
    : { sentence, detail: parts.join(' ') };
}

function foundBy(
  { id, tone, goesFirst }: Pick<Rule, 'id' | 'tone' | 'goesFirst'>,
  { object: at, sentence, evidence, actions = [], opens = [], edits = [], wanted = [] }: Clue,
  object: KubeObject,
  path: readonly NamedObject[],
): Cause {
  const named = at ?? nameOf(object);
  // The pods of one controller fail alike; what lies elsewhere is one for all who lead there.
  const group = at === undefined ? (controllerOf(object)?.uid ?? refKey(named)) : refKey(named);
  return {
    key: `${id} ${group}`,
    rule: id,
    tone,
    ...(goesFirst === undefined ? {} : { goesFirst }),
    object: named,
    ...splitText(sentence),
    evidence,
    path: at === undefined || refKey(at) === refKey(nameOf(object)) ? path : [...path, at],
    actions,
    opens,
    edits,
    wanted,
    objects: new Set([refKey(named)]),
  };
}

/** Sentence that an object of a kind without rules has for itself, with its name. */
const saidBy = (object: KubeObject, detail: string): string =>
  `${object.kind ?? ''} ${object.metadata?.name ?? ''}: ${detail}`;

/** Whether an operator writes the status of an object, and so says itself what is wrong. */
const isOfOperator = ({ apiVersion = 'v1' }: KubeObject): boolean => {
  const group = groupOf(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io');
};

/** Levels of an object that are searched for a text. */
const searchDepth = 6;

/** The paths of an object's fields that have this very text. */
function pathsOf(value: unknown, text: string, path = ''): readonly string[] {
  if (value === text) return [path];
  if (typeof value !== 'object' || value === null || path.split(/[.[]/).length > searchDepth) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    // A path is read by its dots.
    /[.[\]]/.test(key)
      ? []
      : pathsOf(inner, text, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
}

/** The newest warning about an object, where its condition says only that something failed, and the warning says what. */
function fullerWarning(object: KubeObject, detail: string | undefined, world: World) {
  if (detail !== undefined && !isVague(detail)) return undefined;
  return tellingWarning(object, world);
}

/**
 * The title of a problem with what the cluster itself says of it: a title alone names no cause.
 * @param words the cluster's own
 */
function titleWith(title: string, words: string | undefined, isEvent: boolean): string {
  const said = words?.trim().replace(/\. (?:no new claims|preemption:|still not schedulable).*$/s, '');
  if (said === undefined || isVague(said) || title.includes(said)) return title;
  const stem = title.replace(/\.$/, '');
  const link = isEvent ? '. The newest warning: ' : ': ';
  const room = sentenceLimit - stem.length - link.length - 1;
  if (room < leastWords) return title;
  return `${stem}${link}${shortened(said.replace(/\s*\n\s*/g, ' ').replace(/\.$/, ''), room)}.`;
}

/** Characters of the cluster's words that still say something. */
const leastWords = 50;

/** The object that a kind's own rule names as its remedy: to be created, or edited. */
function objectsOfRemedy(
  remedy: ObjectRemedy,
  namespace: string | undefined,
): Pick<Clue, 'wanted' | 'edits'> {
  const wanted = wantedByName(remedy, namespace);
  if (remedy.verb === 'create') return wanted === undefined ? {} : { wanted: [wanted] };
  const { kind, name } = remedy;
  return { edits: [{ apiVersion: 'v1', kind, ...(namespace === undefined ? {} : { namespace }), name }] };
}

/** What the rules of the kind itself say, where nothing explains it better. */
function byAttention(object: KubeObject, world: World, path: readonly NamedObject[]): readonly Cause[] {
  const kind = world.kindOf(nameOf(object));
  if (kind?.attention === undefined) return [];
  const asks = kind.around ?? [];
  const events = asks.includes('warnings') ? warningsOf(world, object) : [];
  const around: Around = {
    missing: asks.includes('targets')
      ? (kind.refs?.(object) ?? []).filter(
          (one) => one.relation === 'targets' && one.absence === undefined && world.one(one) === null,
        )
      : [],
    warnings: events.map(({ reason = '', message = '' }) => ({ reason, message })),
  };
  const attention = kind.attention(object, asks.length === 0 ? undefined : around);
  if (attention === undefined || !isDue(attention, world.now)) return [];
  const { rule, tone, title, action, fields } = attention;
  const remedy = remedyOf(attention);
  const { namespace } = object.metadata ?? {};
  const more = fullerWarning(object, attention.detail, world);
  const detail = more?.message ?? attention.detail;
  const told = more ?? events.find(({ message }) => message !== undefined && message === detail);
  const [saying] = kind.source === undefined && detail !== undefined ? pathsOf(object, detail) : [];
  const proof: Proof =
    told !== undefined ? event(object, told) : saying === undefined ? present(object) : field(object, saying);
  // The words of the kind's own rule are part of no object.
  const words = told !== undefined || saying !== undefined ? detail : undefined;
  const cited = fields?.map((path) => field(object, path)) ?? [];
  const clue: Clue = {
    sentence: isOfOperator(object)
      ? saidBy(object, detail ?? title)
      : titleWith(title, words, more !== undefined),
    evidence: cited.length > 0 && words === undefined ? cited : [proof, ...cited],
    ...(action === undefined ? {} : { actions: [{ id: action, on: nameOf(object) }] }),
    ...(remedy === undefined ? {} : objectsOfRemedy(remedy, namespace)),
  };
  return [foundBy({ id: rule, tone }, clue, object, path)];
}
