import type { Problem } from '../../contract/problem.ts';
import { cell } from '../core/state/state.ts';

/** A call that waits until its caller has confirmed their identity. */
interface AskedIdentity {
  /** The refusal, with the ways to confirm it. */
  readonly problem: Problem;
  readonly answer: (isConfirmed: boolean) => void;
}

/** Has the person confirm their identity for calls that need it, once for all that wait. */
export class IdentityCheck {
  readonly asked = cell<AskedIdentity | undefined>(undefined);
  #answer: Promise<boolean> | undefined;

  /** Whether the person confirmed their identity: false where they declined, or this page offers no way to. */
  readonly confirm = (problem: Problem): Promise<boolean> => {
    if (problem.proof === 'sign-in' && problem.signInAt === undefined) return Promise.resolve(false);
    // A passkey that was used counts for one act: acts ask one after the other.
    if (problem.code === 'passkey-needed' && this.#answer !== undefined)
      return this.#answer.then(() => this.confirm(problem));
    this.#answer ??= new Promise<boolean>((answer) => {
      this.asked.set({ problem, answer });
    }).finally(() => {
      this.asked.set(undefined);
      this.#answer = undefined;
    });
    return this.#answer;
  };

  /** The person is another one now, or none: what waits is sent no more. */
  readonly cancel = (): void => {
    this.asked.get()?.answer(false);
  };
}

/** The outcome at a provider. */
export interface IdentityMessage {
  /** The failure in the address that the provider led back to; null where the identity was confirmed. */
  readonly failure: string | null;
}

/** The channel on which a window that a provider led back to says an `IdentityMessage`. */
export const identityChannel = 'wheelhouse.identity';
