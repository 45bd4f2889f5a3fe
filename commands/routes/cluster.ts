import { route } from '../../src/registry/command.ts';

/** Home, the list of clusters, and pages of a cluster that belong to no kind. */
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
  // The return address after a cancelled payment; the specification redirects it to home.
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
