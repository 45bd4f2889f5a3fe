import { action, type Subject } from '../../src/registry/command.ts';

/** What of an address stands below its cluster: the list and its search. */
const belowCluster = /^\/clusters\/\d+\/(.+)$/;

const clusterOf = (subject: Subject) =>
  subject.type === 'cluster'
    ? subject.cluster
    : subject.type === 'objects'
      ? subject.refs[0].cluster
      : undefined;

/** Filters of lists that a person keeps by a name, for every cluster. */
export const filterActions = [
  action<{ name?: string }>({
    id: 'filter.save',
    title: 'Save this filter',
    group: 'List',
    icon: 'search',
    keywords: ['keep', 'bookmark', 'search'],
    when: { focus: 'table' },
    keys: 'f s',
    args: { name: { type: 'text', label: 'Name of the filter', pattern: '\\S', help: 'Give it a name' } },
    run: async ({ args: { name } }, { api, workspace, toast, palette }) => {
      if (name === undefined) return palette.ask('filter.save');
      const place = belowCluster.exec(workspace.href())?.[1] ?? '';
      await api.saveFilter({ params: { name }, body: { place } });
      toast.success(`Saved the filter “${name}”`);
    },
  }),
  action<{ name?: string }>({
    id: 'filter.open',
    title: 'Open a saved filter',
    group: 'List',
    icon: 'search',
    when: { shell: 'app', cluster: 'selected', focus: ['table', 'page'] },
    keys: 'f f',
    args: { name: { type: 'saved-filter', label: 'Filter' } },
    run: async ({ args: { name }, subject, target }, { api, workspace, toast, palette }) => {
      if (name === undefined) return palette.ask('filter.open');
      const { filters } = await api.filters({});
      const place = filters.find((one) => one.name === name)?.place;
      const cluster = clusterOf(subject);
      if (place === undefined || cluster === undefined)
        toast.warning(`There is no filter “${name}” any more.`);
      else workspace.open(`/clusters/${cluster}/${place}`, target);
    },
  }),
  action<{ name?: string }>({
    id: 'filter.forget',
    title: 'Forget a saved filter',
    group: 'List',
    icon: 'search',
    when: { shell: 'app' },
    args: { name: { type: 'saved-filter', label: 'Filter' } },
    run: async ({ args: { name } }, { api, toast, palette }) => {
      if (name === undefined) return palette.ask('filter.forget');
      await api.deleteFilter({ params: { name } });
      toast.success(`Forgot the filter “${name}”`);
    },
  }),
];
