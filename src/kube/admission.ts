import type { KubeObject } from './object.ts';
import type { LabelSelector } from './selector.ts';

/** One webhook of admissionregistration.k8s.io/v1. */
export interface Webhook {
  name?: string;
  clientConfig?: {
    url?: string;
    service?: { namespace?: string; name?: string; path?: string; port?: number };
  };
  rules?: {
    operations?: string[];
    apiGroups?: string[];
    apiVersions?: string[];
    resources?: string[];
    scope?: string;
  }[];
  failurePolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
}

/** A ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

/** The port of a service that webhooks without one call. */
const usualPort = 443;

/** What a webhook calls: `shop/checks:443/validate`, or an address. */
export function webhookTarget({ clientConfig }: Webhook): string {
  const { service, url } = clientConfig ?? {};
  if (service === undefined) return url ?? '?';
  const { namespace = '?', name = '?', path = '', port = usualPort } = service;
  return `${namespace}/${name}:${port}${path}`;
}

/** Whether changes are refused while the webhook does not answer, which is the default. */
export const blocksOnFailure = ({ failurePolicy }: Webhook): boolean => failurePolicy !== 'Ignore';

const isAny = (values: readonly string[]) => values.includes('*');

/** What a webhook is asked about: `create, update deployments.apps`. */
export function webhookRules({ rules = [] }: Webhook): string[] {
  return rules.map(({ operations = [], apiGroups = [], resources = [] }) => {
    const asked = isAny(operations) ? 'every change of' : operations.join(', ').toLowerCase();
    const groups = apiGroups.length === 0 ? [''] : apiGroups;
    const objects = groups.flatMap((group) =>
      resources.map((resource) => {
        const what = resource === '*' || resource === '*/*' ? 'everything' : resource;
        return group === '' || group === '*' ? what : `${what}.${group}`;
      }),
    );
    return `${asked} ${objects.join(', ')}`;
  });
}
