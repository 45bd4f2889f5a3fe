import type { Suggestion } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { describeError } from '../kit/describe-error.ts';
import { Answers, type AnswersParts } from './answers.ts';
import { ChatModels, type ChatModelsParts } from './chat-models.ts';
import { Conversations } from './conversations.ts';
import { answerByBoth } from './model-turn.ts';
import { Proposals } from './proposals.ts';
import { type ReaderParts, readersOf } from './question-readers.ts';
import { ChatReading, type ReadingParts } from './reading.ts';
import { suggestionsFrom } from './suggestions.ts';
import { answerByRules } from './rule-reasoner.ts';
import { type UsedTokens, usedTokens } from './usage.ts';

/** Tokens of a day (UTC), beside their limits. */
interface UsedToday extends UsedTokens {
  readonly personLimit: number;
  readonly companyLimit: number;
}

/** The AI chat of all clusters, on one server. */
export interface Chat {
  readonly answers: Answers;
  readonly conversations: Conversations;
  readonly proposals: Proposals;
  readonly reading: ChatReading;
  /** Which models answer besides the rules. */
  readonly models: ChatModels;
  /** What the model took today, and what it may. */
  readonly used: (person: Member) => Promise<UsedToday>;
  /** Questions that are worth asking now; those that hold always where the cluster cannot be read. */
  readonly suggest: (person: Member, clusterId: number, signal: AbortSignal) => Promise<Suggestion[]>;
}

export interface ChatParts
  extends Omit<AnswersParts, 'reason'>,
    ReaderParts,
    Pick<ReadingParts, 'grants' | 'kinds'>,
    Omit<ChatModelsParts, 'store'> {}

const unusable =
  'The model cannot be used: its stored key cannot be decrypted. An Owner of your organisation can enter it again.';

/** Puts the chat together; the caller closes `answers`. */
export function createChat(parts: ChatParts): Chat {
  const { store, log } = parts;
  const models = new ChatModels(parts);
  const proposals = new Proposals(store, parts.tryAction);
  const reading = new ChatReading(parts);
  const answers = new Answers({
    ...parts,
    async reason(question, cluster) {
      const { companyId } = question.person;
      const byRules = () => answerByRules(question, readersOf(question, cluster, parts));
      if (cluster.chatMode !== 'model') return await byRules();
      const answering = await models.of(companyId).catch((error: unknown) => {
        log.error({ err: describeError(error), companyId }, 'The model of a chat cannot be used');
        return null;
      });
      if (answering === undefined) return await byRules();
      if (answering === null) {
        await byRules();
        return await question.tell([{ part: { type: 'notice', text: unusable }, objects: [] }]);
      }
      const limits = () => models.limits(companyId);
      const withheld = await models.withheld(companyId);
      await answerByBoth(
        question,
        cluster,
        answering.model,
        { limits, withheld },
        { ...parts, proposals, reading },
      );
    },
  });
  return {
    answers,
    conversations: new Conversations(store),
    proposals,
    reading,
    models,
    async used(person) {
      const limits = await models.limits(person.companyId);
      const used = await usedTokens(store.db, person);
      return { ...used, personLimit: limits.person, companyLimit: limits.company };
    },
    async suggest(person, clusterId, signal) {
      try {
        return suggestionsFrom(
          await parts.read(person, 'diagnoseCluster', { params: { clusterId } }, signal),
        );
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return suggestionsFrom({ findings: [] });
      }
    },
  };
}
