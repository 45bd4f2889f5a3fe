import type { Ref } from '../../../contract/objects.ts';
import { changes } from './changes.ts';
import type { AskedQuestion, RuleAnswer } from './asking.ts';
import { holders } from './holders.ts';
import { count, list } from './lists.ts';
import { events, image, logs, rollout, uses } from './object-answers.ts';
import { permission } from './permission.ts';
import type { IntentId } from './question-parser.ts';
import { room } from './room.ts';
import { trouble } from './trouble.ts';
import { usage } from './usage.ts';

/** A sort of question that the rules answer. */
interface Intent {
  /** The subject of its answers, within a sentence. */
  readonly title: string;
  /** A question of the sort, which the parser takes for one. */
  readonly example: string;
  readonly answer: (asked: AskedQuestion) => RuleAnswer;
}

/** Everything that the rules answer. */
export const intents: Readonly<Record<IntentId, Intent>> = {
  trouble: {
    title: 'what is wrong with an object, in a namespace or in the cluster',
    example: 'What is wrong in shop?',
    answer: trouble,
  },
  changes: { title: 'what changed', example: 'What changed in shop since yesterday?', answer: changes },
  permission: {
    title: 'what you may do, and whom to ask for more',
    example: 'May I drain worker-1?',
    answer: permission,
  },
  holders: {
    title: 'who may do something',
    example: 'Who can delete pods in shop?',
    answer: holders,
  },
  room: {
    title: 'whether there is room for more replicas',
    example: 'Is there room to scale cart to 5?',
    answer: room,
  },
  uses: { title: 'what uses an object', example: 'What uses the Secret database?', answer: uses },
  usage: {
    title: 'how much CPU and memory is used',
    example: 'How much memory does cart use?',
    answer: usage,
  },
  logs: { title: 'the log of a pod or workload', example: 'Show the log of cart', answer: logs },
  events: { title: 'events', example: 'Show the events of cart', answer: events },
  count: { title: 'how many objects there are', example: 'How many pods are in shop?', answer: count },
  list: { title: 'which objects there are', example: 'Which pods are not ready?', answer: list },
  rollout: { title: 'the state of a rollout', example: 'Is the rollout of cart complete?', answer: rollout },
  image: { title: 'the images of a workload', example: 'Which image does cart run?', answer: image },
  help: { title: 'what the rules can answer', example: 'What can you answer?', answer: help },
};

/** Questions that the rules answer, with names of the cluster in place of those of the examples where it has some. */
export async function answerable({ question: { calls, clusterId } }: AskedQuestion): Promise<{
  readonly text: string;
  /** Objects that it names. */
  readonly objects: readonly Ref[];
}> {
  const firstOf = async (kind: string): Promise<Ref | undefined> => {
    const { hits } = await calls.read('search', { query: { cluster: clusterId, kinds: kind, limit: 1 } });
    const [hit] = hits;
    return (
      hit && { kind, name: hit.name, ...(hit.namespace === undefined ? {} : { namespace: hit.namespace }) }
    );
  };
  const [workload, node, secret] = [
    await firstOf('deployment'),
    await firstOf('node'),
    await firstOf('secret'),
  ];
  const examples = Object.entries(intents).flatMap(([id, { example }]) => {
    const named = [
      [/\bcart\b/, workload?.name],
      [/\bshop\b/, workload?.namespace],
      [/\bworker-1\b/, node?.name],
      [/\bdatabase\b/, secret?.name],
    ] as const;
    // An example of what the cluster does not have would not be understood.
    if (id === 'help' || named.some(([place, name]) => place.test(example) && name === undefined)) return [];
    return [`• ${named.reduce((text, [place, name]) => text.replace(place, name ?? ''), example)}`];
  });
  return {
    text: ['The rules answer questions such as:', ...examples].join('\n'),
    objects: [workload, node, secret].filter((ref) => ref !== undefined),
  };
}

function help(asked: AskedQuestion): RuleAnswer {
  return {
    about: 'What the rules can answer',
    async read(answer) {
      const { text, objects } = await answerable(asked);
      answer.say(text, { objects });
      return { summary: 'Nothing was looked up.' };
    },
  };
}
