import { epochSeconds } from '../../kube/age.ts';
import type { KubeEvent } from '../../kube/infrastructure.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { NamedObject } from '../../registry/kinds/refs.ts';
import type { WantedObject } from '../objects/wanted.ts';
import { type LogLine, type LogPlace, nameOf, seenAt, type World } from './world.ts';

/** How bad it is: a note, a warning, a breakdown. */
export type Tone = 'info' | 'warn' | 'bad';

/** What a finding stands on, before its objects are named as the API names them; see `Evidence`. */
export type Proof =
  | { readonly type: 'field'; readonly of: NamedObject; readonly path: string; readonly value: string | null }
  | {
      readonly type: 'event';
      readonly of: NamedObject;
      readonly reason: string;
      readonly message: string;
      readonly at: number | null;
      readonly count: number;
    }
  | {
      readonly type: 'log';
      readonly of: NamedObject;
      readonly container: string;
      readonly previous: boolean;
      readonly at: number | null;
      readonly line?: string;
    }
  | { readonly type: 'object'; readonly of: NamedObject; readonly exists: boolean };

/** What a rule says of an object. */
export interface Clue {
  /** The object at fault, where it is another than the one looked at. */
  readonly object?: NamedObject;
  /** The cause, as a whole sentence. */
  readonly sentence: string;
  /** What proves it: each object that the sentence names, and at least one. */
  readonly evidence: readonly Proof[];
  /** Ids of actions that help, with the object that they are done on. */
  readonly actions?: readonly Remedy[];
  /** Objects to look at next that the evidence does not cite: offered to whoever may view them. */
  readonly opens?: readonly NamedObject[];
  /** Objects whose change helps: to be edited by whoever may, else opened. */
  readonly edits?: readonly NamedObject[];
  /** Objects whose absence is the cause, where creating them as they are described here helps. */
  readonly wanted?: readonly WantedObject[];
}

/** An action that helps. */
export interface Remedy {
  readonly id: string;
  readonly on: NamedObject;
}

/** One rule about the objects of one kind. */
export interface Rule<T extends KubeObject = KubeObject> {
  /** Stable id, the kind first: `service.no-pods`. */
  readonly id: string;
  /** The Kubernetes kind with its group: `Deployment.apps`, `Pod`; `*` for objects of every kind. */
  readonly kind: string;
  /** `info` for a note: nothing is broken now. */
  readonly tone: Tone;
  /**
   * - `cause`: told wherever it is found
   * - `called`: a cause only for what leads here and needs it, such as a service that somebody scaled to nothing
   * - `symptom`: told where nothing else explains it
   * - `advice`: nothing is broken; told only to who asks about this very object
   * - `last`: only for the object of the question, and only where nothing else is found
   */
  readonly sort: 'cause' | 'called' | 'symptom' | 'advice' | 'last';
  /** Whether it goes before all other causes of its tone: it explains them. */
  readonly goesFirst?: true;
  /** Whether all objects of the kind are looked at when somebody asks about a cluster: no status tells of it. */
  readonly isSwept?: true;
  /** What it says of an object; undefined for one without this trouble, and while it cannot know. */
  readonly find: (object: T, world: World) => Clue | undefined;
}

/** Which objects to look at next for the cause of an object's trouble. */
export interface Trail<T extends KubeObject = KubeObject> {
  readonly kind: string;
  readonly next: (object: T, world: World) => readonly KubeObject[];
}

/** Declares a rule. A rule reads only objects of its own kind, which justifies this one cast. */
export const rule = <T extends KubeObject>(declared: Rule<T>): Rule => declared as unknown as Rule;

/** Declares a trail. */
export const trail = <T extends KubeObject>(declared: Trail<T>): Trail => declared as unknown as Trail;

/** The value of a path such as `spec.containers[0].image`; undefined if there is none. */
function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** A field of an object as evidence. */
export function field(object: KubeObject, path: string): Proof {
  const value = valueAt(object, path);
  const shown =
    value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
  return { type: 'field', of: nameOf(object), path, value: shown };
}

/** A condition of an object as evidence: its message, or its status where it has none. */
export function condition(
  object: KubeObject & {
    status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[] };
  },
  type: string,
): Proof {
  const found = object.status?.conditions?.find((one) => one.type === type);
  const parts = [found?.reason, found?.message].filter((part) => part !== undefined && part !== '');
  return {
    type: 'field',
    of: nameOf(object),
    path: `status.conditions[${type}]`,
    value: found === undefined ? null : `${found.status}: ${parts.join(': ')}`.replace(/: $/, ''),
  };
}

/** An event about an object, there or not, as evidence. */
export function eventProof(of: NamedObject, about: KubeEvent): Proof {
  const { reason = '', message = '', count, series } = about;
  return { type: 'event', of, reason, message, at: seenAt(about), count: series?.count ?? count ?? 1 };
}

/** An event about an object that was read as evidence. */
export const event = (object: KubeObject, about: KubeEvent): Proof => eventProof(nameOf(object), about);

/** The last lines of a container as evidence. */
export const lastLines = (
  pod: KubeObject,
  container: string,
  previous: boolean,
  at: string | undefined,
): Proof => ({ type: 'log', of: nameOf(pod), container, previous, at: epochSeconds(at) });

/** A line that a container wrote as evidence. */
export const logLine = (
  pod: KubeObject,
  { container, previous, at, text: line }: Omit<LogPlace, 'pod'> & LogLine,
): Proof => ({ type: 'log', of: nameOf(pod), container, previous, at, line });

/** That an object exists. */
export const present = (object: KubeObject): Proof => ({
  type: 'object',
  of: nameOf(object),
  exists: true,
});

/** That an object does not exist. */
export const absent = (of: NamedObject): Proof => ({ type: 'object', of, exists: false });
