import type { Permission } from '../contract/permissions.ts';
import type { KubeChange, ObjectAddress } from '../kube/change.ts';
import type { KubeObject } from '../kube/object.ts';
import type { IconName } from './icon-name.ts';

/** Plain facts of an object, by name: what rules, `enabled` and palette hits need. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * What is joined to objects by name. Closed: each is a part of the server.
 * - `metrics`: usage of a pod or node
 * - `podsOfNode`: count of a node's pods
 * - `scaledBy`: the autoscaler that owns the replica count
 */
export type JoinName = 'metrics' | 'podsOfNode' | 'scaledBy';

/** What the server joins to an object before its actions are judged, by name of the join. */
export interface Joined {
  /** The autoscaler that owns the replica count. */
  readonly scaledBy?: {
    readonly kind: string;
    readonly name: string;
    readonly min: number;
    readonly max: number;
  };
}

/** One argument of an action; the forms, palette steps and the server's validation derive from it. */
export type ArgDefinition =
  | {
      readonly type: 'number';
      readonly label: string;
      readonly min: number;
      readonly max: number;
      /** Name of the fact that fills the field at first. */
      readonly from?: string;
      /** What stands there at first without one. */
      readonly initial?: number;
    }
  | {
      readonly type: 'text';
      readonly label: string;
      readonly pattern?: string;
      readonly help?: string;
      /** Name of the fact that fills the field at first. */
      readonly from?: string;
      /**
       * Name of the argument, a member of a fact, that this one belongs to: `from` is then a list in the order of that
       * fact, and the field follows the member.
       */
      readonly along?: string;
    }
  /** One of the texts of a fact of the object, e.g. its containers; the first of them at first. */
  | { readonly type: 'member'; readonly label: string; readonly of: string }
  | {
      readonly type: 'choice';
      readonly label: string;
      readonly options: readonly { readonly value: string; readonly label: string; readonly help?: string }[];
      readonly default: string;
      /** About what an object owns: only the form asks, and only of kinds whose objects may own others. */
      readonly ofOwners?: true;
    }
  /** A revision of the object; the choices come from the server with what each would change. */
  | { readonly type: 'revision'; readonly label: string }
  /** Labels or annotations: key to value, null removes the key. */
  | { readonly type: 'map'; readonly label: string; readonly of: 'labels' | 'annotations' };

export type ArgDefinitions = Readonly<Record<string, ArgDefinition>>;

/** The arguments of an action that has none. */
type NoArgs = Readonly<Record<string, never>>;

type ArgValue<D extends ArgDefinition> = D extends { type: 'number' | 'revision' }
  ? number
  : D extends { type: 'map' }
    ? Readonly<Record<string, string | null>>
    : string;

/** The values of an action's arguments. */
export type ArgsOf<A extends ArgDefinitions> = { readonly [K in keyof A]: ArgValue<A[K]> };

/** What an action is judged by: never the whole object. */
export interface ActionTarget {
  readonly facts: Facts;
  readonly joined: Joined;
}

/** What `requests` may know beside object and arguments. */
export interface ActionContext {
  /** The server's time, ISO. */
  readonly now: string;
  readonly address: ObjectAddress;
}

/**
 * Procedures of the server for what is more than a fixed list of requests.
 * Closed: a new one is a function of the server and its name here.
 */
export type ProcedureName = 'rollback' | 'evict' | 'default-class';

/** Procedures that take long: a job of the server does them step by step. Closed, as above. */
export type JobName = 'drain' | 'releaseRollback' | 'releaseUninstall';

interface Common<A extends ArgDefinitions> {
  /** `deployment.restart`: stable; what audit, API tokens, keymap and recents use. */
  readonly id: string;
  readonly title: string;
  /** The act on its objects in words, where title and name do not read together: `Set image of Deployment api`. */
  readonly heading?: (subject: string) => string;
  /** What it does to the object, present tense, one line. */
  readonly description: string;
  /** What was done to the object, a past participle: `restarted`. */
  readonly done: string;
  readonly icon: IconName;
  /** Other plain words for it: what people type who do not know its title. */
  readonly keywords?: readonly string[];
  /** Id of the milder action that people mean by the same plain words: it is always offered before this one. */
  readonly harsherThan?: string;
  readonly keys?: string;
  /** The kind's manage permission without it; a list means all. */
  readonly needs?: readonly Permission[];
  /** Destroys something: confirmed with cluster, namespace and name. */
  readonly dangerous?: true;
  /** Arguments with which it destroys something although with others it does not, e.g. `{ replicas: 0 }`. */
  readonly dangerousWith?: Readonly<Record<string, string | number>>;
  readonly args?: A;
  /** Only one object at a time. */
  readonly single?: true;
  /** Shown in the detail's header beside the menu. */
  readonly prominent?: true;
  /** Joins that `enabled` looks at. */
  readonly joins?: readonly JoinName[];
  /** Whether it exists for an object at all (uncordon only for a cordoned node). */
  readonly applies?: (target: ActionTarget) => boolean;
  /** Whether it can be done now; else the reason, a whole sentence. */
  readonly enabled?: (target: ActionTarget) => true | string;
  /** Leaves the object as it is and makes another one. */
  readonly creates?: true;
  /** The same as typed to kubectl; args are validated already. Undefined for what no line of kubectl does. */
  readonly kubectl: (address: ObjectAddress, args: ArgsOf<A>) => string | undefined;
}

/** An action on objects of one kind, run by the server. */
export type KindActionDefinition<T extends KubeObject, A extends ArgDefinitions> = Common<A> &
  (
    | { readonly requests: (object: T, args: ArgsOf<A>, context: ActionContext) => readonly KubeChange[] }
    | { readonly procedure: ProcedureName }
    | { readonly job: JobName }
  );

/** A kind's action as the machinery handles it, argument types erased. */
export type KindAction = KindActionDefinition<KubeObject, ArgDefinitions>;

/** Whether an action destroys something when it is done with these arguments. */
export function isDangerous(
  { dangerous, dangerousWith }: Pick<KindAction, 'dangerous' | 'dangerousWith'>,
  args: Readonly<Record<string, unknown>>,
): boolean {
  if (dangerous === true) return true;
  const grounds = Object.entries(dangerousWith ?? {});
  return grounds.length > 0 && grounds.every(([name, value]) => args[name] === value);
}

/** Declares an action on objects with its argument types; holds the cast that erases them. */
export function kindAction<T extends KubeObject, const A extends ArgDefinitions = NoArgs>(
  definition: KindActionDefinition<T, A>,
): KindAction {
  return definition as unknown as KindAction;
}

/** Whether objects of a kind may own others; of a kind without a file that is not known, so they may. */
export const mayOwn = ({
  id,
  owns = [],
}: {
  readonly id: string;
  readonly owns?: readonly string[];
}): boolean => owns.length > 0 || /[~:]/.test(id);

/** The arguments that are asked for objects of a kind: without a choice that the kind does not have. */
export function argsFor(
  args: ArgDefinitions = {},
  kind: { readonly id: string; readonly owns?: readonly string[] },
): ArgDefinitions {
  if (mayOwn(kind)) return args;
  return Object.fromEntries(
    Object.entries(args).filter(([, one]) => one.type !== 'choice' || one.ofOwners !== true),
  );
}

/** The arguments that nothing is done without: those with more than a default to go by. */
export const neededArgs = <A extends { readonly type: string }>(
  args: Readonly<Record<string, A>> = {},
): readonly (readonly [name: string, arg: A])[] =>
  Object.entries(args).filter(([, one]) => !('ofOwners' in one));
