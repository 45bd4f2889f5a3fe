import { action } from '../../src/registry/command.ts';
import type { ObjectRef } from '../../src/registry/command.ts';
import type { AcknowledgeTime } from '../../src/registry/services.ts';

/** Actions on lines under “Needs attention”. */
export const attentionActions = [
  action<{ readonly trouble?: ObjectRef; readonly time?: AcknowledgeTime }>({
    id: 'attention.acknowledge',
    title: 'Acknowledge trouble…',
    group: 'Cluster',
    icon: 'check',
    keywords: ['silence', 'snooze', 'mute', 'ignore', 'hide', 'known issue', 'ack', 'needs attention'],
    when: { shell: 'app' },
    keysWhen: {
      shell: 'app',
      overlay: 'none',
      focus: 'page',
      kind: 'none',
      route: ['cluster.details', 'home'],
    },
    keys: 'a',
    places: ['trouble-menu'],
    args: {
      trouble: { type: 'trouble', label: 'Trouble' },
      time: {
        type: 'choice',
        label: 'Until when',
        options: [
          { value: '1h', label: 'For 1 hour' },
          { value: '8h', label: 'For 8 hours' },
          { value: 'tomorrow', label: 'Until tomorrow', help: 'At 08:00 by the clock of this browser.' },
          { value: 'week', label: 'For a week' },
          { value: 'end', label: 'No more', help: 'Ends an acknowledgement: the line is shown again.' },
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
];
