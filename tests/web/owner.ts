import type { User } from '../../src/contract/account.ts';

/** An Owner, as the server answers who is signed in. */
export const owner: User = {
  id: 1,
  companyId: 1,
  companyName: 'Acme',
  orgRole: 1,
  name: 'Anna Keller',
  email: 'anna@acme.io',
  isInviteNotFound: false,
  isInvitePending: false,
  isInviteRejected: false,
  shouldSetupCompany: false,
};
