import { and, asc, eq, gt, inArray, max, sql } from 'drizzle-orm';
import type { ChatPart, NumberedPart } from '../../contract/chat.ts';
import { chatConversations, chatEvents, chatTurns } from '../store/schema/chat.ts';
import { isSilent } from '../store/signs-of-life.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { ToldObject } from './sight.ts';

/** A part of an answer with the objects that it tells of. */
export interface ToldPart {
  readonly part: ChatPart;
  readonly objects: readonly ToldObject[];
}

/** A stored part. */
export interface StoredPart extends NumberedPart {
  readonly turnId: string;
  readonly objects: readonly ToldObject[];
}

type EndState = Extract<ChatPart, { readonly type: 'end' }>['state'];

/** What ends an answer that was given up. */
export const interruptedText =
  'The answer was interrupted because its server stopped. Ask again for the rest.';

/** The stored streams of answers. Whoever writes one holds its turn's lock, so that numbers have neither gaps nor doubles. */
export class AnswerLog {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** Adds parts and says that the answer goes on; false where it was ended meanwhile, and nothing was added. */
  async append(turnId: string, told: readonly ToldPart[]): Promise<boolean> {
    const isOpen = await this.#store.db.transaction(async (tx) => {
      if (!(await lockRunning(tx, turnId))) return false;
      await insert(tx, turnId, told);
      await tx.update(chatTurns).set({ beatAt: sql`now()` }).where(eq(chatTurns.id, turnId));
      return true;
    });
    if (isOpen && told.length > 0) await this.#tell(turnId);
    return isOpen;
  }

  /** Ends an answer, once; what comes later is not added. */
  async end(
    turnId: string,
    state: EndState,
    text: string | null,
    last: readonly ToldPart[] = [],
  ): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      if (!(await lockRunning(tx, turnId))) return;
      await insert(tx, turnId, [...last, { part: { type: 'end', state, text }, objects: [] }]);
      await tx.update(chatTurns).set({ state, endedAt: sql`now()` }).where(eq(chatTurns.id, turnId));
    });
    await this.#tell(turnId);
  }

  /** Ends the answers of a conversation whose server is silent. */
  async interruptSilent(conversationId: string): Promise<void> {
    const rows = await this.#store.db
      .select({ id: chatTurns.id })
      .from(chatTurns)
      .where(
        and(
          eq(chatTurns.conversationId, conversationId),
          eq(chatTurns.state, 'running'),
          isSilent(chatTurns.beatAt),
        ),
      );
    for (const { id } of rows) await this.end(id, 'interrupted', interruptedText);
  }

  /** The stored parts of turns behind a number, in their order. */
  async read(turnIds: readonly string[], after = 0): Promise<StoredPart[]> {
    if (turnIds.length === 0) return [];
    const rows = await this.#store.db
      .select()
      .from(chatEvents)
      .where(and(inArray(chatEvents.turnId, [...turnIds]), gt(chatEvents.number, after)))
      .orderBy(asc(chatEvents.turnId), asc(chatEvents.number));
    return rows.map(({ turnId, number, event, objects }) => ({
      turnId,
      number,
      // Written by `append` alone.
      part: event as ChatPart,
      objects: objects as ToldObject[],
    }));
  }

  /** A turn with the conversation that it belongs to. */
  async turn(turnId: string) {
    const [row] = await this.#store.db
      .select({
        id: chatTurns.id,
        state: chatTurns.state,
        about: chatTurns.about,
        conversationId: chatTurns.conversationId,
        clusterId: chatConversations.clusterId,
        companyId: chatConversations.companyId,
        userId: chatConversations.userId,
      })
      .from(chatTurns)
      .innerJoin(chatConversations, eq(chatConversations.id, chatTurns.conversationId))
      .where(eq(chatTurns.id, turnId));
    return row;
  }

  async #tell(turnId: string): Promise<void> {
    await this.#store.channel.notify('chat', { turnId });
  }
}

/** Locks a turn; whether its answer still goes on. */
async function lockRunning(tx: Transaction, turnId: string): Promise<boolean> {
  const [row] = await tx
    .select({ state: chatTurns.state })
    .from(chatTurns)
    .where(eq(chatTurns.id, turnId))
    .for('update');
  return row?.state === 'running';
}

/**
 * Adds parts to an answer whether or not it goes on, with what makes them true: whoever calls says afterwards that there
 * is news of the turn.
 */
export async function addLater(tx: Transaction, turnId: string, told: readonly ToldPart[]): Promise<void> {
  await tx.select({ id: chatTurns.id }).from(chatTurns).where(eq(chatTurns.id, turnId)).for('update');
  await insert(tx, turnId, told);
}

async function insert(tx: Transaction, turnId: string, told: readonly ToldPart[]): Promise<void> {
  if (told.length === 0) return;
  const [row] = await tx
    .select({ last: max(chatEvents.number) })
    .from(chatEvents)
    .where(eq(chatEvents.turnId, turnId));
  const last = row?.last ?? 0;
  await tx
    .insert(chatEvents)
    .values(
      told.map(({ part, objects }, index) => ({ turnId, number: last + index + 1, event: part, objects })),
    );
}
