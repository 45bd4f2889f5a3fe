import { route } from '../../src/registry/command.ts';

/** What a person sets for themselves. */
export const settingsRoutes = [
  route({
    id: 'settings',
    title: 'Settings',
    group: 'Account',
    icon: 'settings',
    keywords: ['profile', 'password', 'theme', 'keymap', 'preferences'],
    path: '/settings',
    keys: 'g ,',
    places: ['topbar', 'user-menu'],
    load: () => import('../../src/web/screens/Settings/Screen.tsx'),
  }),
];
