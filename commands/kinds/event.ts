import { eventTime, firstTime, type KubeEvent } from '../../src/kube/infrastructure.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { objectCell } from '../../src/registry/kinds/object-cell.ts';

const epoch = (iso: string | undefined): number | null => {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
};

export const event = defineKind<KubeEvent>({
  id: 'event',
  kind: 'Event',
  group: '',
  version: 'v1',
  plural: 'events',
  scope: 'Namespaced',
  aliases: ['ev', 'events'],
  title: 'Events',
  icon: 'event',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/events',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/objects/core/events/:eventName'],
  },
  sidebar: { section: 'Cluster', order: 40, keys: 'g e' },
  // Events are unbounded: the list shows the newest thousand, and the count is the full number.
  window: { sort: '-last-seen', limit: 1000 },
  status: (object) =>
    object.type === 'Warning'
      ? { tone: 'warn', label: 'Warning' }
      : { tone: 'idle', label: object.type ?? 'Normal' },
  columns: [
    { id: 'last-seen', label: 'Last seen', format: 'age', value: (object) => epoch(eventTime(object)) },
    'status',
    { id: 'reason', label: 'Reason', format: 'text', value: (object) => object.reason ?? null },
    'namespace',
    {
      id: 'object',
      label: 'Object',
      format: 'object',
      links: { to: 'object' },
      value: ({ involvedObject }) => {
        const { apiVersion, kind = '', name = '', namespace = '' } = involvedObject ?? {};
        return objectCell(apiVersion, kind, name, namespace);
      },
    },
    { id: 'message', label: 'Message', format: 'message', value: (object) => object.message ?? null },
    {
      id: 'count',
      label: 'Count',
      format: 'number',
      dropAt: 2,
      value: (object) => object.series?.count ?? object.count ?? 1,
    },
    // Only for looking up the event's page; not displayed.
    {
      id: 'name',
      label: 'Name',
      format: 'name',
      wide: true,
      dropAt: 6,
      value: (object) => object.metadata?.name ?? '',
    },
    {
      id: 'source',
      label: 'Source',
      format: 'text',
      wide: true,
      dropAt: 4,
      value: (object) => object.source?.component ?? object.reportingComponent ?? null,
    },
  ],
  graph: 'none',
  facts: (object) => ({ about: object.involvedObject?.uid ?? '', first: epoch(firstTime(object)) }),
  refs: (object) => {
    const { apiVersion = 'v1', kind, namespace, name } = object.involvedObject ?? {};
    if (kind === undefined || name === undefined) return [];
    return [
      {
        relation: 'targets',
        apiVersion,
        kind,
        ...(namespace === undefined || namespace === '' ? {} : { namespace }),
        name,
        // Events outlive their objects.
        absence: 'usual',
      },
    ];
  },
  sections: [
    {
      title: 'Event',
      fields: [
        { label: 'Reason', format: 'text', value: (object) => object.reason ?? null },
        { label: 'Message', format: 'message', value: (object) => object.message ?? null },
        {
          label: 'Reported by',
          format: 'text',
          value: (object) => object.source?.component ?? object.reportingComponent ?? null,
        },
        { label: 'Last seen', format: 'age', value: (object) => epoch(eventTime(object)) },
      ],
    },
    'related',
    'metadata',
    'yaml',
  ],
});
