import type { Logger } from 'pino';
import type { DataClass } from '../../contract/chat-model.ts';
import type { ChatPart, ChatTurn } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { AnswerLog, type ToldPart } from './answer-log.ts';
import type { ProviderModel, TokenLimits } from './chat-models.ts';
import { peopleOfConversation } from './conversation-people.ts';
import { MeteredModel } from './metered-model.ts';
import { answerByModel, answerOf, rememberedTurns } from './model-reasoner.ts';
import { noticeOfOrders } from './orders.ts';
import { warningOf } from './proposal-check.ts';
import type { Proposals } from './proposals.ts';
import { type ReaderParts, readersOf } from './question-readers.ts';
import type { ChatReading } from './reading.ts';
import type { Question } from './reasoner.ts';
import { answerByRules } from './rule-reasoner.ts';
import { distinct } from './sight.ts';
import { ToolRunner } from './tool-runner.ts';
import { TokenLedger } from './token-ledger.ts';
import { usedTokens, usedUp } from './usage.ts';

export interface ModelTurnParts extends ReaderParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly proposals: Proposals;
  readonly reading: ChatReading;
}

/** Choices of an Owner about the model. */
export interface ModelChoices {
  readonly limits: () => Promise<TokenLimits>;
  /** Data that it is not told. */
  readonly withheld: ReadonlySet<DataClass>;
}

/** Answers by the rules first, then by the model, which is told what they found. */
export async function answerByBoth(
  question: Question,
  cluster: ClusterRow,
  model: ProviderModel,
  { limits, withheld }: ModelChoices,
  parts: ModelTurnParts,
): Promise<void> {
  const { person, clusterId, conversationId, turnId, calls, signal, tell } = question;
  const readers = readersOf(question, cluster, parts);
  const told: ToldPart[] = [];
  const heard = async (more: readonly ToldPart[]) => {
    told.push(...more);
    await tell(more);
  };
  try {
    await answerByRules({ ...question, tell: heard }, readers, { isAlone: false });
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
  const history = rememberedTurns(
    turns.filter(
      (turn) =>
        turn.id !== turnId && turn.withheld === null && !(withheld.has('logLines') && quotesLog(turn.parts)),
    ),
  );
  const before = await new AnswerLog(parts.store).read(history.map(({ id }) => id));
  const seenTurns = new Set(turns.flatMap((turn) => (turn.withheld === null ? [turn.id] : [])));
  const people = await peopleOfConversation(parts.store.db, person, conversationId, seenTurns);
  const ground = { question: question.text, objects: groundOf(question, told) };
  const runner: ToolRunner = new ToolRunner({
    clusterId,
    calls,
    tell,
    people,
    ...readers,
    withheld,
    propose: async (proposal) => {
      const {
        told: part,
        id,
        outcomes,
      } = await parts.proposals.add(
        person,
        clusterId,
        turnId,
        proposal,
        signal,
        warningOf(proposal, ground, runner.texts),
      );
      await tell([part]);
      return { id, outcomes };
    },
  });
  const lines: string[] = [];
  const isLogAnswer = told.some(({ part }) => part.type === 'tool.started' && part.tool === 'logs');
  for (const { part, objects: of } of told) {
    // Answers about rights name people, and are nothing for a provider.
    if (of.some(({ need }) => need === 'self')) continue;
    // Sentences of the rules quote lines of logs.
    if (withheld.has('logLines') && part.type === 'text' && (isLogAnswer || citesLog(part.cites, told)))
      continue;
    if (part.type === 'evidence') runner.adopt(part.id, part.evidence, sentencesOf(part.id, told));
    if (part.type === 'text') lines.push(`${part.text} [${part.cites.join(', ')}]`);
    if (part.type === 'notice') lines.push(part.text);
  }
  for (const line of lines) runner.note('What the rules find', line);
  for (const turn of history) runner.note('An earlier answer', answerOf(turn));
  await tell(
    noticeOfOrders(
      [...lines, ...history.map(answerOf)],
      'in what the rules find, or in earlier answers',
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

/** The sentences of the rules that cite a piece of evidence. */
const sentencesOf = (id: string, told: readonly ToldPart[]): string =>
  told.flatMap(({ part }) => (part.type === 'text' && part.cites.includes(id) ? [part.text] : [])).join('\n');

/** The objects that a question is asked at, and those that the rules find at fault. */
const groundOf = ({ about }: Question, told: readonly ToldPart[]) => [
  ...(about === null ? [] : [about]),
  ...told.flatMap(({ part }) =>
    part.type === 'text'
      ? [
          ...(part.object === undefined ? [] : [part.object]),
          ...(part.actions ?? []).flatMap(({ refs }) => refs),
        ]
      : [],
  ),
];

/** Whether an answer was made of lines of a log. */
const quotesLog = (parts: readonly { readonly part: ChatPart }[]): boolean =>
  parts.some(
    ({ part }) =>
      (part.type === 'tool.started' && part.tool === 'logs') ||
      (part.type === 'evidence' && part.evidence.type === 'log' && part.evidence.line !== undefined),
  );

/** Whether a sentence cites a log. */
const citesLog = (cites: readonly string[], told: readonly ToldPart[]): boolean =>
  told.some(
    ({ part }) => part.type === 'evidence' && part.evidence.type === 'log' && cites.includes(part.id),
  );
