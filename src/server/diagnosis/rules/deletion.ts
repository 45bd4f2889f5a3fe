import type { Namespace } from '../../../kube/core.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { apiServiceName } from '../../../kube/custom.ts';
import { condition, field, type Proof, rule } from '../rule.ts';
import { oneOf, type World } from '../world.ts';

/** How long the contents of a namespace may take to go, s. */
const patience = 60;

/** The reason why a namespace is kept, and further evidence of it. */
interface NamespaceCause {
  readonly sentence: string;
  readonly evidence?: readonly Proof[];
}

const namespaceRule = (
  id: string,
  type: string,
  say: (message: string, namespace: Namespace, world: World) => NamespaceCause,
) =>
  rule<Namespace>({
    id: `namespace.${id}`,
    kind: 'Namespace',
    tone: 'bad',
    sort: 'cause',
    find(namespace, world) {
      const deleted = Date.parse(namespace.metadata?.deletionTimestamp ?? '') / 1000;
      const found = conditionOf(namespace.status?.conditions, type);
      if (!(deleted < world.now - patience) || found?.status !== 'True') return undefined;
      const { sentence, evidence = [] } = say(found.message ?? '', namespace, world);
      return {
        sentence,
        evidence: [...evidence, condition(namespace, type), field(namespace, 'metadata.deletionTimestamp')],
      };
    },
  });

/** Names in the counts of the namespace controller: `widgets.example.org has 1 resource instances`. */
const namesIn = (message: string, word: string): string =>
  [...message.matchAll(new RegExp(`([^\\s,]+) ${word} \\d+ resource instances`, 'g'))]
    .map(([, name = '']) => name.replace(/\.$/, ''))
    .join(', ');

/** Why a namespace that was deleted is still there. */
export const deletionRules = [
  namespaceRule('finalizers', 'NamespaceFinalizersRemaining', (message, { status }) => {
    const remaining = 'NamespaceContentRemaining';
    const kinds = namesIn(conditionOf(status?.conditions, remaining)?.message ?? '', 'has');
    return {
      sentence: `The namespace is being deleted, but finalizers hold objects in it${kinds === '' ? '' : ` (${kinds})`}: ${namesIn(message, 'in')}. The controller that set a finalizer must remove it: start that controller again or, if it is gone for good, remove the finalizer by hand.`,
    };
  }),
  namespaceRule('discovery', 'NamespaceDeletionDiscoveryFailure', (message, _, world) => {
    const api = /server APIs: ([^:]+): /.exec(message)?.[1];
    const remedy = 'Repair the server behind its APIService, or delete the APIService if nobody needs it.';
    const begin = `The namespace cannot be deleted: the aggregated API ${api ?? message} does not respond, so what is left in it is not found.`;
    const [group = '', version = ''] = api?.split('/') ?? [];
    const service = oneOf(world, 'APIService', apiServiceName(group, version));
    const available = conditionOf(service?.status?.conditions, 'Available');
    if (service == null || available?.status !== 'False') return { sentence: `${begin} ${remedy}` };
    const { namespace, name } = service.spec?.service ?? {};
    const place = namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
    const why = available.message ?? available.reason ?? 'it is not available';
    return {
      sentence: `The namespace cannot be deleted: the aggregated API ${api ?? ''}${place === undefined ? '' : `, which service ${place} serves,`} does not respond. So what is left in the namespace is not found. APIService ${service.metadata?.name ?? ''} says: ${why.replace(/\.$/, '')}. ${remedy}`,
      evidence: [condition(service, 'Available')],
    };
  }),
];
