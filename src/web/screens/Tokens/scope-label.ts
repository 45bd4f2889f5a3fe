import {
  type NamedScope,
  namedScopes,
  type TokenScope,
  tokenScopes,
} from '../../../contract/token-scopes.ts';

const labels: Readonly<Record<TokenScope, string>> = {
  'clusters.view': 'See nodes, events and the cluster itself',
  'cronjobs.manage': 'Change cron jobs and jobs',
  'deployments.manage': 'Change and restart deployments',
  'deployments.view': 'See deployments',
  'hpas.manage': 'Change autoscalers',
  'ingresses.manage': 'Change ingresses',
  'namespaces.view': 'View namespaces and kinds without a permission of their own',
  'persistentvolumeclaims.manage': 'Change volume claims',
  'persistentvolumeclaims.view': 'See volume claims',
  'persistentvolumes.manage': 'Change persistent volumes',
  'persistentvolumes.view': 'See persistent volumes',
  'pods.manage': 'Change and delete pods',
  'pods.view': 'See pods and their logs',
  'resources.manage': 'Create and change other resources',
  'scaledobjects.manage': 'Change scaled objects',
  'secrets.view': 'See Secrets without their values',
  'statefulsets.manage': 'Change and restart stateful sets',
  'statefulsets.view': 'See stateful sets',
  'secrets.reveal': 'Reveal the values of Secrets',
  'shells.open': 'Open shells in containers',
};

/** What a scope lets a token do, in words. */
export function scopeLabel(scope: TokenScope): string {
  return labels[scope];
}

const isByName = (scope: TokenScope): scope is NamedScope => namedScopes.some((one) => one === scope);

/** The scopes as they are chosen: what sees, what changes, and what has to be ticked by its name. */
export const scopeGroups: readonly { readonly title: string; readonly scopes: readonly TokenScope[] }[] = [
  { title: 'See', scopes: tokenScopes.filter((scope) => scope.endsWith('.view')) },
  { title: 'Change', scopes: tokenScopes.filter((scope) => scope.endsWith('.manage')) },
  { title: 'Dangerous: never part of anything else', scopes: tokenScopes.filter(isByName) },
];
