import { formatSelector } from '../../src/kube/format-selector.ts';
import {
  type NetworkPolicy,
  type PolicyDirection,
  policyDirections,
  policyLines,
  policyText,
} from '../../src/kube/network-policy.ts';
import { defineKind, type TableSection } from '../../src/registry/kinds/kind.ts';

const selectsText = ({ spec }: NetworkPolicy) => formatSelector(spec?.podSelector) || 'every pod';

function directionTable(
  direction: PolicyDirection,
  peer: string,
  nothing: string,
): TableSection<NetworkPolicy> {
  return {
    title: direction,
    columns: [
      { label: peer, format: 'list' },
      { label: 'Ports', format: 'mono' },
    ],
    rows: (object) => (policyLines(object, direction) ?? []).map(({ peers, ports }) => [peers, ports]),
    empty: (object) =>
      policyLines(object, direction) === undefined ? 'This policy does not restrict it.' : nothing,
  };
}

export const networkpolicy = defineKind<NetworkPolicy>({
  id: 'networkpolicy',
  kind: 'NetworkPolicy',
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  scope: 'Namespaced',
  aliases: ['netpol', 'np', 'networkpolicies', 'firewall'],
  title: 'NetworkPolicies',
  icon: 'policy',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 70 },
  columns: [
    'namespace',
    'name',
    { id: 'selects', label: 'Selects', format: 'mono', dropAt: 2, value: selectsText },
    { id: 'types', label: 'Restricts', format: 'list', dropAt: 3, value: policyDirections },
    {
      id: 'ingress',
      label: 'In from',
      format: 'list',
      dropAt: 4,
      value: (object) => policyText(object, 'Ingress'),
    },
    {
      id: 'egress',
      label: 'Out to',
      format: 'list',
      dropAt: 5,
      value: (object) => policyText(object, 'Egress'),
    },
    'labels',
    'age',
  ],
  pods: ({ spec }) => spec?.podSelector,
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Selects', format: 'mono', value: selectsText },
        { label: 'Restricts', format: 'list', value: policyDirections },
      ],
    },
    directionTable('Ingress', 'From', 'Nothing may come in.'),
    directionTable('Egress', 'To', 'Nothing may go out.'),
    'pods',
    'metadata',
    'events',
    'yaml',
  ],
});
