import { z } from 'zod';
import { Problem } from '../../contract/problem.ts';
import { redactEnd } from '../kit/redact-text.ts';
import { existenceOf, name } from './named-object.ts';
import { withoutKeyedSecrets } from './secret-keys.ts';
import { fitEnd, longRoom, tool } from './tool.ts';

export const logs = tool({
  name: 'logs',
  description: 'The last lines of a container’s log, of its present or previous run, filtered by a text.',
  input: z.object({
    namespace: z.string().min(1).max(253),
    container: z.string().max(253).optional(),
    pod: name,
    previous: z.boolean().optional(),
    grep: z.string().max(200).optional(),
    lines: z.int().min(1).max(500).optional(),
  }),
  about: ({ namespace: space, pod }) => `Log of ${space}/${pod}`,
  names: ({ namespace: space, pod }) => [{ kind: 'pod', namespace: space, name: pod }],
  async run({ namespace: space, pod, container, previous = false, grep, lines = 100 }, parts) {
    if (parts.withheld.has('logLines'))
      throw new Problem({
        status: 403,
        title: 'An Owner of your organisation does not allow log lines to be sent to the model.',
      });
    const text = await parts.readLog({ namespace: space, pod, container, previous, lines });
    // Redacted as a whole first: a line alone, or the end of one, does not show that it is part of a secret.
    // People are masked before: the end may begin in an address.
    const all = withoutKeyedSecrets(redactEnd(parts.people.masked(text)))
      .split('\n')
      .filter((line) => line !== '' && (grep === undefined || line.includes(grep)));
    const ref = { kind: 'pod', namespace: space, name: pod };
    return {
      summary: `${all.length} lines.`,
      // The end of a log says most: what does not fit is its beginning.
      data: fitEnd(all.slice(-lines), longRoom),
      objects: [ref],
      evidence:
        container === undefined
          ? [existenceOf(ref)]
          : [{ type: 'log', ref, container, previous, at: null } as const],
    };
  },
});
