import type { Suggestion } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import type { ModelSettings } from '../kit/config-values.ts';
import { Answers, type AnswersParts } from './answers.ts';
import { Conversations } from './conversations.ts';
import { modelOf } from './model-reasoner.ts';
import { answerByBoth, type ReadLog } from './model-turn.ts';
import { Proposals, type TryAction } from './proposals.ts';
import { ChatReading, type ReadingParts } from './reading.ts';
import { suggestionsFrom } from './rule-answer.ts';
import { answerByRules } from './rule-reasoner.ts';
import { tokenLimits, type UsedTokens, usedTokens } from './usage.ts';

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
  /** The model that answers besides the rules, and where it is; null without one. */
  readonly model: { readonly name: string; readonly origin: string } | null;
  /** What the model took today, and what it may. */
  readonly used: (person: Member) => Promise<UsedToday>;
  /** Questions that are worth asking now; those that hold always where the cluster cannot be read. */
  readonly suggest: (person: Member, clusterId: number, signal: AbortSignal) => Promise<Suggestion[]>;
}

export interface ChatParts extends Omit<AnswersParts, 'reason'>, Pick<ReadingParts, 'kinds'> {
  /** The model of the installation; null without one. */
  readonly ai: ModelSettings | null;
  readonly tryAction: TryAction;
  readonly readLog: ReadLog;
}

/** Puts the chat together; the caller closes `answers`. */
export function createChat(parts: ChatParts): Chat {
  const { ai, store } = parts;
  const model = ai === null ? undefined : modelOf(ai);
  const proposals = new Proposals(store, parts.tryAction);
  const reading = new ChatReading(parts);
  const answers = new Answers({
    ...parts,
    reason: (question, cluster) =>
      model === undefined || cluster.chatMode !== 'model'
        ? answerByRules(question)
        : answerByBoth(question, cluster, model, { ...parts, proposals, reading }),
  });
  return {
    answers,
    conversations: new Conversations(store),
    proposals,
    reading,
    model: ai === null ? null : { name: ai.model, origin: ai.baseUrl.origin },
    used: async (person) => ({
      ...(await usedTokens(store.db, person)),
      personLimit: tokenLimits.person,
      companyLimit: tokenLimits.company,
    }),
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
