import { all, but, condition, object, type RuleCase } from './rule-case.ts';

const old = (kind: string, members: string) =>
  object('operators.coreos.com/v1alpha1', kind, 'cache', members);
const young = (kind: string, members: string) =>
  object('olm.operatorframework.io/v1', kind, 'cache', members);
const catalog = (state: string) =>
  old('CatalogSource', `status: { connectionState: { lastObservedState: ${state} } }`);
const subscription = (type: string, status: string) =>
  old(
    'Subscription',
    `status: { ${condition(type, status, 'Why', 'no operators found in channel stable')} }`,
  );
const plan = (approved: boolean, phase: string, more = '') =>
  old('InstallPlan', `spec: { approved: ${approved} }\nstatus: { phase: ${phase}, ${more} }`);
const version = (phase: string) =>
  old(
    'ClusterServiceVersion',
    `status: { phase: ${phase}, reason: InstallCheckFailed, message: install timeout }`,
  );
const operatorGroup = (name: string) => object('operators.coreos.com/v1', 'OperatorGroup', name);

/** Cases of the rules about operators. */
export const operatorCases: readonly RuleCase[] = [
  {
    rule: 'catalogsource.unreachable',
    broken: catalog('TRANSIENT_FAILURE'),
    names: /TRANSIENT_FAILURE/,
    near: { 'it is': catalog('READY'), 'it was not tried yet': old('CatalogSource', 'status: {}') },
  },
  {
    rule: 'subscription.catalog',
    broken: subscription('CatalogSourcesUnhealthy', 'True'),
    names: /Catalogs of the subscription .* channel stable/,
    near: { 'they are': subscription('CatalogSourcesUnhealthy', 'False') },
  },
  {
    rule: 'subscription.unresolved',
    broken: subscription('ResolutionFailed', 'True'),
    names: /operator .* channel stable/,
    near: { 'one was chosen': subscription('ResolutionFailed', 'False') },
  },
  {
    rule: 'installplan.failed',
    broken: plan(
      true,
      'Failed',
      condition('Installed', 'False', 'InstallComponentFailed', 'no permission to create roles'),
    ),
    names: /no permission to create roles/,
    near: { 'it is complete': plan(true, 'Complete'), 'it is installing': plan(true, 'Installing') },
  },
  {
    rule: 'installplan.failed',
    broken: plan(false, 'RequiresApproval'),
    names: /waits until somebody approves/,
    near: { 'somebody has': plan(true, 'RequiresApproval') },
  },
  {
    rule: 'clusterserviceversion.failed',
    broken: version('Failed'),
    names: /install timeout/,
    near: { 'it is up': version('Succeeded'), 'it is being replaced': version('Replacing') },
  },
  {
    rule: 'operatorgroup.several',
    broken: all(operatorGroup('a'), operatorGroup('b')),
    names: /2 operator groups, a, b/,
    near: {
      'there is one': operatorGroup('a'),
      'the other is elsewhere': all(
        operatorGroup('a'),
        but(operatorGroup('b'), 'namespace: shop', 'namespace: pay'),
      ),
    },
  },
  {
    rule: 'clusterextension.failed',
    broken: young(
      'ClusterExtension',
      `status: { ${condition('Installed', 'False', 'Failed', 'no bundle found')} }`,
    ),
    names: /no bundle found/,
    near: { 'it is': young('ClusterExtension', `status: { ${condition('Installed', 'True')} }`) },
  },
  {
    rule: 'clustercatalog.unavailable',
    broken: young(
      'ClusterCatalog',
      `status: { ${condition('Serving', 'False', 'Unavailable', 'image cannot be unpacked')} }`,
    ),
    names: /image cannot be unpacked/,
    near: { 'it is': young('ClusterCatalog', `status: { ${condition('Serving', 'True')} }`) },
  },
];
