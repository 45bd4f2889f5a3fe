import type { OrgRole } from '../../contract/permissions.ts';

/** Who is asking: read from session and store on every call. */
export interface Person {
  readonly id: number;
  readonly companyId: number | null;
  readonly companyName: string;
  readonly orgRole: OrgRole;
  readonly name: string;
  readonly email: string;
  /** SHA-256 of the session's token, hex: names the session in the channel. */
  readonly sessionHash: string;
  /** The company's provider that opened the session, which then acts in that company alone; null otherwise. */
  readonly providerId: number | null;
}

/** A person who belongs to a company. */
export interface Member extends Person {
  readonly companyId: number;
}

/** Whether a person is a valid user of a company. */
export function isMember(person: Person | undefined): person is Member {
  return person !== undefined && person.companyId !== null;
}
