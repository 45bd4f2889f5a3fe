import type { Namespace } from '../../../kube/core.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { condition, field, rule } from '../rule.ts';

/** How long the contents of a namespace may take to go, s. */
const patience = 60;

const namespaceRule = (id: string, type: string, say: (message: string, namespace: Namespace) => string) =>
  rule<Namespace>({
    id: `namespace.${id}`,
    kind: 'Namespace',
    tone: 'bad',
    sort: 'cause',
    find(namespace, world) {
      const deleted = Date.parse(namespace.metadata?.deletionTimestamp ?? '') / 1000;
      const found = conditionOf(namespace.status?.conditions, type);
      if (!(deleted < world.now - patience) || found?.status !== 'True') return undefined;
      return {
        sentence: say(found.message ?? '', namespace),
        evidence: [condition(namespace, type), field(namespace, 'metadata.deletionTimestamp')],
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
    return `The namespace is being deleted, but finalizers hold objects in it${kinds === '' ? '' : ` (${kinds})`}: ${namesIn(message, 'in')}. The controller that set a finalizer must remove it: start that controller again or, if it is gone for good, remove the finalizer by hand.`;
  }),
  namespaceRule(
    'discovery',
    'NamespaceDeletionDiscoveryFailure',
    (message) =>
      `The namespace is being deleted, but the cluster cannot find what is left in it, because an aggregated API does not respond: ${/server APIs: ([^:]+): /.exec(message)?.[1] ?? message}. Repair the server behind its APIService, or delete the APIService if nobody needs it.`,
  ),
];
