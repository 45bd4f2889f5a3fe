import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Member } from '../access/person.ts';
import { users } from '../store/schema/accounts.ts';
import { chatEvents, chatTurns } from '../store/schema/chat.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';
import type { ToldObject } from './sight.ts';
import { type KnownPerson, type PersonPart, StandIns } from './stand-ins.ts';

/** Members whose addresses are known to an answer, at most; those who were here last come first. */
const memberLimit = 10_000;

/**
 * The stand-ins of the next answer of a conversation: people of all its answers keep their numbers, and the addresses of
 * the company's members, past ones included, are known.
 * @param seenTurns ids of turns that the person may see
 */
export async function peopleOfConversation(
  db: Store['db'],
  { companyId }: Pick<Member, 'companyId'>,
  conversationId: string,
  seenTurns: ReadonlySet<string>,
): Promise<StandIns> {
  const told = await db
    .select({ turnId: chatEvents.turnId, event: chatEvents.event, objects: chatEvents.objects })
    .from(chatEvents)
    .innerJoin(chatTurns, eq(chatTurns.id, chatEvents.turnId))
    .where(and(eq(chatTurns.conversationId, conversationId), sql`${chatEvents.event}->>'type' = 'person'`))
    .orderBy(asc(chatTurns.number), asc(chatEvents.number));
  const members = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId))
    .orderBy(sql`${memberships.lastSeenAt} desc nulls last`, desc(memberships.userId))
    .limit(memberLimit);
  return new StandIns(
    told.map(
      ({ turnId, event, objects }): KnownPerson => ({
        // Written by `AnswerLog` alone.
        part: event as PersonPart,
        objects: objects as ToldObject[],
        isSeen: seenTurns.has(turnId),
      }),
    ),
    members.map(({ email }) => email),
  );
}
