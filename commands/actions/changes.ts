import type { ChangeGuard } from '../../src/contract/preferences.ts';
import { action } from '../../src/registry/commands/command.ts';
import { viewFocus } from '../../src/registry/commands/when.ts';

/** How single-key changes are guarded against slips. */
export const changeActions = [
  action({
    id: 'changes.undo',
    title: 'Undo the change that is about to be sent',
    group: 'Objects',
    icon: 'rollback',
    keywords: ['undo', 'cancel', 'stop', 'held'],
    when: { shell: 'app', focus: viewFocus },
    offered: { change: 'held' },
    keys: ['u', 'mod+z'],
    run: (_, { objects }) => objects.undo(),
  }),
  action<{ changes: ChangeGuard }>({
    id: 'changes.guard',
    title: 'Changes by a single key: ask first, or hold',
    group: 'Objects',
    icon: 'settings',
    keywords: ['confirm', 'undo time', 'restart', 'safety', 'settings', 'preferences'],
    when: { shell: 'app' },
    args: {
      changes: {
        type: 'choice',
        label: 'Changes by a single key',
        options: [
          { value: 'confirm', label: 'Ask first', help: 'A dialog asks first; Enter confirms.' },
          { value: 'hold', label: 'Hold for 5 s', help: 'Sent after 5 s, unless you undo it before.' },
        ],
        default: 'confirm',
      },
    },
    run: async ({ args }, { preferences, toast }) => {
      await preferences.setChanges(args.changes);
      toast.success(args.changes === 'hold' ? 'Changes are held for 5 s' : 'Changes are asked first');
    },
  }),
];
