import type { Permission } from '../../contract/permissions.ts';
import type { KubeChange, ObjectAddress } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { IconName } from '../icon-name.ts';

/** Primitive facts of an object by name, which rules, `enabled` and palette entries use. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * Data that the server joins to objects. A closed list, since each join is code of the server.
 * - `metrics`: usage of a pod or node
 * - `podsOfNode`: number of a node's pods
 * - `scaledBy`: the autoscaler that controls the replica count
 */
export type JoinName = 'metrics' | 'podsOfNode' | 'scaledBy';

/** Facts besides the object by which its actions are judged. */
export interface Joined {
  /** Number of kept revisions besides the current one; absent where that is not known. */
  readonly revisions?: number;
}

/** One argument of an action. Forms, palette steps and the server's validation derive from it. */
export type ArgDefinition =
  | {
      readonly type: 'number';
      readonly label: string;
      readonly min: number;
      readonly max: number;
      /** Name of the fact that prefills the field. */
      readonly from?: string;
      /** Initial value if there is no fact. */
      readonly initial?: number;
    }
  | {
      readonly type: 'text';
      readonly label: string;
      readonly pattern?: string;
      readonly help?: string;
      /** Name of the fact that prefills the field. */
      readonly from?: string;
      /**
       * Name of the `member` argument that this one belongs to. `from` is then a list in the order of that argument's
       * fact, and the field follows the chosen member.
       */
      readonly along?: string;
    }
  /** One item of a list fact of the object, such as its containers; the first by default. */
  | { readonly type: 'member'; readonly label: string; readonly of: string }
  | {
      readonly type: 'choice';
      readonly label: string;
      readonly options: readonly { readonly value: string; readonly label: string; readonly help?: string }[];
      readonly default: string;
      /** Concerns owned objects: only forms ask for it, and only for kinds whose objects may own others. */
      readonly ofOwners?: true;
    }
  /** A revision of the object. The server supplies the choices, each with what it would change. */
  | { readonly type: 'revision'; readonly label: string }
  /** Labels or annotations by key; null removes the key. */
  | { readonly type: 'map'; readonly label: string; readonly of: 'labels' | 'annotations' };

export type ArgDefinitions = Readonly<Record<string, ArgDefinition>>;

/** The arguments of an action without arguments. */
type NoArgs = Readonly<Record<string, never>>;

type ArgValue<D extends ArgDefinition> = D extends { type: 'number' | 'revision' }
  ? number
  : D extends { type: 'map' }
    ? Readonly<Record<string, string | null>>
    : string;

/** The values of an action's arguments. */
export type ArgsOf<A extends ArgDefinitions> = { readonly [K in keyof A]: ArgValue<A[K]> };

/** What an action is evaluated by; never the whole object. */
export interface ActionTarget {
  readonly facts: Facts;
  readonly joined: Joined;
}

/** What `requests` may use besides object and arguments. */
export interface ActionContext {
  /** The server's time, ISO 8601. */
  readonly now: string;
  readonly address: ObjectAddress;
}

/**
 * Procedures of the server, for actions that need more than a fixed list of requests. A closed list: a new one is a
 * function of the server and its name here.
 */
export type ProcedureName = 'rollback' | 'evict' | 'default-class';

/** Long-running procedures: a job of the server runs them step by step. A closed list, as above. */
export type JobName = 'drain' | 'releaseRollback' | 'releaseUninstall';

interface Common<A extends ArgDefinitions> {
  /** Stable id such as `deployment.restart`; audit, API tokens, keymap and recents use it. */
  readonly id: string;
  readonly title: string;
  /** The heading of the dialog, if title and name do not combine well: `Set image of Deployment api`. */
  readonly heading?: (subject: string) => string;
  /** What the action does to the object, in one line, present tense. */
  readonly description: string;
  /** Past participle for the result: `restarted`. */
  readonly done: string;
  readonly icon: IconName;
  /** Further search words for people who do not know the title. */
  readonly keywords?: readonly string[];
  /** Id of the milder action that people mean by the same words; the palette lists that one first. */
  readonly harsherThan?: string;
  readonly keys?: string;
  /** Defaults to the kind's manage permission; all of a list are needed. */
  readonly needs?: readonly Permission[];
  /** Destroys something: needs confirmation with cluster, namespace and name. */
  readonly dangerous?: true;
  /** Argument values with which the action destroys something, e.g. `{ replicas: 0 }`. */
  readonly dangerousWith?: Readonly<Record<string, string | number>>;
  /**
   * Whether pods that run may end by it: at once, or as a rollout replaces them. On a protected cluster the cluster's
   * name is then asked for. A function where that depends on the arguments and on what the object is now; the facts are
   * empty where they are not known, as for several objects on the page, and the answer is then the cautious one.
   */
  readonly endsPods: boolean | ((args: ArgsOf<A>, facts: Facts) => boolean);
  /** Deletes the object itself. */
  readonly deletes?: true;
  /** Takes a passkey at that moment on a cluster that asks for it. */
  readonly isGrave?: true;
  readonly args?: A;
  /** Takes one object at a time. */
  readonly single?: true;
  /** Shown in the detail page's header beside the menu. */
  readonly prominent?: true;
  /** `enabled` reads the number of revisions that the cluster keeps of the object. */
  readonly countsRevisions?: true;
  /** Whether the action exists for an object (uncordon only for a cordoned node). */
  readonly applies?: (target: ActionTarget) => boolean;
  /** Whether the action can run now; otherwise the reason as a whole sentence. */
  readonly enabled?: (target: ActionTarget) => true | string;
  /** Creates another object and leaves this one unchanged. */
  readonly creates?: true;
  /**
   * The equivalent kubectl command; arguments are already validated. Undefined if kubectl has none.
   * @param facts of the object; empty where they are not known
   */
  readonly kubectl: (address: ObjectAddress, args: ArgsOf<A>, facts?: Facts) => string | undefined;
}

/** An action on objects of one kind, run by the server. */
export type KindActionDefinition<T extends KubeObject, A extends ArgDefinitions> = Common<A> &
  (
    | { readonly requests: (object: T, args: ArgsOf<A>, context: ActionContext) => readonly KubeChange[] }
    | { readonly procedure: ProcedureName }
    | { readonly job: JobName }
  );

/** A kind's action with its argument types erased. */
export type KindAction = KindActionDefinition<KubeObject, ArgDefinitions>;

/** Whether an action destroys something with these arguments. */
export function isDangerous(
  { dangerous, dangerousWith }: Pick<KindAction, 'dangerous' | 'dangerousWith'>,
  args: Readonly<Record<string, unknown>>,
): boolean {
  if (dangerous === true) return true;
  const grounds = Object.entries(dangerousWith ?? {});
  return grounds.length > 0 && grounds.every(([name, value]) => args[name] === value);
}

/** Whether pods may end by an action with these arguments, on an object with these facts; they are empty if unknown. */
export function endsPods(
  action: Pick<KindAction, 'endsPods'>,
  args: Readonly<Record<string, unknown>>,
  facts: Facts = {},
): boolean {
  return typeof action.endsPods === 'boolean' ? action.endsPods : action.endsPods(args as never, facts);
}

/** Whether a count is less than what a fact says it is now; true as well where that is not known. */
export const lowers = (count: number, now: Facts[string] | undefined): boolean =>
  typeof now !== 'number' || count < now;

/** Declares an action on objects with its argument types; contains the cast that erases them. */
export function kindAction<T extends KubeObject, const A extends ArgDefinitions = NoArgs>(
  definition: KindActionDefinition<T, A>,
): KindAction {
  return definition as unknown as KindAction;
}

/** Whether objects of a kind may own others; assumed for kinds without a file. */
export const mayOwn = ({
  id,
  owns = [],
}: {
  readonly id: string;
  readonly owns?: readonly string[];
}): boolean => owns.length > 0 || /[~:]/.test(id);

/** The arguments to ask for on objects of a kind, without choices that the kind lacks. */
export function argsFor(
  args: ArgDefinitions = {},
  kind: { readonly id: string; readonly owns?: readonly string[] },
): ArgDefinitions {
  if (mayOwn(kind)) return args;
  return Object.fromEntries(
    Object.entries(args).filter(([, one]) => one.type !== 'choice' || one.ofOwners !== true),
  );
}

/** The arguments that have no usable default and must be given. */
export const neededArgs = <A extends { readonly type: string }>(
  args: Readonly<Record<string, A>> = {},
): readonly (readonly [name: string, arg: A])[] =>
  Object.entries(args).filter(([, one]) => !('ofOwners' in one));
