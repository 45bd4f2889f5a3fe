import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, exists, inArray, or, sql } from 'drizzle-orm';
import { type Conversation, conversationLimit } from '../../contract/chat.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { requireTeam } from '../access/teams.ts';
import { users } from '../store/schema/accounts.ts';
import { chatConversations, chatTurns } from '../store/schema/chat.ts';
import { memberships } from '../store/schema/memberships.ts';
import { teamPlaces, teams } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import { redactText } from '../kit/redact-text.ts';

/** Conversations of a list, at most. */
const listLimit = 500;

/** The answer to an unknown conversation, and to one that is somebody else’s and not shared: they are not told apart. */
export const noSuchConversation = (): Problem =>
  new Problem({ status: 404, title: 'There is no such conversation.' });

/** Conversations of people on clusters: each person's own, and what is shared with their teams to read. */
export class Conversations {
  readonly #store: Pick<Store, 'db'>;

  constructor(store: Pick<Store, 'db'>) {
    this.#store = store;
  }

  /**
   * The newest first. A search finds words in titles and questions of one's own conversations: those of others may be
   * withheld, and a title is mostly the first question.
   */
  async list(person: Member, clusterId: number, search = ''): Promise<Conversation[]> {
    const { db } = this.#store;
    const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const isFound = or(
      and(eq(chatConversations.userId, person.id), sql`${chatConversations.title} ilike ${pattern}`),
      and(
        eq(chatConversations.userId, person.id),
        exists(
          db
            .select({ id: chatTurns.id })
            .from(chatTurns)
            .where(
              and(
                eq(chatTurns.conversationId, chatConversations.id),
                sql`${chatTurns.question} ilike ${pattern}`,
              ),
            ),
        ),
      ),
    );
    const rows = await this.#select(person)
      .where(and(this.#readable(person, clusterId), search === '' ? undefined : isFound))
      .orderBy(desc(chatConversations.askedAt), chatConversations.id)
      .limit(listLimit);
    return rows.map((row) => withoutTitle(present(row, person)));
  }

  /** A conversation that somebody may read. Throws Problem 404. */
  async find(person: Member, clusterId: number, id: string): Promise<Conversation> {
    const [row] = await this.#select(person).where(
      and(this.#readable(person, clusterId), eq(chatConversations.id, id)),
    );
    if (row === undefined) throw noSuchConversation();
    return present(row, person);
  }

  /** Throws Problem 409 at the limit. */
  async add(person: Member, clusterId: number, title: string): Promise<Conversation> {
    const id = randomUUID();
    await this.#store.db.transaction(async (tx) => {
      // One after the other for each person, so that several at once are counted.
      await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(and(eq(memberships.userId, person.id), eq(memberships.companyId, person.companyId)))
        .for('update');
      await tx
        .insert(chatConversations)
        .values({ id, companyId: person.companyId, userId: person.id, clusterId, title: redactText(title) });
      const [there] = await tx
        .select({ number: count() })
        .from(chatConversations)
        .where(ownedBy(person, clusterId));
      if ((there?.number ?? 0) > conversationLimit)
        throw new Problem({
          status: 409,
          title: `You have ${conversationLimit} conversations on this cluster, the maximum. Delete one first.`,
        });
    });
    return await this.find(person, clusterId, id);
  }

  /** Changes a conversation of one's own. Throws Problem 404 for it, or for a team that the person is not in. */
  async change(
    person: Member,
    clusterId: number,
    id: string,
    { title, teamId }: { readonly title?: string | undefined; readonly teamId?: number | null | undefined },
  ): Promise<Conversation> {
    const { db } = this.#store;
    if (typeof teamId === 'number') await requireTeam(db, person, teamId, 'view');
    const set = {
      ...(title === undefined ? {} : { title: redactText(title) }),
      ...(teamId === undefined ? {} : { teamId }),
    };
    if (Object.keys(set).length > 0)
      await db
        .update(chatConversations)
        .set(set)
        .where(and(ownedBy(person, clusterId), eq(chatConversations.id, id)));
    const changed = await this.find(person, clusterId, id);
    if (changed.owner !== null) throw noSuchConversation();
    return changed;
  }

  /** Deletes a conversation of one's own with its answers. Throws Problem 404. */
  async delete(person: Member, clusterId: number, id: string): Promise<void> {
    const gone = await this.#store.db
      .delete(chatConversations)
      .where(and(ownedBy(person, clusterId), eq(chatConversations.id, id)))
      .returning({ id: chatConversations.id });
    if (gone.length === 0) throw noSuchConversation();
  }

  #select(person: Member) {
    return this.#store.db
      .select({
        id: chatConversations.id,
        title: chatConversations.title,
        userId: chatConversations.userId,
        owner: users.name,
        teamId: teams.id,
        teamName: teams.name,
        askedAt: chatConversations.askedAt,
      })
      .from(chatConversations)
      .innerJoin(users, eq(users.id, chatConversations.userId))
      .leftJoin(teams, and(eq(teams.id, chatConversations.teamId), eq(teams.companyId, person.companyId)));
  }

  /** The person's own, and those of others of the company that are shared with a team they see. */
  #readable(person: Member, clusterId: number) {
    const places = this.#store.db
      .select({ id: teamPlaces.teamId })
      .from(teamPlaces)
      .where(and(eq(teamPlaces.userId, person.id), eq(teamPlaces.companyId, person.companyId)));
    return or(
      ownedBy(person, clusterId),
      and(
        eq(chatConversations.companyId, person.companyId),
        eq(chatConversations.clusterId, clusterId),
        person.orgRole === orgRoles.Owner
          ? sql`${chatConversations.teamId} is not null`
          : inArray(chatConversations.teamId, places),
      ),
    );
  }
}

/** A conversation of somebody else by its day, as its title may tell what is withheld; one's own as it is. */
export const withoutTitle = (conversation: Conversation): Conversation =>
  conversation.owner === null
    ? conversation
    : { ...conversation, title: `Conversation of ${conversation.askedAt.slice(0, 10)}` };

const ownedBy = (person: Member, clusterId: number) =>
  and(
    eq(chatConversations.userId, person.id),
    eq(chatConversations.companyId, person.companyId),
    eq(chatConversations.clusterId, clusterId),
  );

interface ConversationRow {
  readonly id: string;
  readonly title: string;
  readonly userId: number;
  readonly owner: string;
  readonly teamId: number | null;
  readonly teamName: string | null;
  readonly askedAt: string;
}

const present = (row: ConversationRow, person: Member): Conversation => ({
  id: row.id,
  title: row.title,
  team: row.teamId === null || row.teamName === null ? null : { id: row.teamId, name: row.teamName },
  owner: row.userId === person.id ? null : row.owner,
  askedAt: row.askedAt,
});
