import { action } from '../../src/registry/command.ts';

export const clusterActions = [
  action<{ clusterId: number }>({
    id: 'cluster.switch',
    title: 'Switch cluster',
    group: 'Cluster',
    keywords: ['context'],
    when: { shell: 'app' },
    run: ({ args }, { workspace }) => workspace.switchCluster(args.clusterId),
  }),
];
