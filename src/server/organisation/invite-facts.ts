import type { InviteOutcome } from '../../contract/invitations.ts';
import type { Database } from '../store/store.ts';
import { type InviteManyInput, teamsOf } from './invite-many.ts';
import { placeWords } from './offered-words.ts';

/** Characters of one fact of the audit at most: longer ones are cut, and no address may be. */
const factLength = 7_500;

/** Facts for the audit of several invitations: role, teams of all, and each address with teams of its own. */
export async function factsOfMany(
  db: Pick<Database, 'select'>,
  companyId: number,
  { invitations, orgRole, teams }: InviteManyInput,
): Promise<Readonly<Record<string, string | number>>> {
  const words = await placeWords(db, companyId, [...teams, ...invitations.flatMap((one) => one.teams)]);
  const addresses = invitations.map(({ email, teams: own }) =>
    own.length === 0 ? email : `${email} into ${words(teamsOf(teams, own))}`,
  );
  const parts = partsOf(addresses).map((part, index) => [`addresses${index === 0 ? '' : index + 1}`, part]);
  return { orgRole, teams: words(teams), ...Object.fromEntries(parts) };
}

/** The addresses that were not invited, each with why, for the audit. */
export function refusedWords(outcomes: readonly InviteOutcome[]): string {
  return outcomes
    .filter(({ result }) => result !== 'invited')
    .map(({ email, result }) => `${email}: ${result}`)
    .join('; ');
}

/** The texts, as many together as one fact can have. */
function partsOf(texts: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    const longer = last === undefined ? text : `${last}; ${text}`;
    if (last === undefined || longer.length > factLength) parts.push(text);
    else parts[parts.length - 1] = longer;
  }
  return parts;
}
