import { route } from '../../src/registry/command.ts';

/** Settings of a person, and settings of a cluster by an Owner. */
export const settingsRoutes = [
  route({
    id: 'settings',
    title: 'Settings',
    group: 'Account',
    icon: 'settings',
    keywords: ['profile', 'password', 'theme', 'keymap', 'preferences', 'confirm', 'undo', 'hold'],
    path: '/settings',
    search: ['at'],
    keys: 'g ,',
    places: ['topbar', 'user-menu'],
    load: () => import('../../src/web/screens/Settings/Screen.tsx'),
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
