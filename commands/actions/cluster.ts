import { action } from '../../src/registry/command.ts';

export const clusterActions = [
  action<{ clusterId: number }>({
    id: 'cluster.switch',
    title: 'Switch cluster',
    group: 'Cluster',
    icon: 'clusters',
    keywords: ['context'],
    when: { shell: 'app' },
    args: { clusterId: { type: 'cluster', label: 'Cluster' } },
    run: ({ args }, { workspace }) => workspace.switchCluster(args.clusterId),
  }),
  action<{ namespace: string }>({
    id: 'cluster.chooseNamespace',
    title: 'Choose namespace',
    group: 'Cluster',
    icon: 'namespace',
    when: { shell: 'app', cluster: 'selected' },
    needs: 'namespaces.view',
    args: { namespace: { type: 'namespace', label: 'Namespace' } },
    run: ({ args, subject, target }, { view, workspace, objects }) => {
      const name = args.namespace === '' ? undefined : args.namespace;
      if (target === 'here' && view.chooseNamespace(name)) return;
      const cluster = subject.type === 'cluster' ? subject.cluster : undefined;
      if (cluster === undefined) return;
      if (name === undefined) workspace.open(`/clusters/${cluster}/namespaces`, target);
      else objects.open({ cluster, kind: 'namespace', name }, target);
    },
  }),
  action({
    id: 'cluster.allNamespaces',
    title: 'Show all namespaces',
    group: 'Cluster',
    icon: 'namespace',
    when: { shell: 'app', cluster: 'selected', focus: 'table' },
    needs: 'namespaces.view',
    keys: '0',
    run: (_, { view, toast }) => {
      if (!view.chooseNamespace(undefined)) toast.info('What this list shows belongs to no namespace.');
    },
  }),
];
