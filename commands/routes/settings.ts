import { route, settingsSection } from '../../src/registry/command.ts';

/** Settings of a person, and settings of a cluster by an Owner. */
export const settingsRoutes = [
  route({
    id: 'settings',
    title: 'Settings',
    group: 'Account',
    icon: 'settings',
    keywords: ['preferences', 'options', 'configuration', 'customize', 'customise', 'configure'],
    path: '/settings',
    search: ['section', 'at'],
    keys: 'g ,',
    places: ['topbar', 'user-menu'],
    load: () => import('../../src/web/screens/Settings/Screen.tsx'),
  }),
  settingsSection({
    id: 'settings.profile',
    title: 'Profile',
    section: 'profile',
    at: { settings: 'Account', order: 10 },
    keywords: ['account', 'name', 'email', 'password', 'change password'],
    load: () => import('../../src/web/screens/Settings/ProfileSection.tsx'),
  }),
  settingsSection({
    id: 'settings.appearance',
    title: 'Appearance and changes',
    section: 'appearance',
    at: { settings: 'Account', order: 20 },
    keywords: ['confirm', 'hold', 'undo time', 'preferences'],
    load: () => import('../../src/web/screens/Settings/AppearanceSection.tsx'),
  }),
  settingsSection({
    id: 'settings.keys',
    title: 'Keymap',
    section: 'keys',
    at: { settings: 'Account', order: 30 },
    keywords: ['bindings', 'remap', 'change keys'],
    load: () => import('../../src/web/screens/Settings/KeysSection.tsx'),
  }),
  route({
    id: 'cluster.globalSettings',
    title: 'Cluster rules',
    group: 'Cluster',
    icon: 'settings',
    keywords: ['settings', 'protect', 'read-only', 'shell', 'attach'],
    path: '/clusters/:clusterId/settings/global',
    access: 'owner',
    when: { shell: 'app', cluster: 'selected' },
    places: ['user-menu', 'cluster-page'],
    load: () => import('../../src/web/screens/ClusterRules/Screen.tsx'),
  }),
];
