import type { Suggestion } from '../../contract/chat.ts';
import type { Diagnosis } from '../../contract/diagnosis.ts';
import { calledOf } from './rules/question-names.ts';

/** Questions that are suggested, at most. */
const suggestionLimit = 4;

/** Questions that are worth asking: about what is wrong, the worst first, else about the cluster. */
export function suggestionsFrom({ findings }: Pick<Diagnosis, 'findings'>): Suggestion[] {
  const roots = findings.map(({ path, object }) => path[0] ?? object);
  const each = [...new Map(roots.map((ref) => [JSON.stringify(ref), ref])).values()];
  const about = each.slice(0, suggestionLimit).map((ref) => ({
    question: `Why is ${calledOf(ref)} unhealthy?`,
    about: ref,
  }));
  return [...about, { question: 'What is wrong in this cluster?', about: null }];
}
