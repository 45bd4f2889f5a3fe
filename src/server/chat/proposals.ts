import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { actionById, kindById } from '../../../commands/kinds/index.ts';
import type { ChatPart } from '../../contract/chat.ts';
import type { ObjectBody, Outcome, Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { chatProposals } from '../store/schema/chat.ts';
import type { Store } from '../store/store.ts';
import { redactText } from '../kit/redact-text.ts';
import { addLater, type ToldPart } from './answer-log.ts';
import { redactObject } from './redaction.ts';
import type { ProposedChange } from './tool.ts';

/** How long a proposal is good, minutes. */
const proposalLifetime = 10;

/** The dry run of an action for a person. Throws Problem. */
export type TryAction = (
  person: Member,
  clusterId: number,
  proposal: ProposedChange,
  signal: AbortSignal,
) => Promise<readonly Outcome[]>;

/** What the dry run said of one object. */
type BriefOutcome = Extract<ChatPart, { readonly type: 'proposal' }>['outcomes'][number];

/** Objects of a proposal whose difference is kept, and bytes of one object. */
const differenceLimit = 5;
const objectSize = 16 * 1024;

/** An object before and after, as it may be stored: redacted, and without what the cluster writes itself. */
function differenceOf({ ref, ok, before, after }: Outcome): BriefOutcome['difference'] {
  const kind = kindById(ref.kind);
  if (!ok || before === undefined || kind === undefined) return undefined;
  const kept = ({ status: _status, ...object }: ObjectBody) => redactObject(kind, object) as ObjectBody;
  const difference = { before: kept(before), after: after === undefined ? null : kept(after) };
  const isSmall = Object.values(difference).every(
    (object) => Buffer.byteLength(JSON.stringify(object)) <= objectSize,
  );
  return isSmall ? difference : undefined;
}

/** The objects of a stored proposal, as `add` alone writes them. */
const refsOf = ({ refs }: Pick<typeof chatProposals.$inferSelect, 'refs'>): Ref[] => refs as Ref[];

/** An ordinary action on objects that somebody takes up. */
export interface TakenProposal {
  readonly action: string;
  readonly refs: Ref[];
  readonly args: Record<string, unknown>;
}

/** Changes that answers propose: stored, good for ten minutes, for one person on one cluster, once. */
export class Proposals {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #tryAction: TryAction;

  constructor(store: Pick<Store, 'db' | 'channel'>, tryAction: TryAction) {
    this.#store = store;
    this.#tryAction = tryAction;
  }

  /**
   * Stores a proposal with its dry run, and gives the part that tells of it. Throws Problem for what cannot be done.
   * @param warning why the proposal may be an order of a text of the cluster, a sentence
   */
  async add(
    person: Member,
    clusterId: number,
    turnId: string,
    proposal: ProposedChange,
    signal: AbortSignal,
    warning?: string,
  ): Promise<{
    readonly told: ToldPart;
    readonly id: string;
    readonly outcomes: readonly Omit<BriefOutcome, 'difference'>[];
  }> {
    const action = actionById(proposal.action);
    if (action === undefined) throw new Problem({ status: 404, title: 'There is no such action.' });
    const outcomes = await this.#tryAction(person, clusterId, proposal, signal);
    const refs = [...proposal.refs];
    const id = randomUUID();
    const [row] = await this.#store.db
      .insert(chatProposals)
      .values({
        id,
        companyId: person.companyId,
        userId: person.id,
        clusterId,
        turnId,
        kind: refs[0]?.kind ?? '',
        action: action.id,
        refs,
        args: proposal.args,
        expiresAt: sql`now() + make_interval(mins => ${proposalLifetime})`,
      })
      .returning({ expiresAt: chatProposals.expiresAt });
    const brief = outcomes.map((outcome, index) => {
      const { ref, ok, message, change } = outcome;
      const difference = index < differenceLimit ? differenceOf(outcome) : undefined;
      return {
        ref,
        ok,
        message: redactText(message),
        change: change === undefined ? null : redactText(change),
        ...(difference === undefined ? {} : { difference }),
      };
    });
    const told: ToldPart = {
      part: {
        type: 'proposal',
        id,
        action: action.id,
        title: action.title,
        refs,
        args: { ...proposal.args },
        outcomes: brief,
        expiresAt: row?.expiresAt ?? '',
        ...(warning === undefined ? {} : { warning }),
      },
      objects: refs,
    };
    // The model is told the change in short.
    return { told, id, outcomes: brief.map(({ difference: _difference, ...short }) => short) };
  }

  /**
   * Takes a proposal up, once: the answer says so from then on. What it is comes from the store and from nowhere else.
   * Throws Problem 404 for one that is not the person's on this cluster, 410 for one that was taken or has run out.
   */
  async take(person: Member, clusterId: number, id: string): Promise<TakenProposal> {
    const own = and(
      eq(chatProposals.id, id),
      eq(chatProposals.userId, person.id),
      eq(chatProposals.companyId, person.companyId),
      eq(chatProposals.clusterId, clusterId),
    );
    const taken = await this.#store.db.transaction(async (tx) => {
      const [row] = await tx
        .update(chatProposals)
        .set({ consumedAt: sql`now()` })
        .where(
          and(own, isNull(chatProposals.consumedAt), sql`${chatProposals.expiresAt} > clock_timestamp()`),
        )
        .returning();
      if (row === undefined) return undefined;
      await addLater(tx, row.turnId, [
        { part: { type: 'decision', proposal: id, decision: 'taken' }, objects: refsOf(row) },
      ]);
      return row;
    });
    if (taken === undefined) {
      const [there] = await this.#store.db.select({ id: chatProposals.id }).from(chatProposals).where(own);
      throw there === undefined
        ? new Problem({ status: 404, title: 'There is no such proposal.' })
        : new Problem({
            status: 410,
            title: `This proposal was already accepted, or is older than ${proposalLifetime} minutes. Ask again.`,
          });
    }
    await this.#store.channel.notify('chat', { turnId: taken.turnId });
    return {
      action: taken.action,
      refs: refsOf(taken),
      args: taken.args as Record<string, unknown>,
    };
  }
}
