import { gatewayGroup, type Route } from '../../src/kube/gateway.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { gatewayAddOn, gatewayHealth, routeColumns, routeRefs, routeSections } from './parts/gateway.ts';

export const httproute = defineKind<Route>({
  id: 'httproute',
  kind: 'HTTPRoute',
  group: gatewayGroup,
  version: 'v1',
  plural: 'httproutes',
  scope: 'Namespaced',
  aliases: ['httproutes'],
  title: 'HTTPRoutes',
  icon: 'route',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 100 },
  addOn: gatewayAddOn,
  ...gatewayHealth('httproute', 'HTTPRoute', 'Requests may not reach their targets.'),
  columns: ['namespace', 'name', 'status', ...routeColumns, 'labels', 'age'],
  refs: routeRefs,
  sections: routeSections,
});
