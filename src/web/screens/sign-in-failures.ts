import { type SignInFailure, signInFailures } from '../../contract/sign-in.ts';

/** What to say of a sign-in that came to nothing at a provider, and what to do. */
const sentences: Readonly<Record<SignInFailure, (provider: string) => string>> = {
  expired: () =>
    'This sign-in was not begun in this browser, took longer than 10 minutes, or was used already. Begin again.',
  'unknown-provider': () => 'There is no such provider here any more. Sign in another way.',
  down: (provider) => `${provider} does not answer. Try again in a few minutes, or sign in another way.`,
  nonsense: (provider) =>
    `${provider} answered with what this console cannot use. Ask who runs the console to check its settings; its log says more.`,
  refused: (provider) =>
    `${provider} did not sign you in: it was declined there. Begin again if you want to.`,
  'no-address': (provider) =>
    `${provider} gives this console no verified e-mail address of yours, which a new account needs. Verify it there and begin again. If you have an account, sign in to it and connect ${provider} in Settings.`,
  taken: (provider) =>
    `Another account here has your e-mail address. Sign in to it as you did before, and connect ${provider} in Settings.`,
  'not-member': (provider) =>
    `${provider} knows you, but its organisation does not know you by it. If you belong to it, sign in as you did before and connect ${provider} in Settings; otherwise ask an Owner to invite you.`,
  invited: (provider) =>
    `You are invited, and an account here has your address. Sign in to that account as you did before, accept the invitation, and connect ${provider} in Settings.`,
  'no-seat': () =>
    'You are invited, but the plan of the organisation has no seat left. Ask one of its Owners to add one, then begin again.',
  suspended: () => 'An Owner of the organisation has suspended you. Only they can let you in again.',
  'needs-setup': () =>
    'This installation has no Owner yet. Open the set-up link that the server printed when it started.',
  'connected-elsewhere': (provider) =>
    `Your account at ${provider} is connected to another account here. Sign in by it and disconnect it first.`,
  'connected-otherwise': (provider) =>
    `Your account here is connected to ${provider} by another login. Sign in there with that one, or disconnect it in Settings first.`,
  'signed-out': () => 'The session that began this is over. Begin again.',
  failed: () =>
    'Something went wrong in this console. Try again; if it stays so, ask who runs it to read its log.',
};

/** The sentence for a failure in an address; undefined for none. @param label of the provider, if it is known */
export function signInSentence(failure: string | null | undefined, label?: string): string | undefined {
  const known = signInFailures.find((one) => one === failure);
  return known === undefined ? undefined : sentences[known](label ?? 'The provider');
}
