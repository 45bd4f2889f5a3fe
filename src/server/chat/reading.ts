import { and, desc, eq, lt } from 'drizzle-orm';
import { type ChatTurn, type Conversation, type NumberedPart, turnPageSize } from '../../contract/chat.ts';
import type { Ref } from '../../contract/objects.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { Clock } from '../kit/clock.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { chatTurns } from '../store/schema/chat.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { AnswerLog, type StoredPart } from './answer-log.ts';
import { Conversations, noSuchConversation, withoutTitle } from './conversations.ts';
import { unknownNamesIn } from './rules/question-names.ts';
import { topicId } from './rule-reasoner.ts';
import { distinct, type ToldObject, ToldSight } from './sight.ts';

/** A running answer is looked at this often without news, ms: news may be lost, and its server may fall silent. */
const lookInterval = 2_000;

/** Why a question is withheld from others than its person at first. */
const untoldYet =
  'This question is hidden until its answer shows which objects it is about, and so who may see it.';

/** Why a question is withheld from others whose answer ended before it said what it is about. */
const neverTold =
  'This question is hidden: its answer ended before it was known which objects it is about, and so who may see it.';

/** What a reader of a stream gets: a part, or why the rest is withheld. */
export type StreamedPart = NumberedPart | { readonly withheld: string };

/** Some turns of a conversation, as somebody may see them. */
export interface TurnPage {
  readonly conversation: Conversation;
  readonly turns: ChatTurn[];
  /** The number before which there are more; null without any. */
  readonly earlier: number | null;
}

export interface ReadingParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly grants: Pick<Grants, 'access'>;
  readonly kinds: Pick<KindCatalogue, 'find'>;
  readonly clock: Clock;
}

/** Reads conversations as somebody may see them at this moment, whoever was answered. */
export class ChatReading {
  readonly #parts: ReadingParts;
  readonly #log: AnswerLog;
  readonly #conversations: Conversations;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    this.#log = new AnswerLog(parts.store);
    this.#conversations = new Conversations(parts.store);
  }

  /**
   * A conversation with a page of its turns, the first one first: the newest, or those before a number.
   * `earlier` is the number before which there are more, null where there are none. Throws Problem 404.
   */
  async conversation(person: Member, cluster: ClusterRow, id: string, before?: number): Promise<TurnPage> {
    const { db } = this.#parts.store;
    const conversation = await this.#conversations.find(person, cluster.id, id);
    await this.#log.interruptSilent(id);
    const { rows, earlier } = await pageOf(db, id, before);
    // The title is mostly the first question, and shows to those alone who may see that.
    const [first] = earlier === null ? rows : (await pageOf(db, id, 2)).rows;
    const read = earlier === null || first === undefined ? rows : [first, ...rows];
    const parts = Map.groupBy(await this.#log.read(read.map((row) => row.id)), ({ turnId }) => turnId);
    const isAsker = conversation.owner === null;
    const sight = await this.#sight(person, cluster, isAsker);
    const seen = async (row: TurnRow) => await seenTurn(row, parts.get(row.id) ?? [], sight, isAsker);
    const turns: ChatTurn[] = [];
    for (const row of rows) turns.push(await seen(row));
    const seenFirst = first && (await seen(first));
    const isTitleSeen =
      seenFirst !== undefined && seenFirst.question !== null && seenFirst.state !== 'running';
    return { conversation: isTitleSeen ? conversation : withoutTitle(conversation), turns, earlier };
  }

  /**
   * The parts of an answer behind a number, as they come, until it has ended: whichever server gives it. Ends with why it
   * is withheld as soon as the reader may not see what it tells of. Throws Problem 404.
   */
  async *stream(
    person: Member,
    cluster: ClusterRow,
    {
      turnId,
      after,
      signal,
    }: {
      readonly turnId: string;
      readonly after: number;
      readonly signal: AbortSignal;
    },
  ): AsyncGenerator<readonly StreamedPart[]> {
    const turn = await this.#log.turn(turnId);
    if (turn === undefined) throw noSuchConversation();
    await this.#conversations.find(person, cluster.id, turn.conversationId);
    const { channel } = this.#parts.store;
    let news = Promise.withResolvers<void>();
    const unlisten = channel.on('chat', (told) => {
      if (told.turnId === turnId) news.resolve();
    });
    const leave = () => news.resolve();
    signal.addEventListener('abort', leave);
    // Stored as the contract has references.
    const about = turn.about as Ref | null;
    let objects: readonly ToldObject[] = about === null ? [] : [about];
    try {
      // From the first one, as those that the reader knows say as well what withholds the answer; each is read once.
      for (let known = 0; !signal.aborted; ) {
        news = Promise.withResolvers<void>();
        await this.#log.interruptSilent(turn.conversationId);
        // It may have been taken back from the team meanwhile.
        const { owner } = await this.#conversations.find(person, cluster.id, turn.conversationId);
        const current = await this.#log.turn(turnId);
        const fresh = await this.#log.read([turnId], known);
        objects = distinct([...objects, ...fresh.flatMap((part) => part.objects)]);
        const sight = await this.#sight(person, cluster, owner === null);
        const refusal = await sight.refusal(objects);
        if (refusal !== undefined) {
          yield [{ withheld: refusal }];
          return;
        }
        yield await seenParts(
          fresh.filter(({ number }) => number > after),
          sight,
        );
        known = fresh.at(-1)?.number ?? known;
        // What was read before its state was is complete only if it had ended by then.
        if (current === undefined || current.state !== 'running') return;
        const cancel = this.#parts.clock.after(lookInterval, news.resolve);
        await news.promise;
        cancel();
      }
    } finally {
      unlisten();
      signal.removeEventListener('abort', leave);
    }
  }

  async #sight(person: Member, cluster: ClusterRow, isAsker: boolean): Promise<ToldSight> {
    const { grants, kinds } = this.#parts;
    const reach = await grants.access(person, cluster.id);
    return new ToldSight(reach, (name) => kinds.find(cluster, name), isAsker);
  }
}

type TurnRow = typeof chatTurns.$inferSelect;

/** The newest turns of a conversation, or those before a number, in their order; at most a page of them. */
async function pageOf(db: Store['db'], conversationId: string, before?: number) {
  const found = await db
    .select()
    .from(chatTurns)
    .where(
      and(
        eq(chatTurns.conversationId, conversationId),
        before === undefined ? undefined : lt(chatTurns.number, before),
      ),
    )
    .orderBy(desc(chatTurns.number))
    .limit(turnPageSize + 1);
  const rows = found.slice(0, turnPageSize).reverse();
  return { rows, earlier: found.length > rows.length ? (rows[0]?.number ?? null) : null };
}

/** A turn as somebody may see it. */
async function seenTurn(
  row: TurnRow,
  stored: readonly StoredPart[],
  sight: ToldSight,
  isAsker: boolean,
): Promise<ChatTurn> {
  // Stored as the contract has references.
  const about = row.about as Ref | null;
  const withheld =
    (await refusalOf(sight, stored, about)) ??
    // A question may name what only its answer says that it is about.
    (isAsker || stored.some(tellsTopic) ? null : row.state === 'running' ? untoldYet : neverTold);
  const isQuestionShown =
    withheld === null && (isAsker || unknownNamesIn(row.question, topicOf(stored, about)).length === 0);
  return {
    id: row.id,
    question: isQuestionShown ? row.question : null,
    about: withheld === null ? about : null,
    state: row.state,
    createdAt: row.createdAt,
    withheld,
    parts: withheld === null ? await seenParts(stored, sight) : [],
  };
}

/** Parts as they are sent to a reader who may see what they tell of. */
const seenParts = (stored: readonly StoredPart[], sight: ToldSight): Promise<NumberedPart[]> =>
  Promise.all(stored.map(async ({ number, part }) => ({ number, part: await sight.offered(part) })));

/** Whether a part says what the question is about: the first tool of the rules does. */
const tellsTopic = ({ part }: StoredPart): boolean => part.type === 'tool.started' && part.id === topicId;

/** What a question is known to name. */
const topicOf = (stored: readonly StoredPart[], about: Ref | null): readonly ToldObject[] => [
  ...(about === null ? [] : [about]),
  ...stored.flatMap((part) => (tellsTopic(part) ? part.objects : [])),
];

/** Why a turn is withheld as a whole: one object that may not be seen withholds what was built on it. */
const refusalOf = (sight: ToldSight, stored: readonly StoredPart[], about: Ref | null) =>
  sight.refusal([...(about === null ? [] : [about]), ...stored.flatMap(({ objects }) => objects)]);
