import { kindById } from '../../../commands/kinds/index.ts';
import type { Diagnosis } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import { isNamespaceKind } from '../access/place.ts';
import { systemClock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import type { Question } from './reasoner.ts';
import { distinct, objectsOfFinding, type ToldObject } from './sight.ts';
import { calledOf, namesIn, ruleAnswer } from './rule-answer.ts';

/** Id of the tool of the rules, the first part of an answer that says what its question is about. */
export const topicId = 'rules';

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
  const id = topicId;
  await tell([
    {
      part: { type: 'tool.started', id, tool: 'findings', about: `What the rules find in ${where}` },
      objects,
    },
  ]);
  const diagnosis = await read();
  const { length } = diagnosis.findings;
  const summary =
    diagnosis.gone !== undefined
      ? 'It is not there.'
      : length === 0
        ? 'No findings.'
        : length === 1
          ? 'One finding.'
          : `${length} findings.`;
  await tell([
    // How many there are tells of each.
    {
      part: { type: 'tool.done', id, ok: true, summary },
      objects: distinct(diagnosis.findings.flatMap(objectsOfFinding)),
    },
    ...ruleAnswer(diagnosis, where),
  ]);
}

async function topicOf(question: Question): Promise<Topic> {
  const { about, clusterId, calls } = question;
  const named = await namedIn(question);
  // Whoever reads the question learns of all that it names.
  const objects: ToldObject[] = [...(about === null ? [] : [about]), ...named];
  const [first] = named.filter((one) => rankOf(one.kind) < unusual);
  const space = named.find((one) => isNamespace(one))?.name;
  const found = about ?? first;
  if (found !== undefined)
    return {
      objects,
      where: calledOf(found),
      read: () =>
        calls.read('diagnoseObject', {
          params: { clusterId, kind: found.kind, name: found.name },
          query: found.namespace === undefined ? {} : { namespace: found.namespace },
        }),
    };
  if (space !== undefined)
    return {
      objects,
      where: `the namespace ${space}`,
      read: () => calls.read('diagnoseCluster', { params: { clusterId }, query: { namespace: space } }),
    };
  return {
    // What the rules find nowhere tells of every namespace.
    objects: [...objects, { kind: 'namespace', need: 'asker' }],
    where: 'the whole cluster',
    read: () => calls.read('diagnoseCluster', { params: { clusterId } }),
  };
}

/** What people mean by a name before other objects that have the same: what runs pods, then pods, then what may fail. */
const rankOf = (kind: string): number => {
  const { logs, attention } = kindById(kind) ?? {};
  if (logs === 'pods' || logs === 'jobs') return 0;
  if (logs === 'own') return 1;
  return attention === undefined ? unusual : 2;
};

/** Rank of what a question is hardly about, as a Secret: it is named by it all the same. */
const unusual = 3;

function isNamespace({ kind }: Pick<Ref, 'kind'>): boolean {
  const declared = kindById(kind);
  return declared !== undefined && isNamespaceKind(declared);
}

/** Number of lookups of a name while the console still reads the names of the cluster, and the pause between them, ms. */
const lookups = 10;
const lookupPause = 300;

/** What has a name, as soon as the console knows the names of the cluster. */
async function hitsOf({ clusterId, calls, signal }: Question, word: string) {
  for (let lookup = 1; ; lookup += 1) {
    const { hits, isReading } = await calls.read('search', {
      query: { q: word, cluster: clusterId, limit: 50, excluded: 'shown' },
    });
    if (!isReading || lookup === lookups) return hits;
    await pause(systemClock, lookupPause, signal);
  }
}

/** What a question calls by its name, one object for each word: what people mean by it first. */
async function namedIn(question: Question): Promise<Ref[]> {
  const { about, text } = question;
  const named: Ref[] = [];
  for (const word of namesIn(text)) {
    if (word === about?.name || word === about?.namespace) continue;
    const hits = (await hitsOf(question, word)).filter(({ name }) => name === word);
    const order = (hit: Pick<Ref, 'kind'>) => (isNamespace(hit) ? unusual - 0.5 : rankOf(hit.kind));
    const [best] = hits.sort((a, b) => order(a) - order(b));
    if (best === undefined) continue;
    const { kind, namespace, name } = best;
    named.push({ kind, name, ...(namespace === undefined ? {} : { namespace }) });
  }
  return named;
}
