import type { OrgRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { TokenScope } from '../../contract/token-scopes.ts';

/** The API token that somebody acts by. It gives nothing: it leaves of what its person may do what it was made for. */
export interface TokenLimits {
  readonly id: number;
  readonly name: string;
  readonly scopes: ReadonlySet<TokenScope>;
  /** The clusters that it is limited to; null for all. */
  readonly clusterIds: ReadonlySet<number> | null;
}

/** Who is asking: read from session or API token and store on every call. */
export interface Person {
  readonly id: number;
  readonly companyId: number | null;
  readonly companyName: string;
  /** By an API token nobody is an Owner. */
  readonly orgRole: OrgRole;
  readonly name: string;
  readonly email: string;
  /** SHA-256 of the token of the session, or of the API token, hex: names it in the channel. */
  readonly sessionHash: string;
  /** The company's provider that opened the session, which then acts in that company alone; null otherwise. */
  readonly providerId: number | null;
  /** The API token that the call came by; null for a session. */
  readonly token: TokenLimits | null;
}

/** A person who belongs to a company. */
export interface Member extends Person {
  readonly companyId: number;
}

/** Whether a person is a valid user of a company. */
export function isMember(person: Person | undefined): person is Member {
  return person !== undefined && person.companyId !== null;
}

/** Who acts, in words for the audit: the address, and the token by its name. */
export function actorOf({ email, token }: Pick<Person, 'email' | 'token'>): string {
  return token === null ? email : `${email} by token “${token.name}”`;
}

/** Of an actor in the audit's words the address alone: the names of people's tokens are their own. */
export const addressOfActor = (actor: string): string => actor.split(' by token “', 1)[0] ?? '';

/** The refusal of what is for Owners. */
export function onlyOwners(
  title = 'Only an Owner of your organisation can do this. Ask one of them.',
): Problem {
  return new Problem({ status: 403, title, lacking: { needs: ['owner'] } });
}
