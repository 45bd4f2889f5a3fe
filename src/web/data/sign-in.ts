import { createPort } from '../core/port.ts';
import type { Cell } from '../core/state/state.ts';
import type { Lapse } from './lapse.ts';

/** How the person came to be signed in or out. */
export interface SignInPort {
  /** Why this page shows sign-in, where a call was answered 401; undefined once the person goes on. */
  readonly lapse: Cell<Lapse | undefined>;
  /** Whether the person is being signed out. */
  readonly leaving: Cell<boolean>;
  /** Whether the server did not confirm the last logout: the session may live on. */
  readonly unconfirmed: Cell<boolean>;
  /** Asks the server once more to end the session of this browser. Rejects with a Problem. */
  readonly endSession: () => Promise<void>;
  /** Forgets everything of the person who worked in this page: what was asked for them, their tabs, text and place. */
  readonly forgetPerson: () => void;
}

export const signInPort = createPort<SignInPort>('state of sign-in');

/** How the person came to be signed in or out. */
export const useSignIn = signInPort.use;
