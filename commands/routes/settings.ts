import { route } from '../../src/registry/commands/command.ts';

/** What the page of the audit looks for, and the entry that it shows. */
const searchOfAudit = ['person', 'object', 'cluster', 'action', 'outcome', 'from', 'until', 'entry'];

/** The recording that the page of recorded shells replays; it looks for the same as the audit. */
const searchOfRecordings = ['recording'];

/** What the form that asks for access begins with, beside the cluster. */
const searchOfAsking = ['ask', 'namespace'];

/** The page of the settings, and the settings of a cluster. */
export const settingsRoutes = [
  route({
    id: 'settings',
    title: 'Settings',
    group: 'Account',
    icon: 'settings',
    keywords: ['preferences', 'options', 'configuration', 'customize', 'customise', 'configure'],
    path: '/settings',
    search: [
      'section',
      'at',
      'failure',
      'provider',
      ...searchOfAudit,
      ...searchOfRecordings,
      ...searchOfAsking,
    ],
    keys: 'g ,',
    places: ['topbar', 'user-menu'],
    load: () => import('../../src/web/screens/Settings/Screen.tsx'),
  }),
  route({
    id: 'cluster.userSettings',
    title: 'Cluster Settings',
    group: 'Cluster',
    icon: 'settings',
    keywords: ['user settings', 'exclude namespaces', 'excluded namespaces', 'hide namespaces', 'defaults'],
    path: '/clusters/:clusterId/settings/cluster',
    search: ['webhook'],
    when: { shell: 'app', cluster: 'selected' },
    keys: 'g shift+e',
    places: [
      { sidebar: 'Cluster', order: 90, isForOwners: true },
      { settings: 'Account', order: 60 },
      'cluster-settings',
    ],
    load: () => import('../../src/web/screens/ClusterSettings/Screen.tsx'),
  }),
  route({
    id: 'cluster.globalSettings',
    title: 'Cluster settings for everyone',
    group: 'Cluster',
    icon: 'settings',
    keywords: ['cluster rules', 'global settings', 'policy', 'protect', 'read-only', 'shell', 'attach'],
    path: '/clusters/:clusterId/settings/global',
    access: 'owner',
    when: { shell: 'app', cluster: 'selected' },
    keys: 'g shift+g',
    places: ['user-menu', 'cluster-page', 'cluster-settings'],
    load: () => import('../../src/web/screens/ClusterRules/Screen.tsx'),
  }),
];
