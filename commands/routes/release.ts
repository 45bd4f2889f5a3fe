import { route } from '../../src/registry/commands/command.ts';

/** Pages of a Helm release besides its detail page. */
export const releaseRoutes = [
  route({
    id: 'release.history',
    title: ({ args }) => `${args.releaseName} history`,
    prompt: 'History of a Helm release…',
    group: 'Go to',
    icon: 'history',
    path: '/clusters/:clusterId/namespaces/:namespace/releases/:releaseName/history',
    kind: 'release',
    shows: 'object',
    search: ['from', 'to'],
    needs: 'namespaces.view',
    load: () => import('../../src/web/features/helm/HistoryScreen.tsx'),
  }),
];
