import type { PriorityClass } from '../../src/kube/scheduling.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

const pushes = ({ preemptionPolicy }: PriorityClass) => preemptionPolicy !== 'Never';

export const priorityclass = defineKind<PriorityClass>({
  id: 'priorityclass',
  kind: 'PriorityClass',
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  scope: 'Cluster',
  aliases: ['pc', 'priorityclasses'],
  title: 'PriorityClasses',
  icon: 'priority',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 160 },
  columns: [
    'name',
    { id: 'value', label: 'Value', format: 'number', dropAt: 1, value: ({ value }) => value ?? 0 },
    {
      id: 'default',
      label: 'Default',
      format: 'text',
      dropAt: 2,
      value: ({ globalDefault }) => (globalDefault === true ? 'Yes' : null),
    },
    {
      id: 'preemption',
      label: 'Preempts',
      format: 'text',
      dropAt: 3,
      value: (object) => (pushes(object) ? 'Lower pods' : 'Never'),
    },
    {
      id: 'description',
      label: 'Description',
      format: 'message',
      dropAt: 4,
      value: ({ description }) => description ?? null,
    },
    'labels',
    'age',
  ],
  graph: 'none',
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Value', format: 'number', value: ({ value }) => value ?? 0 },
        {
          label: 'Default',
          format: 'text',
          value: ({ globalDefault }) =>
            globalDefault === true ? 'Yes: pods without a class get this one' : 'No',
        },
        {
          label: 'Preempts',
          format: 'text',
          value: (object) =>
            pushes(object)
              ? 'Pods of lower priority, where there is no room otherwise'
              : 'Never: its pods wait for room',
        },
        { label: 'Description', format: 'message', value: ({ description }) => description ?? null },
      ],
    },
    'metadata',
    'events',
    'yaml',
  ],
});
