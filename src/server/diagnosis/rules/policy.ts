import type { WebhookConfiguration } from '../../../kube/admission.ts';
import { blocksOnFailure } from '../../../kube/admission.ts';
import type { DisruptionBudget } from '../../../kube/disruption.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { NetworkPolicy } from '../../../kube/network-policy.ts';
import { matchesSelector } from '../../../kube/selector.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { withoutStop } from '../../../kube/text.ts';
import { absent, condition, field, rule, trail } from '../rule.ts';
import { allOf, namedObject, oneOf, type World } from '../world.ts';
import { addressesOf } from './addresses.ts';

const webhookRules = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].flatMap((kind) =>
  (['missing', 'silent'] as const).map((trouble) =>
    rule<WebhookConfiguration>({
      id: `webhook.service-${trouble}`,
      kind: `${kind}.admissionregistration.k8s.io`,
      tone: 'bad',
      // Why its pods are not ready explains more.
      sort: trouble === 'missing' ? 'cause' : 'symptom',
      isSwept: true,
      find(object, world) {
        const webhooks = object.webhooks ?? [];
        const at = webhooks.findIndex((one) => troubleOfCall(one.clientConfig?.service, world) === trouble);
        const webhook = webhooks[at];
        const { namespace = '', name = '' } = webhook?.clientConfig?.service ?? {};
        if (webhook === undefined) return undefined;
        const service = oneOf(world, 'Service', name, namespace);
        const effect = blocksOnFailure(webhook)
          ? 'the cluster refuses every change that it is asked about'
          : 'changes go through without it';
        return {
          sentence:
            trouble === 'missing'
              ? `The service ${namespace}/${name} of webhook ${webhook.name ?? ''} does not exist: ${effect}.`
              : `No ready pod is behind the service ${namespace}/${name} of webhook ${webhook.name ?? ''}: ${effect}.`,
          evidence: [
            field(object, `webhooks[${at}].clientConfig.service`),
            field(object, `webhooks[${at}].failurePolicy`),
            service ? field(service, 'spec.selector') : absent(namedObject('Service', name, namespace)),
          ],
        };
      },
    }),
  ),
);

/** What is wrong with the service that a webhook calls; undefined for a good one, and for an address outside. */
export function troubleOfCall(
  called: { readonly namespace?: string; readonly name?: string } | undefined,
  world: World,
): 'missing' | 'silent' | undefined {
  const { namespace, name } = called ?? {};
  if (namespace === undefined || name === undefined) return undefined;
  const service = oneOf(world, 'Service', name, namespace);
  if (service === null) return 'missing';
  if (service === undefined || Object.keys(service.spec?.selector ?? {}).length === 0) return undefined;
  return addressesOf(service, world)?.ready === 0 ? 'silent' : undefined;
}

const budgetRule = rule<DisruptionBudget>({
  id: 'budget.no-pods',
  kind: 'PodDisruptionBudget.policy',
  tone: 'warn',
  sort: 'cause',
  find(object, world) {
    const { namespace } = object.metadata ?? {};
    const pods = allOf(world, 'Pod', { namespace });
    const created = Date.parse(object.metadata?.creationTimestamp ?? '') / 1000;
    const isMatched = pods?.some(({ metadata }) => matchesSelector(object.spec?.selector, metadata?.labels));
    if (isMatched !== false || created > world.now - 60) return undefined;
    return {
      sentence: `No pod has the labels of the budget, ${formatSelector(object.spec?.selector) || 'none'}, so it protects nothing.`,
      evidence: [field(object, 'spec.selector'), field(object, 'status.expectedPods')],
    };
  },
});

/** A budget of which the controller cannot compute how many pods it is about: it allows no eviction. */
const uncountedRule = rule<DisruptionBudget>({
  id: 'budget.uncounted',
  kind: 'PodDisruptionBudget.policy',
  tone: 'bad',
  sort: 'cause',
  find(object) {
    const said = conditionOf(object.status?.conditions, 'DisruptionAllowed');
    if (said?.reason !== 'SyncFailed' || said.message === undefined) return undefined;
    return {
      sentence: `The budget allows no eviction, as its pods cannot be counted: ${withoutStop(said.message)}.`,
      evidence: [condition(object, 'DisruptionAllowed'), field(object, 'status.disruptionsAllowed')],
    };
  },
});

/** A budget that shares pods with another one. */
const overlapRule = rule<DisruptionBudget>({
  id: 'budget.overlap',
  kind: 'PodDisruptionBudget.policy',
  tone: 'warn',
  sort: 'cause',
  find(object, world) {
    const { namespace, name = '' } = object.metadata ?? {};
    const others = (allOf(world, 'PodDisruptionBudget', { namespace }) ?? []).filter(
      ({ metadata }) => metadata?.name !== name,
    );
    if (others.length === 0) return undefined;
    const pods = (allOf(world, 'Pod', { namespace }) ?? []).filter(({ metadata }) =>
      matchesSelector(object.spec?.selector, metadata?.labels),
    );
    for (const other of others) {
      const pod = pods.find(({ metadata }) => matchesSelector(other.spec?.selector, metadata?.labels));
      if (pod === undefined) continue;
      return {
        sentence: `Budgets ${name} and ${other.metadata?.name ?? ''} both select pod ${pod.metadata?.name ?? ''}: a pod with more than one budget cannot be evicted, so its node cannot be drained.`,
        evidence: [
          field(object, 'spec.selector'),
          field(other, 'spec.selector'),
          field(pod, 'metadata.labels'),
        ],
      };
    }
    return undefined;
  },
});

const isForAllPods = ({ spec }: NetworkPolicy) =>
  Object.keys(spec?.podSelector?.matchLabels ?? {}).length === 0 &&
  (spec?.podSelector?.matchExpressions ?? []).length === 0;

const networkPolicyRules = [
  rule<NetworkPolicy>({
    id: 'networkpolicy.no-pods',
    kind: 'NetworkPolicy.networking.k8s.io',
    tone: 'warn',
    sort: 'advice',
    find(object, world) {
      const pods = allOf(world, 'Pod', { namespace: object.metadata?.namespace });
      if (
        isForAllPods(object) ||
        pods?.some(({ metadata }) => matchesSelector(object.spec?.podSelector, metadata?.labels)) !== false
      )
        return undefined;
      return {
        sentence: `No pod has the labels of the policy, ${formatSelector(object.spec?.podSelector)}, so it restricts nothing.`,
        evidence: [field(object, 'spec.podSelector')],
      };
    },
  }),
  rule<NetworkPolicy>({
    id: 'networkpolicy.allows-all',
    kind: 'NetworkPolicy.networking.k8s.io',
    tone: 'warn',
    sort: 'advice',
    find(object) {
      const lines = object.spec?.ingress ?? [];
      const at = lines.findIndex(
        ({ from, ports }) => (from ?? []).length === 0 && (ports ?? []).length === 0,
      );
      if (at < 0) return undefined;
      return {
        sentence: 'The policy allows all incoming traffic: one of its rules names neither sources nor ports.',
        evidence: [field(object, `spec.ingress[${at}]`)],
      };
    },
  }),
];

/** Rules about what refuses or restricts: webhooks, budgets, network policies. */
export const policyRules = [...webhookRules, uncountedRule, budgetRule, overlapRule, ...networkPolicyRules];

/** From a webhook to the pods of its service. */
export const policyTrails = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) =>
  trail<WebhookConfiguration>({
    kind: `${kind}.admissionregistration.k8s.io`,
    next: (object, world) =>
      (object.webhooks ?? []).flatMap(({ clientConfig }) => {
        const { namespace, name } = clientConfig?.service ?? {};
        if (troubleOfCall(clientConfig?.service, world) !== 'silent') return [];
        return oneOf(world, 'Service', name ?? '', namespace) ?? [];
      }),
  }),
);
