import { randomUUID } from 'node:crypto';
import { and, count, eq, max, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Api } from '../../contract/api.ts';
import type { ChatTurn } from '../../contract/chat.ts';
import type { CallOf, ResponseOf } from '../../contract/endpoint.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { beginDownload } from '../access/downloads.ts';
import type { OpenRights } from '../access/open-rights.ts';
import type { Member } from '../access/person.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { outlastStoreAbsence } from '../store/absence.ts';
import { storeProblem } from '../store/problem.ts';
import { chatConversations, chatTurns } from '../store/schema/chat.ts';
import { type ClusterRow, clusters } from '../store/schema/clusters.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';
import { AnswerLog, interruptedText, type ToldPart } from './answer-log.ts';
import { noSuchConversation } from './conversations.ts';
import { redactText } from '../kit/redact-text.ts';
import { withoutSecrets } from './redaction.ts';
import type { Question, ReadCall } from './reasoner.ts';

/** How long an answer may take, ms. */
const patience = 120_000;
/** How often a server says that it still gives an answer, ms. */
const beatInterval = 5_000;
/** Turns of one conversation. */
const turnLimit = 200;
/** Questions of one person that are answered at once. */
const atOnceLimit = 3;

/** Ends an answer whose person's rights could not be read: it does not go on unchecked. */
const rightsUnread = () =>
  new Problem({
    status: 503,
    title: 'Your permissions could not be checked, so the answer was stopped. Ask again in a moment.',
  });

const stopping = () => new Problem({ status: 503, title: 'The server is stopping. Ask again in a moment.' });

/** Makes a call of the API for a person. */
export type ReadForPerson = <K extends ReadCall>(
  person: Member,
  name: K,
  call: CallOf<Api[K]>,
  signal: AbortSignal,
) => Promise<ResponseOf<Api[K]>>;

export interface AnswersParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly rights: OpenRights;
  readonly log: Logger;
  readonly clock: Clock;
  readonly read: ReadForPerson;
  /** Answers a question; what it tells is stored as it comes. */
  readonly reason: (question: Question, cluster: ClusterRow) => Promise<void>;
}

/** An answer that this server gives. */
interface GivenAnswer {
  readonly clusterId: number;
  /** Who answered in the chat of the cluster when it began. */
  readonly mode: ClusterRow['chatMode'];
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** The answers that this server gives, and the end of those of all servers. */
export class Answers {
  readonly #parts: AnswersParts;
  readonly #log: AnswerLog;
  readonly #given = new Map<string, GivenAnswer>();
  readonly #disposers: readonly (() => void)[];
  /** Aborted when the server ends: nothing waits for the database any longer then. */
  readonly #closing = new AbortController();

  constructor(parts: AnswersParts) {
    this.#parts = parts;
    this.#log = new AnswerLog(parts.store);
    const { channel } = parts.store;
    this.#disposers = [
      // Whoever stops an answer may do it at another server.
      channel.on('chat', ({ turnId }) => void this.#checkEnded(turnId)),
      channel.on('clusters', ({ clusterId }) => void this.#checkMode(clusterId)),
    ];
  }

  /** Asks a question in a conversation of one's own. Throws Problem 404, 409 while an answer is under way, 503. */
  async ask(
    person: Member,
    cluster: ClusterRow,
    {
      conversationId,
      text,
      about,
    }: { readonly conversationId: string; readonly text: string; readonly about: Ref | null },
  ): Promise<ChatTurn> {
    if (this.#closing.signal.aborted) throw stopping();
    await this.#log.interruptSilent(conversationId);
    const turn = await this.#parts.store.db.transaction(async (tx) => {
      // One after the other for each person, in all companies, so that several at once are counted.
      await tx
        .select({ companyId: memberships.companyId })
        .from(memberships)
        .where(eq(memberships.userId, person.id))
        .orderBy(memberships.companyId)
        .for('update');
      const [conversation] = await tx
        .select({ id: chatConversations.id })
        .from(chatConversations)
        .where(
          and(
            eq(chatConversations.id, conversationId),
            eq(chatConversations.userId, person.id),
            eq(chatConversations.companyId, person.companyId),
            eq(chatConversations.clusterId, cluster.id),
          ),
        )
        .for('update');
      if (conversation === undefined) throw noSuchConversation();
      const [there] = await tx
        .select({
          last: max(chatTurns.number),
          running: count(sql`case when ${chatTurns.state} = 'running' then 1 end`),
        })
        .from(chatTurns)
        .where(eq(chatTurns.conversationId, conversationId));
      if ((there?.running ?? 0) > 0)
        throw new Problem({
          status: 409,
          title: 'Your last question is still being answered. Wait, or stop the answer first.',
        });
      const [elsewhere] = await tx
        .select({ running: count() })
        .from(chatTurns)
        .innerJoin(chatConversations, eq(chatConversations.id, chatTurns.conversationId))
        .where(and(eq(chatConversations.userId, person.id), eq(chatTurns.state, 'running')));
      if ((elsewhere?.running ?? 0) >= atOnceLimit)
        throw new Problem({
          status: 429,
          title: `${atOnceLimit} of your questions are still being answered. Wait for one of them, or stop it.`,
        });
      if ((there?.last ?? 0) >= turnLimit)
        throw new Problem({
          status: 409,
          title: `This conversation has ${turnLimit} questions, the maximum. Start a new one.`,
        });
      const [row] = await tx
        .insert(chatTurns)
        .values({
          id: randomUUID(),
          conversationId,
          number: (there?.last ?? 0) + 1,
          question: redactText(text),
          about,
        })
        .returning();
      await tx
        .update(chatConversations)
        .set({ askedAt: sql`now()` })
        .where(eq(chatConversations.id, conversationId));
      return row;
    });
    if (turn === undefined) throw new Error('A question could not be stored.');
    // Whoever closes looked at what was answered: this one would be missed.
    if (this.#closing.signal.aborted) {
      await this.#log.end(turn.id, 'interrupted', interruptedText);
      throw stopping();
    }
    this.#give(turn, person, cluster, about);
    return {
      id: turn.id,
      question: turn.question,
      about,
      state: 'running',
      createdAt: turn.createdAt,
      withheld: null,
      parts: [],
    };
  }

  /** Stops an answer of one's own; nothing happens where it has ended. Throws Problem 404. */
  async stop(person: Member, clusterId: number, turnId: string): Promise<void> {
    const turn = await this.#log.turn(turnId);
    if (turn === undefined || turn.userId !== person.id || turn.clusterId !== clusterId)
      throw noSuchConversation();
    await this.#log.end(turnId, 'stopped', 'The answer was stopped.');
    this.#given.get(turnId)?.stop.abort();
  }

  /** Interrupts the answers of this server. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The server ends.'));
    for (const dispose of this.#disposers) dispose();
    const given = [...this.#given];
    // Before anything is stored: a database that does not answer holds no stop up.
    for (const [, { stop }] of given) stop.abort();
    await Promise.all(
      given.map(async ([turnId, { done }]) => {
        try {
          await this.#log.end(turnId, 'interrupted', interruptedText);
        } catch (error) {
          const { log } = this.#parts;
          log.warn({ err: describeError(error), turnId }, 'An answer is left for another server to end');
        }
        await done;
      }),
    );
  }

  #give(
    { id: turnId, conversationId, question: text }: typeof chatTurns.$inferSelect,
    person: Member,
    cluster: ClusterRow,
    about: Ref | null,
  ): void {
    const { log, clock, rights, read, reason } = this.#parts;
    const stop = new AbortController();
    const slow = new AbortController();
    const cancelSlow = clock.after(patience, () =>
      slow.abort(
        new Problem({ status: 504, title: 'The answer took longer than two minutes and was stopped.' }),
      ),
    );
    const signal = AbortSignal.any([stop.signal, slow.signal]);
    // Reaching the cluster is needed as long as it goes on; what each part tells of is asked for with every call.
    const over = beginDownload(rights, {
      person,
      clusterId: cluster.id,
      needs: [{ need: [], place: 'anywhere' }],
      end(why) {
        const isUnread = !(why instanceof Problem);
        if (isUnread)
          log.warn({ err: describeError(why), turnId }, 'The rights of whoever asked could not be read');
        stop.abort(isUnread ? rightsUnread() : why);
      },
    });
    const tell = async (parts: readonly ToldPart[]) => {
      signal.throwIfAborted();
      if (!(await this.#log.append(turnId, parts.map(withoutSecrets)))) stop.abort();
      signal.throwIfAborted();
    };
    const beat = () => {
      cancelBeat = clock.after(beatInterval, beat);
      void this.#log.append(turnId, []).then(
        (isOpen) => isOpen || stop.abort(),
        (error: unknown) =>
          log.warn({ err: describeError(error), turnId }, 'An answer could not say that it goes on'),
      );
    };
    let cancelBeat = clock.after(beatInterval, beat);
    const run = async () => {
      try {
        const calls = {
          read: <K extends ReadCall>(name: K, call: CallOf<Api[K]>) => read(person, name, call, signal),
        };
        const asked = { person, clusterId: cluster.id, turnId, conversationId, text, about };
        await reason({ ...asked, calls, signal, tell }, cluster);
        await outlastStoreAbsence(() => this.#log.end(turnId, 'done', null), clock, this.#closing.signal);
      } catch (error) {
        const why: unknown = signal.aborted ? signal.reason : error;
        // Whoever stopped it said so in the answer before.
        if (!stop.signal.aborted || why instanceof Problem) await this.#fail(turnId, why);
      } finally {
        cancelBeat();
        cancelSlow();
        over();
        this.#given.delete(turnId);
      }
    };
    const done = run().catch((error: unknown) =>
      log.error({ err: describeError(error), turnId }, 'An answer of the chat could not be stored'),
    );
    this.#given.set(turnId, { clusterId: cluster.id, mode: cluster.chatMode, stop, done });
  }

  async #fail(turnId: string, error: unknown): Promise<void> {
    const { log, clock } = this.#parts;
    const isOwn = error instanceof Problem;
    if (!isOwn) log.error({ err: describeError(error), turnId }, 'An answer of the chat failed');
    const problem = isOwn ? error : storeProblem(error);
    const text =
      problem?.title ??
      'The console failed to answer. Ask again; if it happens again, ask the operator, who finds the reason in its log.';
    // What ended it may be that the database is away.
    await outlastStoreAbsence(() => this.#log.end(turnId, 'failed', text), clock, this.#closing.signal);
  }

  /** Ends the answers of a cluster in whose chat others answer from now on, or nobody. */
  async #checkMode(clusterId: number): Promise<void> {
    const given = [...this.#given.values()].filter((one) => one.clusterId === clusterId);
    if (given.length === 0) return;
    const [row] = await this.#parts.store.db
      .select({ mode: clusters.chatMode })
      .from(clusters)
      .where(eq(clusters.id, clusterId))
      .catch(() => []);
    for (const { mode, stop } of given) {
      if (row === undefined || row.mode === mode || row.mode === 'model') continue;
      const title = 'An Owner changed the model of this chat, so the answer was stopped.';
      stop.abort(new Problem({ status: 403, title }));
    }
  }

  async #checkEnded(turnId: string): Promise<void> {
    const given = this.#given.get(turnId);
    if (given === undefined) return;
    const turn = await this.#log.turn(turnId).catch(() => undefined);
    if (turn === undefined || turn.state !== 'running') given.stop.abort();
  }
}
