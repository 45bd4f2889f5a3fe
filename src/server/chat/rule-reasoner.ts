import { kindById } from '../../../commands/kinds/index.ts';
import type { Diagnosis } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import { isNamespaceKind } from '../access/place.ts';
import { systemClock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import type { Question } from './reasoner.ts';
import type { ToldObject } from './sight.ts';
import { calledOf, namesIn, ruleAnswer } from './rule-answer.ts';

/** What a question is about, as the rules take it. */
interface Topic {
  /** What the question names: it may be seen by those alone who may see this. */
  readonly objects: readonly ToldObject[];
  /** Within a sentence. */
  readonly where: string;
  readonly read: () => Promise<Diagnosis>;
}

/** Answers a question by the rules alone. Throws Problem where the cluster cannot be read. */
export async function answerByRules(question: Question): Promise<void> {
  const { tell } = question;
  const { where, objects, read } = await topicOf(question);
  const id = 'rules';
  await tell([
    {
      part: { type: 'tool.started', id, tool: 'findings', about: `What the rules find in ${where}` },
      objects,
    },
  ]);
  const diagnosis = await read();
  const { length } = diagnosis.findings;
  const summary = length === 0 ? 'No findings.' : length === 1 ? 'One finding.' : `${length} findings.`;
  await tell([
    { part: { type: 'tool.done', id, ok: true, summary }, objects: [] },
    ...ruleAnswer(diagnosis, where),
  ]);
}

async function topicOf(question: Question): Promise<Topic> {
  const { about, clusterId, calls } = question;
  const found = about ?? (await namedIn(question));
  if (found === undefined)
    return {
      objects: [],
      where: 'the whole cluster',
      read: () => calls.read('diagnoseCluster', { params: { clusterId } }),
    };
  if ('space' in found)
    return {
      objects: [{ kind: 'namespace', name: found.space }],
      where: `the namespace ${found.space}`,
      read: () => calls.read('diagnoseCluster', { params: { clusterId }, query: { namespace: found.space } }),
    };
  const { kind, namespace, name } = found;
  return {
    objects: [found],
    where: calledOf(found),
    read: () =>
      calls.read('diagnoseObject', {
        params: { clusterId, kind, name },
        query: namespace === undefined ? {} : { namespace },
      }),
  };
}

/** What people mean by a name before other objects that have the same: what runs pods, then pods, then what may fail. */
const rankOf = (kind: string): number => {
  const { logs, attention } = kindById(kind) ?? {};
  if (logs === 'pods' || logs === 'jobs') return 0;
  if (logs === 'own') return 1;
  return attention === undefined ? 3 : 2;
};

/** Number of lookups of a name while the console still reads the names of the cluster, and the pause between them, ms. */
const lookups = 10;
const lookupPause = 300;

/** What has a name, as soon as the console knows the names of the cluster. */
async function hitsOf({ clusterId, calls, signal }: Question, word: string) {
  for (let turn = 1; ; turn += 1) {
    const { hits, isReading } = await calls.read('search', {
      query: { q: word, cluster: clusterId, limit: 50 },
    });
    if (!isReading || turn === lookups) return hits;
    await pause(systemClock, lookupPause, signal);
  }
}

/** The object, or the namespace, that a question calls by its name. */
async function namedIn(question: Question): Promise<Ref | { readonly space: string } | undefined> {
  let space: string | undefined;
  for (const word of namesIn(question.text)) {
    const hits = await hitsOf(question, word);
    const exact = hits.filter(({ name }) => name === word);
    const isNamespace = ({ kind }: { readonly kind: string }) => {
      const declared = kindById(kind);
      return declared !== undefined && isNamespaceKind(declared);
    };
    const objects = exact.filter((one) => !isNamespace(one) && rankOf(one.kind) < 3);
    const [best] = objects.sort((a, b) => rankOf(a.kind) - rankOf(b.kind));
    if (best !== undefined) {
      const { kind, namespace, name } = best;
      return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    }
    if (exact.some(isNamespace)) space ??= word;
  }
  return space === undefined ? undefined : { space };
}
