import type { ServiceAccount } from '../../src/kube/rbac.ts';
import { defineKind, type RelatedObject } from '../../src/registry/kinds/kind.ts';

const namesOf = (list: readonly { name?: string }[] | undefined) =>
  (list ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]));

/** The Secrets that it names; of those nothing but the name is known here. */
function refs({ metadata, secrets, imagePullSecrets }: ServiceAccount): readonly RelatedObject[] {
  const { namespace } = metadata ?? {};
  const names = new Set([...namesOf(secrets), ...namesOf(imagePullSecrets)]);
  return [...names].map((name) => ({
    relation: 'uses',
    apiVersion: 'v1',
    kind: 'Secret',
    ...(namespace === undefined ? {} : { namespace }),
    name,
  }));
}

export const serviceaccount = defineKind<ServiceAccount>({
  id: 'serviceaccount',
  kind: 'ServiceAccount',
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
  aliases: ['sa', 'serviceaccounts'],
  title: 'ServiceAccounts',
  icon: 'account',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 170 },
  columns: [
    'namespace',
    'name',
    {
      id: 'secrets',
      label: 'Secrets',
      format: 'list',
      links: { to: 'named', kind: 'secret' },
      dropAt: 3,
      value: ({ secrets }) => namesOf(secrets),
    },
    {
      id: 'pull-secrets',
      label: 'Pull secrets',
      format: 'list',
      links: { to: 'named', kind: 'secret' },
      dropAt: 4,
      value: ({ imagePullSecrets }) => namesOf(imagePullSecrets),
    },
    {
      id: 'token',
      label: 'Token',
      format: 'text',
      dropAt: 5,
      value: ({ automountServiceAccountToken }) =>
        automountServiceAccountToken === false ? 'Not mounted' : 'Mounted',
    },
    'labels',
    'age',
  ],
  refs,
  usedBy: ['rolebinding', 'clusterrolebinding', 'pod'],
  usedAcross: true,
  // Every pod that names none runs as `default`.
  graph: 'shared',
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'User name',
          format: 'mono',
          value: ({ metadata }) =>
            `system:serviceaccount:${metadata?.namespace ?? ''}:${metadata?.name ?? ''}`,
        },
        {
          label: 'Token in pods',
          format: 'text',
          value: ({ automountServiceAccountToken }) =>
            automountServiceAccountToken === false
              ? 'Not mounted, unless a pod asks for it'
              : 'Mounted, unless a pod refuses it',
        },
        {
          label: 'Secrets',
          format: 'mono',
          value: ({ secrets }) => namesOf(secrets),
          links: { to: 'named', kind: 'secret' },
        },
        {
          label: 'Pull secrets',
          format: 'mono',
          links: { to: 'named', kind: 'secret' },
          value: ({ imagePullSecrets }) => namesOf(imagePullSecrets),
        },
      ],
    },
    'used-by',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
