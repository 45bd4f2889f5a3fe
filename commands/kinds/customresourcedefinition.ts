import { epochSeconds } from '../../src/kube/age.ts';
import { newestFirst } from '../../src/kube/api-versions.ts';
import type { CustomResourceDefinition } from '../../src/kube/custom.ts';
import { condition } from '../../src/kube/workload-status.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

const versionsOf = ({ spec }: CustomResourceDefinition) =>
  Array.isArray(spec?.versions) ? spec.versions : [];
/** The newest served version, which kubectl uses. */
const servedOf = (object: CustomResourceDefinition) =>
  newestFirst(
    versionsOf(object).flatMap(({ name, served }) => (served === false || name === undefined ? [] : [name])),
  )[0] ?? null;

const isEstablished = ({ status }: CustomResourceDefinition) =>
  condition(status?.conditions, 'Established')?.status === 'True';

export const customresourcedefinition = defineKind<CustomResourceDefinition>({
  id: 'customresourcedefinition',
  kind: 'CustomResourceDefinition',
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  aliases: ['crd', 'crds', 'customresourcedefinitions'],
  title: 'Definitions',
  icon: 'customresourcedefinition',
  asksForName: true,
  deletionReaches: 'instances',
  permissions: { view: 'clusters.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 250 },
  status: (object) => {
    const accepted = condition(object.status?.conditions, 'NamesAccepted');
    if (accepted?.status === 'False')
      return { tone: isEstablished(object) ? 'warn' : 'bad', label: accepted.reason ?? 'Names taken' };
    return isEstablished(object)
      ? { tone: 'ok', label: 'Established' }
      : { tone: 'info', label: 'Not established' };
  },
  attention: (object) => {
    const accepted = condition(object.status?.conditions, 'NamesAccepted');
    if (accepted?.status !== 'False') return undefined;
    const since = epochSeconds(accepted.lastTransitionTime);
    // Once established, a definition goes on with the names that were accepted.
    const isServed = isEstablished(object);
    return {
      rule: 'customresourcedefinition.names',
      tone: isServed ? 'warn' : 'bad',
      title: isServed
        ? 'Its new names are taken by another definition, so its objects keep those they had before.'
        : 'Its names are taken by another definition, so its objects are not served.',
      extent: isServed ? 1 : 2,
      ...(accepted.message === undefined ? {} : { detail: accepted.message }),
      ...(since === null ? {} : { since }),
    };
  },
  rules: ['customresourcedefinition.names'],
  columns: [
    'name',
    'status',
    { id: 'kind', label: 'Kind', format: 'text', dropAt: 2, value: ({ spec }) => spec?.names?.kind ?? null },
    { id: 'group', label: 'Group', format: 'text', dropAt: 4, value: ({ spec }) => spec?.group ?? null },
    { id: 'version', label: 'Version', format: 'text', dropAt: 3, value: servedOf },
    { id: 'scope', label: 'Scope', format: 'text', dropAt: 5, value: ({ spec }) => spec?.scope ?? null },
    {
      id: 'short-names',
      label: 'Short names',
      format: 'list',
      dropAt: 6,
      value: ({ spec }) => (Array.isArray(spec?.names?.shortNames) ? spec.names.shortNames : null),
    },
    {
      id: 'categories',
      label: 'Categories',
      format: 'list',
      wide: true,
      dropAt: 7,
      value: ({ spec }) => (Array.isArray(spec?.names?.categories) ? spec.names.categories : null),
    },
    'labels',
    'age',
  ],
  graph: 'none',
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Kind', format: 'text', value: ({ spec }) => spec?.names?.kind ?? null },
        { label: 'Plural', format: 'mono', value: ({ spec }) => spec?.names?.plural ?? null },
        { label: 'Group', format: 'mono', value: ({ spec }) => spec?.group ?? null },
        { label: 'Scope', format: 'text', value: ({ spec }) => spec?.scope ?? null },
        {
          label: 'Versions',
          format: 'mono',
          value: (object) =>
            versionsOf(object).map(
              ({ name = '?', served, storage }) =>
                `${name}${storage === true ? ', stored' : ''}${served === false ? ', not served' : ''}`,
            ),
        },
        { label: 'Short names', format: 'mono', value: ({ spec }) => spec?.names?.shortNames ?? null },
      ],
    },
    'conditions',
    'metadata',
    'events',
    'yaml',
  ],
});
