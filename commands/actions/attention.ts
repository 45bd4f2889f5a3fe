import { action } from '../../src/registry/commands/command.ts';
import type { ObjectRef } from '../../src/registry/commands/invocation.ts';
import type { AcknowledgeTime } from '../../src/registry/commands/services.ts';

/** Where the keys of a line apply: on pages that have “Needs attention”. */
const attentionKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'page',
  kind: 'none',
  route: ['cluster.details', 'home'],
} as const;

/** Actions on lines under “Needs attention”. */
export const attentionActions = [
  action<{ readonly trouble?: ObjectRef; readonly time?: AcknowledgeTime }>({
    id: 'attention.acknowledge',
    title: 'Acknowledge problem…',
    group: 'Cluster',
    icon: 'check',
    keywords: [
      'trouble',
      'silence',
      'snooze',
      'mute',
      'ignore',
      'hide',
      'known issue',
      'ack',
      'needs attention',
    ],
    when: { shell: 'app' },
    keysWhen: attentionKeys,
    keys: 'a',
    places: ['trouble-menu'],
    args: {
      trouble: { type: 'trouble', label: 'Problem' },
      time: {
        type: 'choice',
        label: 'How long',
        options: [
          { value: '1h', label: 'For 1 hour' },
          { value: '8h', label: 'For 8 hours' },
          { value: 'tomorrow', label: 'Until tomorrow', help: 'Until 08:00 by this browser’s clock.' },
          { value: 'week', label: 'For a week' },
          { value: 'end', label: 'Stop acknowledging', help: 'The problem is shown again.' },
        ],
        default: '8h',
      },
    },
    run: async ({ args }, { attention, palette }) => {
      const trouble = args.trouble ?? attention.trouble();
      if (trouble === undefined || args.time === undefined)
        palette.ask('attention.acknowledge', trouble === undefined ? {} : { trouble });
      else await attention.acknowledge(trouble, args.time);
    },
  }),
  action<{ readonly trouble?: ObjectRef }>({
    id: 'attention.help',
    title: 'Run the suggested fix…',
    group: 'Cluster',
    icon: 'help',
    keywords: ['repair', 'mend', 'solve', 'remedy', 'resolve'],
    when: { shell: 'app' },
    keysWhen: attentionKeys,
    keys: 'shift+a',
    places: ['trouble-menu'],
    args: { trouble: { type: 'trouble', label: 'Problem' } },
    run: async ({ args }, { attention, palette }) => {
      const trouble = args.trouble ?? attention.trouble();
      if (trouble === undefined) palette.ask('attention.help');
      else await attention.help(trouble);
    },
  }),
];
