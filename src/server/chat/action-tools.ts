import { z } from 'zod';
import { declaredRef, object, refOf } from './named-object.ts';
import { objectTool } from './tool-of-object.ts';
import { redactValue } from './redaction.ts';
import { tool } from './tool.ts';

export const whyNot = objectTool({
  name: 'why_not',
  description:
    'Which actions the person may do on an object now, what keeps others from being done, and which tools write the object themselves and put changes back.',
  about: (text) => `Actions on ${text}`,
  async run(_named, { calls, clusterId }, ref) {
    const { actions, refused } = await calls.read('availableActions', {
      params: { clusterId },
      body: { refs: [ref] },
    });
    const written = await calls.read('objectWriters', {
      params: { clusterId },
      body: { refs: [ref], act: 'change' },
    });
    const writtenBy = written.objects.flatMap(({ writers }) => writers.map(({ sentence }) => sentence));
    return {
      summary: `${actions.filter(({ enabled }) => enabled === true).length} actions can be done.`,
      data: { actions, lacksThePermissionFor: refused, writtenBy },
    };
  },
});

export const propose = tool({
  name: 'propose',
  description:
    'Proposes an action to the person, who may run it. It changes nothing. Take the id of an action from why_not.',
  input: z.object({
    action: z.string().min(1).max(100),
    objects: z.array(object).min(1).max(20),
    args: z.record(z.string().max(100), z.unknown()).optional(),
  }),
  about: ({ action }) => `Proposal of ${action}`,
  names: ({ objects }) => objects.map(refOf),
  async run({ action, objects, args = {} }, parts) {
    const refs = await Promise.all(objects.map((one) => declaredRef(parts, one)));
    const { outcomes } = await parts.propose({ action, refs, args });
    return {
      summary: 'Proposed; nothing was changed.',
      data: { note: 'It was shown to the person. Nothing was changed.', outcomes: redactValue(outcomes) },
      objects: refs,
      evidence: [],
    };
  },
});
