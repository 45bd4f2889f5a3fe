import { type OrgRole, orgRoles } from '../../../src/contract/permissions.ts';
import type { Member } from '../../../src/server/access/person.ts';
import type { Claims, Provider } from '../../../src/server/identity/provider.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import type { TestConsole } from '../harness.ts';
import { freshAddress } from './invitation-office.ts';
import { memberOf } from './member-of.ts';

/** An account as a walk believes it to be. */
export interface Account {
  readonly id: number;
  email: string;
  isProven: boolean;
}

/** An invitation as a walk believes it to be; nothing of it is read from the store. */
export interface Believed {
  readonly inviteId: number;
  readonly companyId: number;
  readonly email: string;
  /** The role in the company that it offers. */
  readonly orgRole: OrgRole;
  sender: number;
  /** The token that an Owner may pass on by hand. */
  token: string;
  /** The token of the mail. */
  mail: string;
  expiresAt: number;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked';
  claimedBy: number | undefined;
}

/** Whose account a subject of a company's provider opens, and the address that it said last. */
export interface Identity {
  readonly companyId: number;
  readonly subject: string;
  readonly account: Account;
  email: string;
}

/** All that a walk believes. */
export interface Office {
  readonly owners: readonly Member[];
  readonly providers: readonly (Provider & { readonly company: NonNullable<Provider['company']> })[];
  readonly addresses: readonly string[];
  readonly accounts: Account[];
  readonly known: Believed[];
  /** Tokens that were told once, also those that newer ones replaced: anybody may have found one. */
  readonly tokens: string[];
  readonly identities: Identity[];
  /** Who is in which company, as `account company`. */
  readonly joined: Map<string, 'active' | 'suspended'>;
  /** Owners who were removed. */
  readonly removed: Set<number>;
  now: number;
}

/** The account of an address. */
export const accountAt = ({ accounts }: Office, email: string): Account | undefined =>
  accounts.find((account) => account.email === email);

/** Whether somebody is in a company, suspended or not. */
export const hasJoined = ({ joined }: Office, account: Account | undefined, companyId: number): boolean =>
  account !== undefined && joined.has(`${account.id} ${companyId}`);

/** The identity of a subject at a company's provider. */
export const identityOf = ({ identities }: Office, companyId: number, subject: string) =>
  identities.find((own) => own.companyId === companyId && own.subject === subject);

/** Whether an invitation can be answered. */
export const isOpen = ({ now }: Office, of: Believed): boolean =>
  of.state === 'pending' && of.expiresAt > now;

/** Whether an invitation is somebody's: by its link, by their proven address, or by the word of the company's provider. */
export const isInvited = ({ identities }: Office, of: Believed, account: Account): boolean =>
  of.claimedBy === account.id ||
  (account.isProven && of.email === account.email) ||
  identities.some(
    (own) => own.account === account && own.companyId === of.companyId && own.email === of.email,
  );

/** Whether nobody showed that an account's address is theirs, and it belongs nowhere. */
export const isUnused = ({ joined }: Office, account: Account): boolean =>
  !account.isProven && ![...joined.keys()].some((place) => place.startsWith(`${account.id} `));

/** Two companies with a provider each, five addresses, and accounts of three of them. */
export async function furnish(console: TestConsole): Promise<Office> {
  const { db } = console.store;
  const owners: Member[] = [];
  const providers = [];
  for (const count of [2, 1]) {
    const companyId = await console.company();
    for (let index = 0; index < count; index += 1) {
      const person = await console.person({ companyId, isOwner: true });
      owners.push(memberOf(person, companyId, orgRoles.Owner));
    }
    const settings = { issuer: 'https://id.example.org', clientId: 'console' };
    const key = `c-${companyId}`;
    const [row] = await db
      .insert(identityProviders)
      .values({ companyId, key, name: 'Staff', clientSecret: Buffer.from('sealed'), ...settings })
      .returning({ id: identityProviders.id });
    providers.push({
      key,
      label: 'Staff',
      issuer: new URL(settings.issuer),
      clientId: settings.clientId,
      clientSecret: '',
      groupsClaim: null,
      company: { id: companyId, providerId: row?.id ?? 0, name: 'company', carriedOver: null },
    });
  }
  const addresses = Array.from({ length: 5 }, freshAddress);
  const accounts: Account[] = [];
  for (const email of addresses.slice(2)) {
    const [row] = await db.insert(users).values({ email, name: 'Kim' }).returning({ id: users.id });
    accounts.push({ id: row?.id ?? 0, email, isProven: false });
  }
  return {
    owners,
    providers,
    addresses,
    accounts,
    known: [],
    tokens: [],
    identities: [],
    joined: new Map(),
    removed: new Set(),
    now: Date.now(),
  };
}

/** What a company's provider says of a subject. */
export const claimsOf = (subject: string, email: string): Claims => ({
  issuer: 'https://id.example.org',
  subject,
  email,
  name: 'Kim',
  signedInAt: null,
  groups: [],
});
