import type { Logger } from 'pino';
import type { ChatTurn } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import type { Ref } from '../../contract/objects.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Grants } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import type { Clock } from '../kit/clock.ts';
import type { LastLines } from '../logs/logs.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { AnswerLog, type ToldPart } from './answer-log.ts';
import type { ProviderModel, TokenLimits } from './chat-models.ts';
import { peopleOfConversation } from './conversation-people.ts';
import { MeteredModel } from './metered-model.ts';
import { answerByModel, answerOf, rememberedTurns } from './model-reasoner.ts';
import { noticeOfOrders } from './orders.ts';
import type { Proposals } from './proposals.ts';
import type { ChatReading } from './reading.ts';
import type { Question } from './reasoner.ts';
import { answerByRules } from './rule-reasoner.ts';
import { distinct } from './sight.ts';
import { ToolRunner } from './tool-runner.ts';
import { TokenLedger } from './token-ledger.ts';
import { usedTokens, usedUp } from './usage.ts';

/** Lines of a log for a person. Throws Problem. */
export type ReadLog = (
  question: Pick<Question, 'person' | 'signal'>,
  cluster: ClusterRow,
  asked: LastLines,
) => Promise<string>;

/** Who wrote which fields of an object last, as the cluster has it; whoever asks may view it. Throws ClusterProblem. */
export type ReadManagedFields = (
  cluster: ClusterRow,
  kind: AnyKind,
  ref: Omit<Ref, 'kind'>,
  signal: AbortSignal,
) => Promise<unknown>;

export interface ModelTurnParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly grants: Pick<Grants, 'access'>;
  readonly kinds: Pick<KindCatalogue, 'find'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly proposals: Proposals;
  readonly reading: ChatReading;
  readonly readLog: ReadLog;
  readonly readManagedFields: ReadManagedFields;
}

/** Answers by the rules first, then by the model, which is told what they found. */
export async function answerByBoth(
  question: Question,
  cluster: ClusterRow,
  model: ProviderModel,
  limits: () => Promise<TokenLimits>,
  parts: ModelTurnParts,
): Promise<void> {
  const { person, clusterId, conversationId, turnId, calls, signal, tell } = question;
  const told: ToldPart[] = [];
  const heard = async (more: readonly ToldPart[]) => {
    told.push(...more);
    await tell(more);
  };
  try {
    await answerByRules({ ...question, tell: heard });
  } catch (error) {
    // The model may find what the rules were not asked well.
    if (!(error instanceof Problem) || signal.aborted) throw error;
    await tell([{ part: { type: 'notice', text: error.title }, objects: [] }]);
  }
  const refusal = usedUp(await usedTokens(parts.store.db, person), await limits());
  if (refusal !== undefined) {
    await tell([{ part: { type: 'notice', text: refusal }, objects: [] }]);
    return;
  }
  const { turns } = await parts.reading.conversation(person, cluster, conversationId);
  const history = rememberedTurns(turns.filter(({ id, withheld }) => id !== turnId && withheld === null));
  const before = await new AnswerLog(parts.store).read(history.map(({ id }) => id));
  const seenTurns = new Set(turns.flatMap(({ id, withheld }) => (withheld === null ? [id] : [])));
  const people = await peopleOfConversation(parts.store.db, person, conversationId, seenTurns);
  const runner = new ToolRunner({
    clusterId,
    calls,
    tell,
    people,
    reach: () => parts.grants.access(person, clusterId),
    findKind: (name) => parts.kinds.find(cluster, name),
    readLog: (asked) => parts.readLog(question, cluster, asked),
    readManagedFields: async ({ kind: name, ...ref }) => {
      const kind = await parts.kinds.find(cluster, name);
      const { held } = await parts.grants.access(person, clusterId);
      return held.may(kind.permissions.view, viewPlace(kind, ref))
        ? await parts.readManagedFields(cluster, kind, ref, signal)
        : undefined;
    },
    propose: async (proposal) => {
      const {
        told: part,
        id,
        outcomes,
      } = await parts.proposals.add(person, clusterId, turnId, proposal, signal);
      await tell([part]);
      return { id, outcomes };
    },
  });
  const lines: string[] = [];
  for (const { part } of told) {
    if (part.type === 'evidence') runner.adopt(part.id, part.evidence);
    if (part.type === 'text') lines.push(`${part.text} [${part.cites.join(', ')}]`);
    if (part.type === 'notice') lines.push(part.text);
  }
  await tell(
    noticeOfOrders(
      [...lines, ...history.map(answerOf)],
      'in what the rules find, or in answers before',
      distinct([...told, ...before].flatMap(({ objects }) => objects)),
    ),
  );
  // What the model knows of the turns before may be told again: it stays with those who may see them.
  const objects = distinct([
    ...history.flatMap(({ about }) => about ?? []),
    ...before.flatMap((one) => one.objects),
  ]);
  const known = people.masked([question.text, ...lines, ...history.flatMap(saidIn)].join('\n'));
  await tell([
    { part: { type: 'notice', text: 'The rest was written by a model and may be wrong.' }, objects },
    ...people.untold(known, objects),
  ]);
  await answerByModel(question, {
    metered: new MeteredModel({
      model,
      ledger: new TokenLedger(parts.store.db),
      person,
      limits,
      log: parts.log,
    }),
    runner,
    findings: lines.join('\n'),
    history,
    people,
    clock: parts.clock,
    log: parts.log,
  });
}

const saidIn = (turn: ChatTurn): readonly string[] => [turn.question ?? '', answerOf(turn)];
