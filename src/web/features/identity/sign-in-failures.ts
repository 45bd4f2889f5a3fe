import { sessionLinkLimit, sessionLinkMinutes } from '../../../contract/own-address.ts';
import { type SignInFailure, signInFailures } from '../../../contract/sign-in.ts';

/** The sentences about a sign-in that came to nothing at a provider, each with the remedy. */
const sentences: Readonly<Record<SignInFailure, (provider: string) => string>> = {
  expired: () =>
    'This sign-in was not started in this browser, took longer than 10 minutes, or was already used. Start again.',
  'unknown-provider': () => 'There is no such provider here any more. Sign in another way.',
  unusable: (provider) =>
    `${provider} did not answer, or sent something that this console cannot use. Try again in a few minutes, or sign in another way; if it happens again, ask the operator of this console, whose log has the details.`,
  'ahead-of-time': (provider) =>
    `${provider} sent a sign-in that is dated in the future: its clock or that of this console is wrong. Ask the operator of this console to compare them.`,
  'not-storable': (provider) =>
    `${provider} sent a name, an address or a group with a character that cannot be stored: a NUL, or half of a surrogate pair. Ask its operator to correct your account there.`,
  refused: (provider) =>
    `${provider} did not sign you in: the sign-in was declined there. Start again if you want to.`,
  'no-address': (provider) =>
    `A new account needs a verified email address in the letters a to z, and ${provider} did not send one. Verify your address there and start again. If you have an account, sign in to it and connect ${provider} in Settings.`,
  taken: (provider) =>
    `Another account here has your email address. Sign in to it as you did before, and connect ${provider} in Settings.`,
  'not-member': (provider) =>
    `${provider} signed you in, but no member of its organisation uses this login. If you belong to the organisation, sign in as you did before and connect ${provider} in Settings; otherwise ask an Owner to invite you.`,
  invited: (provider) =>
    `You are invited, and an account here has your address. Sign in to that account as you did before, accept the invitation, and connect ${provider} in Settings.`,
  'no-seat': () =>
    'You are invited, but the plan of the organisation has no seat left. Ask one of its Owners to add one, then start again.',
  suspended: () => 'An Owner of the organisation has suspended you. Only they can let you in again.',
  'needs-setup': () =>
    'This installation has no Owner yet. Open the set-up link that the server printed when it started.',
  'connected-elsewhere': (provider) =>
    `Your account at ${provider} is connected to another account here. Sign in with it, and disconnect it in Settings there first.`,
  'connected-otherwise': (provider) =>
    `Your account here is connected to ${provider} with another login. Sign in there with that one, or disconnect it in Settings first.`,
  'not-confirmed': (provider) =>
    `${provider} did not confirm that it is you: you signed in there as somebody else, or it did not ask you to sign in. Sign out there and start again.`,
  'other-address': (provider) =>
    `${provider} did not confirm that the email address of your account here is yours. A link was mailed to that address: open it in this browser within ${sessionLinkMinutes} minutes, then connect ${provider} again. At most ${sessionLinkLimit} links are mailed within an hour. If you cannot read that mail, ask an Owner of the organisation to invite you at the address that you have there.`,
  'other-address-unmailed': (provider) =>
    `${provider} did not confirm that the email address of your account here is yours, and this console mails no links. Ask an Owner of the organisation to invite you at the address that you have there.`,
  'passkey-needed': (provider) =>
    `The organisation asks you to sign in with a passkey, and a sign-in with ${provider} does not count as one. Sign in with your passkey; if you have none, sign in with your password and register one.`,
  undated: (provider) =>
    `${provider} did not say when you signed in there, so it does not confirm that it is you. Ask its operator to send the claim auth_time.`,
  'confirmed-earlier': (provider) =>
    `You confirmed your identity more than 10 minutes before you came back from ${provider}. Connect it again.`,
  'signed-out': () => 'The session that started this has ended. Start again.',
  failed: () =>
    'Something went wrong in this console. Try again; if it happens again, ask the operator to look at the log.',
};

/** The sentence for a failure in an address; undefined for none. @param label of the provider, if it is known */
export function signInSentence(failure: string | null | undefined, label?: string): string | undefined {
  const known = signInFailures.find((one) => one === failure);
  return known === undefined ? undefined : sentences[known](label ?? 'The provider');
}
