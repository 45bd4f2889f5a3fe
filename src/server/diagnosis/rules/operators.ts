import type { Condition, KubeObject } from '../../../kube/object.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { type Clue, condition, field, rule } from '../rule.ts';

/** What the objects of the Operator Lifecycle Manager say of themselves. */
interface OperatorObject extends KubeObject {
  readonly spec?: { readonly source?: string; readonly approved?: boolean; readonly approval?: string };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly state?: string;
    readonly connectionState?: { readonly lastObservedState?: string };
    readonly conditions?: Condition[];
    readonly namespaces?: readonly string[];
  };
}

/** The groups of the first and of the second version of the Lifecycle Manager. */
const firstGroup = 'operators.coreos.com';
const secondGroup = 'olm.operatorframework.io';

const operatorRule = (
  id: string,
  kind: string,
  group: string,
  find: (object: OperatorObject) => Clue | undefined,
) => rule<OperatorObject>({ id, kind: `${kind}.${group}`, tone: 'bad', sort: 'cause', find });

/** A condition that must not be as it is. */
function badCondition(object: OperatorObject, type: string, bad: string, words: string): Clue | undefined {
  const found = conditionOf(object.status?.conditions, type);
  if (found?.status !== bad) return undefined;
  return {
    sentence: `${words}: ${found.message ?? found.reason ?? 'it does not say why'}`,
    evidence: [condition(object, type)],
  };
}

/** Rules about operators, their catalogs and installations, of both versions. */
export const operatorRules = [
  operatorRule('catalogsource.unreachable', 'CatalogSource', firstGroup, (object) => {
    const state = object.status?.connectionState?.lastObservedState;
    if (state === undefined || state === 'READY') return undefined;
    return {
      sentence: `The catalog source does not answer: its connection is ${state}.`,
      evidence: [field(object, 'status.connectionState')],
    };
  }),
  operatorRule('subscription.catalog', 'Subscription', firstGroup, (object) =>
    badCondition(object, 'CatalogSourcesUnhealthy', 'True', 'Catalogs of the subscription are not healthy'),
  ),
  operatorRule('subscription.unresolved', 'Subscription', firstGroup, (object) =>
    badCondition(
      object,
      'ResolutionFailed',
      'True',
      'The subscription finds no version of the operator to install',
    ),
  ),
  operatorRule('installplan.failed', 'InstallPlan', firstGroup, (object) => {
    const { phase } = object.status ?? {};
    if (phase === 'Failed')
      return (
        badCondition(object, 'Installed', 'False', 'The install plan failed') ?? {
          sentence: 'The install plan failed.',
          evidence: [field(object, 'status.phase')],
        }
      );
    if (phase !== 'RequiresApproval' || object.spec?.approved === true) return undefined;
    return {
      sentence: 'The install plan waits until somebody approves it.',
      evidence: [field(object, 'status.phase'), field(object, 'spec.approved')],
    };
  }),
  operatorRule('clusterserviceversion.failed', 'ClusterServiceVersion', firstGroup, (object) => {
    if (object.status?.phase !== 'Failed') return undefined;
    return {
      sentence: `This version of the operator could not be installed: ${object.status.message ?? object.status.reason ?? 'it does not say why'}`,
      evidence: [field(object, 'status.phase'), field(object, 'status.message')],
    };
  }),
  rule<OperatorObject>({
    id: 'operatorgroup.several',
    kind: `OperatorGroup.${firstGroup}`,
    tone: 'bad',
    sort: 'cause',
    find(object, world) {
      const { namespace } = object.metadata ?? {};
      const all = world.all({ apiVersion: `${firstGroup}/v1`, kind: 'OperatorGroup', namespace });
      if (all === undefined || all.length < 2) return undefined;
      return {
        sentence: `Namespace ${namespace ?? ''} has ${all.length} operator groups, ${all.map(({ metadata }) => metadata?.name).join(', ')}: with more than one no operator is installed.`,
        evidence: all.map((one) => field(one, 'metadata.name')),
      };
    },
  }),
  operatorRule('clusterextension.failed', 'ClusterExtension', secondGroup, (object) =>
    badCondition(object, 'Installed', 'False', 'The extension is not installed'),
  ),
  operatorRule('clustercatalog.unavailable', 'ClusterCatalog', secondGroup, (object) =>
    badCondition(object, 'Serving', 'False', 'The catalog is not served'),
  ),
];
