import { action } from '../../src/registry/commands/command.ts';
import { askPath, explainRefusal } from '../../src/registry/commands/explain-refusal.ts';
import { leaderCommand } from '../../src/registry/keys/keymap.ts';

/** What of a refusal is asked: `needs` as the call takes them, `what` in words. */
interface Refused {
  readonly what?: string;
  readonly needs?: string;
  /** Where the subject names none. */
  readonly namespace?: string;
  /** Id of the team that `team` is about. */
  readonly team?: string;
}

/** Says what the person lacks for something, where, and who can grant it. */
const whyNot = action<Refused>({
  id: 'help.whyNot',
  title: 'Why can I not …',
  group: 'Workspace',
  icon: 'help',
  keywords: [
    'permission',
    'forbidden',
    'refused',
    'missing',
    'hidden',
    'disabled',
    'may not',
    'who can grant',
  ],
  when: { shell: 'app' },
  keys: 'g ?',
  run: async ({ args: { what, needs, namespace, team }, subject }, services) => {
    if (needs === undefined) {
      services.palette.toggle('why ');
      return;
    }
    const ref = subject.type === 'objects' ? subject.refs[0] : undefined;
    const cluster = subject.type === 'cluster' ? subject.cluster : ref?.cluster;
    await explainRefusal({ what, needs, cluster, namespace: ref?.namespace ?? namespace, team }, services);
  },
});

/** The same while a menu is open, about what it leaves out. */
const whyNotInMenu = action({
  id: 'help.whyNotInMenu',
  title: 'Why can I not … in this menu',
  group: 'Workspace',
  icon: 'help',
  when: { shell: 'app', overlay: 'menu' },
  keys: '?',
  run: (_, { palette }) => palette.toggle('why '),
});

/** Asks for permissions for a while: on the selected cluster, or on one that the form asks for. */
const askForAccess = action({
  id: 'access.ask',
  title: 'Ask for temporary access…',
  group: 'Account',
  icon: 'help',
  keywords: ['permission', 'elevate', 'request access', 'break glass', 'just in time', 'sudo'],
  when: { shell: 'app', role: 'member' },
  run: ({ subject }, { workspace }) => {
    const ref = subject.type === 'objects' ? subject.refs[0] : undefined;
    const cluster = subject.type === 'cluster' ? subject.cluster : ref?.cluster;
    workspace.open(askPath('any', cluster, ref?.namespace));
  },
});

/** Help about using the console. */
export const helpActions = [
  whyNot,
  whyNotInMenu,
  askForAccess,
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
