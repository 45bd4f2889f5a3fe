import type { User } from '../../contract/account.ts';

/** A valid user has an organisation and no open question about an invitation. */
export function isValidUser(user: User): boolean {
  return (
    !user.isInviteNotFound &&
    !user.isInvitePending &&
    !user.isInviteRejected &&
    user.id !== 0 &&
    user.companyId !== 0
  );
}
