import type { Tone } from '../../../src/registry/tone.ts';

/** An object of a well-known kind with its expected health. */
export interface Case {
  /** The description of its state. */
  readonly is: string;
  readonly status?: unknown;
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  /** It was just created; otherwise the health is that after every deadline. */
  readonly isNew?: true;
  readonly tone: Tone;
  readonly label: string;
  readonly message?: string;
}

/** A condition in a list: type, status, reason, message. */
export const on = (type: string, status?: string, reason?: string, message?: string, more: object = {}) => ({
  type,
  ...(status === undefined ? {} : { status }),
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
  ...more,
});
/** A status of these conditions alone. */
export const having = (...conditions: readonly object[]) => ({ conditions });
/** The generation that a controller has seen, as a status has it. */
export const observed = (observedGeneration: number) => ({ observedGeneration });

/** Cases by group and kind, with a space between them. */
export type CasesOfKinds = Readonly<Record<string, readonly Case[]>>;
