import type { KubeObject } from '../../kube/object.ts';
import { controllerOf } from '../../kube/owners.ts';
import type { Around } from '../../registry/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../registry/refs.ts';
import { isDue } from '../live/attention-lines.ts';
import {
  type Clue,
  event,
  field,
  type Proof,
  type Remedy,
  type Rule,
  type Trail,
  type WantedObject,
} from './rule.ts';
import { nameOf, warningsOf, type World } from './world.ts';

/** Objects between the one asked about and a cause: a scaler, its deployment, a ReplicaSet, a pod, a claim, a class … */
const maxDepth = 8;
/** Objects that are looked at for one question. */
const maxObjects = 400;

/** What a rule found, with the way to it. */
export interface Cause {
  readonly rule: string;
  readonly tone: 'warn' | 'bad';
  /** It goes before all others of its tone. */
  readonly goesFirst?: true;
  readonly object: NamedObject;
  readonly sentence: string;
  readonly evidence: readonly Proof[];
  /** From the object that was asked about to the one at fault, both included. */
  readonly path: readonly NamedObject[];
  readonly actions: readonly Remedy[];
  /** Objects to look at next that the evidence does not cite. */
  readonly opens: readonly NamedObject[];
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
    const clues = rules
      .filter((one) => one.kind === kind && (one.sort !== 'advice' || way.length === 0))
      .flatMap((one) => {
        const clue = one.find(object, world);
        return clue === undefined ? [] : [{ one, found: foundBy(one, clue, object, path) }];
      });
    const deeper = trails
      .filter((one) => one.kind === kind)
      .flatMap((one) => one.next(object, world))
      .flatMap((next) => visit(next, path));
    const own = (sort: Rule['sort']) =>
      clues.filter(({ one }) => one.sort === sort).map(({ found }) => found);
    const causes = [...own('cause'), ...deeper];
    const told = causes.length > 0 ? causes : own('symptom');
    const rest = told.length > 0 ? told : byAttention(object, world, path);
    return [...rest, ...own('advice')];
  }

  return merged(visit(root, []));
}

/** What the rules that need nothing besides it say of one object, without looking further. */
export function judge(object: KubeObject, world: World, rules: readonly Rule[]): readonly Cause[] {
  const kind = ruleKind(object);
  return rules
    .filter((one) => one.kind === kind && one.sort !== 'advice')
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
  const rank = { bad: 0, warn: 1 } as const;
  const place = ({ goesFirst }: Cause) => (goesFirst === true ? 0 : 1);
  return [...byKey.values()].sort((a, b) => rank[a.tone] - rank[b.tone] || place(a) - place(b));
}

function foundBy(
  { id, tone, goesFirst }: Pick<Rule, 'id' | 'tone' | 'goesFirst'>,
  { object: at, sentence, evidence, actions = [], opens = [], wanted = [] }: Clue,
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
    sentence,
    evidence,
    path: at === undefined || refKey(at) === refKey(nameOf(object)) ? path : [...path, at],
    actions,
    opens,
    wanted,
    objects: new Set([refKey(named)]),
  };
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
  const { rule, tone, title, detail, action, fields } = attention;
  const told = events.find(({ message }) => message !== undefined && message === detail);
  const proof: Proof =
    told === undefined
      ? { type: 'field', of: nameOf(object), path: 'status', value: detail ?? title }
      : event(object, told);
  const clue: Clue = {
    sentence: title,
    evidence: fields?.map((path) => field(object, path)) ?? [proof],
    ...(action === undefined ? {} : { actions: [{ id: action, on: nameOf(object) }] }),
  };
  return [foundBy({ id: rule, tone }, clue, object, path)];
}
