import { action } from '../../src/registry/commands/command.ts';
import { hrefOfPlace } from '../../src/registry/filter/place.ts';
import type { Subject } from '../../src/registry/commands/invocation.ts';

/** Captures the part of an address below its cluster: the list and its search. */
const belowCluster = /^\/clusters\/\d+\/(.+)$/;

const clusterOf = (subject: Subject) =>
  subject.type === 'cluster'
    ? subject.cluster
    : subject.type === 'objects'
      ? subject.refs[0].cluster
      : undefined;

/** Filters of lists that a person saves under a name, for every cluster, and how they are written. */
export const filterActions = [
  action({
    id: 'filter.help',
    title: 'How filters are written',
    group: 'List',
    icon: 'help',
    keywords: ['filter language', 'filter syntax', 'regex', 'search', 'query'],
    when: { focus: 'table' },
    run: (_, { view }) => view.list()?.explainFilter(),
  }),
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
      const { filters } = await api.filters({});
      const before = filters.find((one) => one.name === name)?.place;
      await api.saveFilter({ params: { name }, body: { place } });
      if (before === undefined || before === place) toast.success(`Saved the filter “${name}”`);
      else toast.success(`Replaced the filter “${name}”`, { detail: `It was ${before}` });
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
      else workspace.open(hrefOfPlace(place, cluster), target);
    },
  }),
  action<{ name?: string; to?: string }>({
    id: 'filter.rename',
    title: 'Rename a saved filter',
    group: 'List',
    icon: 'search',
    when: { shell: 'app' },
    args: {
      name: { type: 'saved-filter', label: 'Filter' },
      to: { type: 'text', label: 'New name', pattern: '\\S', help: 'Give it a name' },
    },
    run: async ({ args: { name, to: typed } }, { api, toast, palette }) => {
      // Trimmed like on the server; otherwise the old name with spaces would count as another.
      const to = typed?.trim();
      if (name === undefined || to === undefined) return palette.ask('filter.rename');
      if (to === name) return;
      const { filters } = await api.filters({});
      const place = filters.find((one) => one.name === name)?.place;
      if (place === undefined) return toast.warning(`There is no filter “${name}” any more.`);
      if (filters.some((one) => one.name === to)) {
        return toast.warning(`There is a filter “${to}” already.`, { detail: 'Delete it first.' });
      }
      // Saves the new name first: a failure between the two calls leaves one filter too many, not one too few.
      await api.saveFilter({ params: { name: to }, body: { place } });
      await api.deleteFilter({ params: { name } });
      toast.success(`Renamed the filter “${name}” to “${to}”`);
    },
  }),
  action<{ name?: string }>({
    id: 'filter.forget',
    title: 'Delete a saved filter',
    group: 'List',
    icon: 'search',
    when: { shell: 'app' },
    args: { name: { type: 'saved-filter', label: 'Filter' } },
    run: async ({ args: { name } }, { api, toast, palette }) => {
      if (name === undefined) return palette.ask('filter.forget');
      await api.deleteFilter({ params: { name } });
      toast.success(`Deleted the filter “${name}”`);
    },
  }),
];
