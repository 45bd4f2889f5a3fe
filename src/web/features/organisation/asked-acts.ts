import type { ApiClient } from '../../data/client.ts';

/** Acts that are asked first: those that take something away, and by a key the others as well. */
export type AskedAct = 'suspend' | 'letIn' | 'remove' | 'endSessions' | 'resend' | 'revoke';

interface Question {
  /** @param name of the person or invitation, or the number of people */
  readonly title: (name: string) => string;
  /** The words of the button that does it, and while it is being done. */
  readonly act: string;
  readonly acting: string;
  /** What follows from it. */
  readonly text: string;
  readonly make: (api: ApiClient, id: number) => Promise<unknown>;
  /** @param are the verb that fits the name */
  readonly done: (name: string, are: 'is' | 'are') => string;
  /** It takes nothing away. */
  readonly isMild?: true;
  /** For several people their number is typed first. */
  readonly isCounted?: true;
}

/** The questions before acts, and the calls that make them. The account of a person is their own and is never touched. */
export const askedActs: Readonly<Record<AskedAct, Question>> = {
  suspend: {
    title: (name) => `Suspend ${name}?`,
    act: 'Suspend',
    acting: 'Suspending...',
    text: 'Everything that they have open in this organisation closes at once, and they lose access to it. They keep their teams: if they are let in again, they have the same access as before.',
    make: (api, userId) => api.changeMember({ params: { userId }, body: { isSuspended: true } }),
    done: (name, are) => `${name} ${are} suspended`,
  },
  letIn: {
    title: (name) => `Let ${name} in again?`,
    act: 'Let in',
    acting: 'Letting in...',
    text: 'They get the access back that they had before they were suspended, with the same teams.',
    make: (api, userId) => api.changeMember({ params: { userId }, body: { isSuspended: false } }),
    done: (name, are) => `${name} ${are} let in again`,
    isMild: true,
  },
  remove: {
    title: (name) => `Remove ${name} from the organisation?`,
    act: 'Remove',
    acting: 'Removing...',
    text: 'Everything that they have open in this organisation closes at once, and they leave all its teams. They keep their account, but need an invitation to come back.',
    make: (api, userId) => api.removeMember({ params: { userId } }),
    done: (name, are) => `${name} ${are} no longer in the organisation`,
    isCounted: true,
  },
  endSessions: {
    title: (name) => `End the sessions of ${name}?`,
    act: 'End sessions',
    acting: 'Ending...',
    text: 'They are signed out of this organisation everywhere, and have to sign in again.',
    make: (api, userId) => api.endMemberSessions({ params: { userId } }),
    done: (name) => `The sessions of ${name} ended`,
  },
  resend: {
    title: (email) => `Send the invitation for ${email} again?`,
    act: 'Send again',
    acting: 'Sending...',
    text: 'It gets another link. The one before stops working.',
    make: (api, inviteId) => api.resendInvitation({ params: { inviteId } }),
    done: (email) => `The invitation for ${email} is sent again`,
    isMild: true,
  },
  revoke: {
    title: (email) => `Revoke the invitation for ${email}?`,
    act: 'Revoke',
    acting: 'Revoking...',
    text: 'Its link stops working. The address can be invited again.',
    make: (api, inviteId) => api.revokeInvitation({ params: { inviteId } }),
    done: (email) => `The invitation for ${email} is revoked`,
  },
};
