import { randomBytes } from 'node:crypto';
import type { Invitations } from '../../../src/server/organisation/invitations.ts';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { invitations } from '../../../src/server/store/schema/memberships.ts';
import { eq } from 'drizzle-orm';
import type { WireAnswer } from '../http-client.ts';
import type { TestConsole, TestPerson } from '../harness.ts';

/** Status and sentence of an answer. */
export const titleOf = ({ status, json }: Pick<WireAnswer, 'status' | 'json'>) => [
  status,
  (json as { title?: string } | undefined)?.title,
];

/** The token at the end of an invitation link. */
export const tokenOf = (link: string | undefined) => link?.match(/#invite=(\S+)$/m)?.[1] ?? '';

/** An address that nobody has. */
export const freshAddress = () => `${randomBytes(5).toString('hex')}@example.org`;

/** A company with an Owner whose address is proven. */
export async function foundCompany(console: TestConsole) {
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  await prove(console, owner);
  return { companyId, owner };
}

/** Marks somebody's address as shown to be theirs. */
export async function prove(console: TestConsole, { id }: Pick<TestPerson, 'id'>): Promise<void> {
  const emailProvenAt = new Date().toISOString();
  await console.store.db.update(users).set({ emailProvenAt }).where(eq(users.id, id));
}

/** Somebody who is signed in and belongs nowhere. @param email whose address is theirs, by `isProven` */
export async function stranger(console: TestConsole, email = freshAddress(), isProven = true) {
  const person = await console.person({ companyId: null, email });
  await console.store.db.update(users).set({ mayFoundCompany: false }).where(eq(users.id, person.id));
  if (isProven) await prove(console, person);
  return person;
}

/** An invitation in the store with known tokens, in any state. */
export async function storedInvitation(
  console: TestConsole,
  row: {
    readonly companyId: number;
    readonly email: string;
    readonly invitedBy: number;
    readonly expiresAt: number;
    readonly state?: (typeof invitations.$inferSelect)['state'];
    readonly claimedBy?: number | null;
    readonly createdAt?: string;
    readonly teams?: Parameters<Invitations['create']>[1]['teams'];
  },
) {
  const link = randomBytes(16).toString('hex');
  const mail = randomBytes(16).toString('hex');
  const [stored] = await console.store.db
    .insert(invitations)
    .values({
      orgRole: 2,
      mail: 'off',
      linkHash: hashToken(link),
      mailHash: hashToken(mail),
      ...row,
      expiresAt: new Date(row.expiresAt).toISOString(),
    })
    .returning({ id: invitations.id });
  return { inviteId: stored?.id ?? 0, link, mail };
}
