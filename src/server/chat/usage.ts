import { and, eq, sql } from 'drizzle-orm';
import type { Member } from '../access/person.ts';
import { chatUsage } from '../store/schema/chat.ts';
import type { Store } from '../store/store.ts';
import type { TokenLimits } from './chat-models.ts';

/** What was used today. */
export interface UsedTokens {
  readonly person: number;
  readonly company: number;
}

/** The day of the counts, in UTC. */
export const today = () => new Date().toISOString().slice(0, 10);

/** Reads what was used today. */
export async function usedTokens(db: Store['db'], person: Member): Promise<UsedTokens> {
  const sum = sql`${chatUsage.inputTokens} + ${chatUsage.outputTokens}`;
  const [row] = await db
    .select({
      company: sql<number>`coalesce(sum(${sum}), 0)::float8`,
      person: sql<number>`coalesce(sum(${sum}) filter (where ${chatUsage.userId} = ${person.id}), 0)::float8`,
    })
    .from(chatUsage)
    .where(and(eq(chatUsage.companyId, person.companyId), eq(chatUsage.day, today())));
  return { person: row?.person ?? 0, company: row?.company ?? 0 };
}

/** Why no model is asked any more today, as a sentence; undefined where tokens are left. */
export function usedUp({ person, company }: UsedTokens, limits: TokenLimits): string | undefined {
  if (person >= limits.person)
    return 'You have used up today’s model tokens, so only the rules answer until midnight (UTC).';
  if (company >= limits.company)
    return 'Your organisation has used up today’s model tokens, so only the rules answer until midnight (UTC).';
  return undefined;
}
