import { action } from '../../src/registry/commands/command.ts';

/** The community's help page. */
export const communityActions = [
  action({
    id: 'help.community',
    title: 'Help',
    group: 'Workspace',
    isFirst: true,
    icon: 'help',
    keywords: ['community', 'support', 'chat'],
    when: { shell: 'app', role: 'admin', help: 'named' },
    places: ['topbar'],
    run: (_, { help }) => help.openCommunity(),
  }),
];
