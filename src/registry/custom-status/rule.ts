import type { Tone } from '../tone.ts';
import type { Polarity } from './polarity.ts';

/** A place in an object: names of fields joined by dots, `status.health.status`. */
export type FieldPath = string;

/** A word of an object that says how it does: a phase, a state, a flag. */
export interface WordRule {
  readonly at: FieldPath;
  /** What its words mean, in lower case; those that are not named mean what they mean everywhere. */
  readonly tones?: Readonly<Record<string, Tone>>;
  /** It knows best: where its word is known, conditions are not asked. */
  readonly decides?: true;
  /** It counts only while another field has none of these values. */
  readonly unless?: { readonly at: FieldPath; readonly is: readonly string[] };
  /** Where its explanation stands. */
  readonly message?: FieldPath;
}

/** A list in the status whose members have conditions of their own: listeners, parents, bindings. */
export interface PartsRule {
  /** Its name below `status`. */
  readonly at: string;
  /** What one of them is called in a message. */
  readonly called: string;
  /** Where its name stands. */
  readonly name: FieldPath;
}

/** Counts that must be equal for an object to be well. */
export interface CountRule {
  readonly wanted: FieldPath;
  readonly ready: FieldPath;
  /** Those of the newest revision: while they are fewer than wanted, it is being replaced. */
  readonly current?: FieldPath;
}

/**
 * How a kind says how its objects do, where that differs from what every kind agrees on. All of it is data: one rule
 * adds to the general one or takes its place, field by field.
 */
export interface StatusRule {
  /** Where its conditions stand. */
  readonly conditions?: readonly FieldPath[];
  /** What its own conditions mean while they are `True`. */
  readonly polarity?: Readonly<Record<string, Polarity>>;
  /** Only the conditions of `polarity` count. */
  readonly isClosed?: true;
  /** What reasons of its conditions mean, unless the condition is well; `soft` is trouble unless something is under way. */
  readonly reasons?: Readonly<Record<string, Tone | 'soft'>>;
  readonly words?: readonly WordRule[];
  readonly parts?: readonly PartsRule[];
  readonly counts?: CountRule;
  /** Fields that are true, or have one of the values given, while somebody has stopped it: it is idle, whatever else it says. */
  readonly stopped?: readonly (FieldPath | readonly [at: FieldPath, is: string])[];
  /** Annotations that are `true` while somebody has stopped it. */
  readonly stoppedBy?: readonly string[];
}

/** What every kind agrees on. */
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
    { at: 'status.readyToUse' },
    { at: 'status.compliant' },
  ],
  parts: [
    { at: 'parents', called: 'Parent', name: 'parentRef.name' },
    { at: 'ancestors', called: 'Ancestor', name: 'ancestorRef.name' },
    { at: 'listeners', called: 'Listener', name: 'name' },
    { at: 'ingress', called: 'Ingress', name: 'host' },
  ],
};
