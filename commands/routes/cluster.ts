import { route } from '../../src/registry/command.ts';

/** Home, the clusters, and a cluster's own pages that are not a kind. */
export const clusterRoutes = [
  route({
    id: 'home',
    title: 'Home',
    group: 'Go to',
    icon: 'home',
    path: '/',
    keys: 'g shift+h',
    load: () => import('../../src/web/screens/Home/Screen.tsx'),
  }),
  // Where the payment page leads back to whoever gave up: as the specification has it, home again.
  route({
    id: 'subscription.cancel',
    title: () => 'Home',
    group: 'Go to',
    icon: 'home',
    path: '/subscription/cancel',
    load: () => import('../../src/web/screens/Home/Screen.tsx'),
  }),
  route({
    id: 'clusters.list',
    title: 'Clusters',
    group: 'Go to',
    icon: 'clusters',
    path: '/clusters',
    search: ['add'],
    keys: 'g shift+c',
    places: ['user-menu'],
    load: () => import('../../src/web/screens/Clusters/Screen.tsx'),
  }),
  route({
    id: 'cluster.details',
    title: 'Dashboard',
    group: 'Go to',
    icon: 'dashboard',
    path: '/clusters/:clusterId',
    when: { shell: 'app', cluster: 'selected' },
    keys: 'g o',
    places: [{ sidebar: 'Cluster', order: 10 }],
    load: () => import('../../src/web/screens/Cluster/Screen.tsx'),
  }),
  route({
    id: 'cluster.graph',
    title: 'Resource graph',
    group: 'Go to',
    icon: 'graph',
    path: '/clusters/:clusterId/visualization/resources',
    search: ['ns', 'form'],
    when: { shell: 'app', cluster: 'selected' },
    load: () => import('../../src/web/screens/Graph/Screen.tsx'),
  }),
];
