import { z } from 'zod';
import { declaredRef, existenceOf, object, objectText, refOf } from './named-object.ts';
import { redactValue } from './redaction.ts';
import { tool } from './tool.ts';

export const whyNot = tool({
  name: 'why_not',
  description: 'Which actions the person may do on an object now, and what keeps others from being done.',
  input: object,
  about: (named) => `Actions on ${objectText(named)}`,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const ref = await declaredRef(parts, named);
    const { actions, refused } = await parts.calls.read('availableActions', {
      params: { clusterId: parts.clusterId },
      body: { refs: [ref] },
    });
    return {
      summary: `${actions.filter(({ enabled }) => enabled === true).length} actions can be done.`,
      data: { actions, lacksThePermissionFor: refused },
      objects: [ref],
      evidence: [existenceOf(ref)],
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
