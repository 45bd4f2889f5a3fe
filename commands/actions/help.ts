import { action } from '../../src/registry/command.ts';
import { leaderCommand } from '../../src/registry/keymap.ts';

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

/** Help about using the console. */
export const helpActions = [
  action({
    id: 'keys.sheet',
    title: 'Keyboard shortcuts',
    group: 'Workspace',
    icon: 'keyboard',
    keywords: ['help', 'cheat sheet', 'keys', 'hotkeys', 'keybindings'],
    when: { shell: 'app' },
    keys: '?',
    places: ['user-menu'],
    run: (_, { help }) => help.showKeys(),
  }),
  action({
    id: leaderCommand,
    title: 'Give the next key to the console',
    group: 'Workspace',
    when: { shell: 'app', focus: ['terminal', 'input'] },
    keys: 'mod+shift+space',
    run: (_, { help }) => help.lead(),
  }),
];
