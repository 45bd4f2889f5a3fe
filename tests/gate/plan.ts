/** A part of the gate: a command, and what has to end before it begins. */
export interface Part {
  readonly name: 'types' | 'lint' | 'audit' | 'page' | 'unit' | 'e2e';
  readonly command: readonly string[];
  /** Parts that have ended before this one begins, whether they passed or not. */
  readonly after: readonly Part['name'][];
  /** Another condition, asked for until it holds. */
  readonly isDue?: () => boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** State of a part while the gate runs. */
export type PartState = 'waiting' | 'running' | 'ended';

/** The parts that may begin now. A part that is left out of a run is never waited for. */
export function partsDue(
  parts: readonly Part[],
  stateOf: (name: Part['name']) => PartState | undefined,
): readonly Part[] {
  return parts.filter(
    ({ name, after, isDue }) =>
      stateOf(name) === 'waiting' &&
      after.every((one) => (stateOf(one) ?? 'ended') === 'ended') &&
      (isDue?.() ?? true),
  );
}
