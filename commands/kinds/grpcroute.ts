import { gatewayGroup, type Route } from '../../src/kube/gateway.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { gatewayAddOn, gatewayHealth, routeColumns, routeRefs, routeSections } from './parts/gateway.ts';

export const grpcroute = defineKind<Route>({
  id: 'grpcroute',
  kind: 'GRPCRoute',
  group: gatewayGroup,
  version: 'v1',
  plural: 'grpcroutes',
  scope: 'Namespaced',
  aliases: ['grpcroutes'],
  title: 'GRPCRoutes',
  icon: 'route',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 110 },
  addOn: gatewayAddOn,
  ...gatewayHealth('grpcroute', 'GRPCRoute', 'Requests may not reach their targets.'),
  columns: ['namespace', 'name', 'status', ...routeColumns, 'labels', 'age'],
  refs: routeRefs,
  sections: routeSections,
});
