import type { Polarity } from './polarity.ts';
import type { Saying } from './words.ts';

/** Path of a field in an object: `status.health.status`. */
export type FieldPath = string;

/** A field whose word tells an object's health: a phase, a state, a flag. */
export interface WordRule {
  readonly at: FieldPath;
  /** Meanings of its words, in lower case, a flag's as `true` and `false`; other words have their general meaning. */
  readonly tones?: Readonly<Record<string, Saying>>;
  /** If its word is known it alone decides, and conditions do not count. */
  readonly decides?: true;
  /** Counts only while another field has none of these values. */
  readonly unless?: { readonly at: FieldPath; readonly is: readonly string[] };
  /** Path of its explanation. */
  readonly message?: FieldPath;
}

/** A list in the status whose members have conditions of their own: listeners, parents, bindings. */
export interface PartsRule {
  /** Its field below `status`. */
  readonly at: string;
  /** The noun for a member in messages. */
  readonly called: string;
  /** Path of a member's name. */
  readonly name: FieldPath;
}

/** Counts that are equal for a healthy object. */
export interface CountRule {
  readonly wanted: FieldPath;
  readonly ready: FieldPath;
  /** Count of the newest revision: while it is below the desired count, the object is being updated. */
  readonly current?: FieldPath;
}

/** Fields with the requests of an object and the answers of its controllers, each a list: parents, ingresses. */
export interface AnswerRule {
  /** Nothing is expected while this list is there and empty. */
  readonly asked?: FieldPath;
  readonly answered: FieldPath;
  readonly label: string;
  /** The explanation of a missing answer. */
  readonly message: string;
}

/**
 * How a kind expresses the health of its objects, where it differs from the general rule. Plain data: each field adds
 * to the general rule or replaces it.
 */
export interface StatusRule {
  /** Paths of its conditions. */
  readonly conditions?: readonly FieldPath[];
  /** Polarity of its own condition types. */
  readonly polarity?: Readonly<Record<string, Polarity>>;
  /** Ignores conditions that `polarity` does not list. */
  readonly isClosed?: true;
  /** Tones of reasons, which count unless the condition is healthy. */
  readonly reasons?: Readonly<Record<string, Saying>>;
  /** Meanings of words in every field without `tones` of its own, in lower case. */
  readonly tones?: Readonly<Record<string, Saying>>;
  readonly words?: readonly WordRule[];
  readonly parts?: readonly PartsRule[];
  readonly counts?: CountRule;
  readonly answers?: AnswerRule;
  /** Final values of its summary: without a summary it is in progress. */
  readonly awaits?: string;
  /**
   * Fields that are true, or have the given value, while somebody paused the object or has not set it up: it is idle,
   * whatever else it says. Its label is the value if no other is given.
   */
  readonly stopped?: readonly (FieldPath | readonly [at: FieldPath, is: string, label?: string])[];
  /** Annotations that are `true`, or have the given value, while somebody paused the object. */
  readonly stoppedBy?: readonly (string | readonly [name: string, is: string])[];
}

/** Kinds of a well-known project that express health in the same way. */
export interface Family {
  /** API groups; `*.` at the beginning stands for every group below that name. */
  readonly groups: readonly string[];
  /** Restricts the family to these kinds; the first family that matches a kind wins. */
  readonly kinds?: readonly string[];
  readonly rule: StatusRule;
}

/** The conventions that all kinds share. */
export const generalRule: Required<Pick<StatusRule, 'conditions' | 'words' | 'parts'>> = {
  conditions: ['status.conditions'],
  words: [
    { at: 'status.phase' },
    { at: 'status.state' },
    { at: 'status.health.status' },
    { at: 'status.health' },
    { at: 'status.sync.status' },
    { at: 'status.status' },
    { at: 'status.ready' },
    // A snapshot takes the time that it takes; its failure is an error.
    { at: 'status.readyToUse', tones: { false: 'info' } },
    { at: 'status.valid' },
    { at: 'status.compliant' },
  ],
  parts: [
    { at: 'parents', called: 'Parent', name: 'parentRef.name' },
    { at: 'ancestors', called: 'Ancestor', name: 'ancestorRef.name' },
    { at: 'listeners', called: 'Listener', name: 'name' },
    { at: 'ingress', called: 'Ingress', name: 'host' },
  ],
};
