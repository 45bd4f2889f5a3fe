import { action } from '../../src/registry/command.ts';

export const sessionActions = [
  action({
    id: 'session.logout',
    title: 'Logout',
    group: 'Account',
    icon: 'logout',
    keywords: ['sign out', 'log out', 'quit', 'exit'],
    when: { shell: 'app' },
    places: ['user-menu'],
    run: (_, { session }) => session.logout(),
  }),
];
