import { Problem } from '../../contract/problem.ts';

/** The state of an invitation as the clock has it. */
export type InvitationState = 'pending' | 'expired' | 'accepted' | 'rejected' | 'revoked';

/** The state of a stored invitation. @param now ms */
export function stateOf(
  row: { readonly state: Exclude<InvitationState, 'expired'>; readonly expiresAt: string },
  now: number,
): InvitationState {
  return row.state === 'pending' && Date.parse(row.expiresAt) <= now ? 'expired' : row.state;
}

const sentences: Readonly<Record<Exclude<InvitationState, 'pending'>, (company: string) => string>> = {
  expired: (company) => `This invitation has expired. Ask an Owner of ${company} to send it again.`,
  accepted: (company) => `This invitation to ${company} was accepted already. Sign in with your account.`,
  rejected: (company) =>
    `This invitation was rejected. Ask an Owner of ${company} to send it again if you changed your mind.`,
  revoked: (company) =>
    `This invitation was revoked. Ask an Owner of ${company} if you expected to be invited.`,
};

/** Throws Problem 410 with a sentence for an invitation that is no longer open. */
export function requirePending(state: InvitationState, company: string): void {
  if (state !== 'pending') throw new Problem({ status: 410, title: sentences[state](company) });
}

/** The answer to a token that no invitation has. */
export function unknownLink(): Problem {
  return new Problem({
    status: 410,
    title:
      'This invitation link is unknown, or a newer one replaced it. Check that you copied all of it, or ask who invited you.',
  });
}

/** The answer to an id that is no invitation of the caller, whether there is one or not. */
export function noSuchInvitation(): Problem {
  return new Problem({ status: 404, title: 'There is no such invitation.' });
}
