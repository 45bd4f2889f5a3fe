import { gatewayGroup, type GatewayReference, type ReferenceGrant } from '../../src/kube/gateway.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { gatewayAddOn } from './parts/gateway.ts';

const kindText = ({ group = '', kind = '' }: GatewayReference) => (group === '' ? kind : `${kind}.${group}`);
const fromTexts = ({ spec }: ReferenceGrant) =>
  (spec?.from ?? []).map((one) => `${kindText(one)} of ${one.namespace ?? '?'}`);
const toTexts = ({ spec }: ReferenceGrant) =>
  (spec?.to ?? []).map((one) => `${kindText(one)} ${one.name ?? '(all)'}`);

export const referencegrant = defineKind<ReferenceGrant>({
  id: 'referencegrant',
  kind: 'ReferenceGrant',
  group: gatewayGroup,
  version: 'v1beta1',
  plural: 'referencegrants',
  scope: 'Namespaced',
  aliases: ['refgrant', 'referencegrants'],
  title: 'ReferenceGrants',
  icon: 'binding',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 120 },
  addOn: gatewayAddOn,
  columns: [
    'namespace',
    'name',
    { id: 'from', label: 'Lets in', format: 'list', dropAt: 2, value: fromTexts },
    { id: 'to', label: 'To', format: 'list', dropAt: 3, value: toTexts },
    'labels',
    'age',
  ],
  graph: 'none',
  sections: [
    {
      title: 'Lets in',
      columns: [
        { label: 'Kind', format: 'mono' },
        { label: 'Of namespace', format: 'text' },
      ],
      rows: ({ spec }) => (spec?.from ?? []).map((one) => [kindText(one), one.namespace ?? null]),
      empty: () => 'It lets nothing in.',
    },
    {
      title: 'To',
      columns: [
        { label: 'Kind', format: 'mono' },
        { label: 'Name', format: 'text' },
      ],
      rows: ({ spec }) => (spec?.to ?? []).map((one) => [kindText(one), one.name ?? 'every one of them']),
      empty: () => 'It names nothing, so it lets nothing in.',
    },
    'metadata',
    'events',
    'yaml',
  ],
});
