import { aboutText } from '../../src/registry/commands/chat-about.ts';
import { action } from '../../src/registry/commands/command.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import { kindsWithoutFile } from '../../src/registry/commands/kind-commands.ts';
import { fillPath } from '../../src/registry/path.ts';
import { viewFocus } from '../../src/registry/commands/when.ts';
import { clusterRoutes } from '../routes/cluster.ts';

/** Asking the chat about an object: its key, then Enter. @param kinds those with a file */
export const chatActions = (kinds: readonly Pick<Kind, 'id'>[]) => {
  const all = [...kinds.map(({ id }) => id), kindsWithoutFile];
  const path = clusterRoutes.find(({ id }) => id === 'cluster.chat')?.path ?? '';
  return [
    action({
      id: 'object.ask',
      title: 'Ask the chat about this',
      group: 'Objects',
      icon: 'chat',
      keywords: ['ai', 'assistant', 'question', 'explain', 'why', 'diagnose', 'what is wrong'],
      when: { focus: viewFocus, kind: all },
      actsOn: all,
      places: ['row-menu'],
      keys: 'shift+q',
      enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
      run: ({ subject, target }, { workspace }) => {
        if (subject.type !== 'objects') return;
        const { cluster, ...ref } = subject.refs[0];
        const search = new URLSearchParams({ about: aboutText(ref) }).toString();
        workspace.open(`${fillPath(path, { clusterId: cluster })}?${search}`, target);
      },
    }),
  ];
};
