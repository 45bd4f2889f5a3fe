import type { Suggestion } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { Answers, type AnswersParts } from './answers.ts';
import { Conversations } from './conversations.ts';
import { ChatReading, type ReadingParts } from './reading.ts';
import { suggestionsFrom } from './rule-answer.ts';
import { answerByRules } from './rule-reasoner.ts';

/** The AI chat of all clusters, on one server. */
export interface Chat {
  readonly answers: Answers;
  readonly conversations: Conversations;
  readonly reading: ChatReading;
  /** Questions that are worth asking now; those that hold always where the cluster cannot be read. */
  readonly suggest: (person: Member, clusterId: number, signal: AbortSignal) => Promise<Suggestion[]>;
}

/** Puts the chat together; the caller closes `answers`. */
export function createChat(parts: Omit<AnswersParts, 'reason'> & ReadingParts): Chat {
  const answers = new Answers({
    ...parts,
    reason: async (question) => {
      await answerByRules(question);
    },
  });
  return {
    answers,
    conversations: new Conversations(parts.store),
    reading: new ChatReading(parts),
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
