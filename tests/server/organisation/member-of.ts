import { type OrgRole, orgRoles } from '../../../src/contract/permissions.ts';
import type { Member } from '../../../src/server/access/person.ts';
import type { TestPerson } from '../harness.ts';

/** Somebody as the guard passes them on to what acts for them, without a session: for calls below the API. */
export function memberOf(
  { id, email }: Pick<TestPerson, 'id' | 'email'>,
  companyId: number,
  orgRole: OrgRole = orgRoles.Member,
): Member {
  return {
    id,
    email,
    companyId,
    companyName: 'company',
    orgRole,
    name: 'Robin Example',
    sessionHash: '',
    providerId: null,
    token: null,
  };
}
