import { action } from '../../src/registry/commands/command.ts';
import { numberedNamespaces } from '../../src/registry/commands/numbered-namespaces.ts';

export const clusterActions = [
  action<{ clusterId: number }>({
    id: 'cluster.switch',
    title: 'Switch cluster',
    group: 'Cluster',
    icon: 'clusters',
    keywords: ['context', 'ctx', 'kubectx', 'change', 'use', 'select'],
    when: { shell: 'app' },
    args: { clusterId: { type: 'cluster', label: 'Cluster' } },
    run: ({ args }, { workspace }) => workspace.switchCluster(args.clusterId),
  }),
  action<{ namespace: string }>({
    id: 'cluster.chooseNamespace',
    title: 'Choose namespace',
    group: 'Cluster',
    icon: 'namespace',
    keywords: ['switch', 'change', 'use', 'select', 'ns', 'kubens'],
    when: { shell: 'app', cluster: 'selected' },
    needs: 'namespaces.view',
    args: { namespace: { type: 'namespace', label: 'Namespace' } },
    run: async ({ args, subject, target }, { view, workspace, objects }) => {
      const name = args.namespace === '' ? undefined : args.namespace;
      if (target === 'here' && (await view.chooseNamespace(name))) return;
      const cluster = subject.type === 'cluster' ? subject.cluster : undefined;
      if (cluster === undefined) return;
      workspace.chooseNamespace(Number(cluster), name);
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
    run: async (_, { view, toast }) => {
      if (!(await view.chooseNamespace(undefined)))
        toast.info('This list shows cluster-scoped objects, which have no namespace.');
    },
  }),
  action({
    id: 'cluster.toggleExcluded',
    title: 'Show or leave out excluded namespaces',
    group: 'Cluster',
    icon: 'namespace',
    keywords: ['hidden', 'hide', 'show all'],
    when: [
      { shell: 'app', cluster: 'selected', focus: ['table', 'graph', 'diff'] },
      { shell: 'app', cluster: 'selected', route: 'cluster.details', focus: 'page' },
    ],
    keys: 'shift+e',
    run: async (_, { view, toast }) => {
      if (!(await view.toggleExcluded()))
        toast.info('This view leaves out no namespaces. Exclude some under Cluster Settings.');
    },
  }),
  // As in k9s, numbers select the namespaces that a person works in.
  ...numberedNamespaces.map((id, at) =>
    action({
      id,
      title: `Show namespace ${at + 1}`,
      keywords: ['number', 'recent'],
      group: 'Cluster',
      icon: 'namespace',
      when: { shell: 'app', cluster: 'selected', focus: 'table' },
      needs: 'namespaces.view',
      keys: String(at + 1),
      run: (_, { view }) => view.chooseNumbered(at + 1),
    }),
  ),
];
