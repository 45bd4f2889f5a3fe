import {
  blocksOnFailure,
  type Webhook,
  type WebhookConfiguration,
  webhookRules,
  webhookTarget,
} from '../../../src/kube/admission.ts';
import { formatSelector } from '../../../src/kube/format-selector.ts';
import type { LabelSelector } from '../../../src/kube/selector.ts';
import type { Attention } from '../../../src/registry/kinds/attention.ts';
import type { Around, Column, RelatedObject, Section } from '../../../src/registry/kinds/kind.ts';

const webhooksOf = ({ webhooks }: WebhookConfiguration): readonly Webhook[] => webhooks ?? [];

const failureText = (webhook: Webhook) => (blocksOnFailure(webhook) ? 'Refuses' : 'Goes on');

function serviceOf({ clientConfig }: Webhook): RelatedObject | undefined {
  const { namespace, name } = clientConfig?.service ?? {};
  return namespace === undefined || name === undefined
    ? undefined
    : { relation: 'targets', apiVersion: 'v1', kind: 'Service', namespace, name };
}

/** The services that webhooks call, each once. */
export function webhookRefs(object: WebhookConfiguration): readonly RelatedObject[] {
  const found = new Map<string, RelatedObject>();
  for (const webhook of webhooksOf(object)) {
    const service = serviceOf(webhook);
    if (service !== undefined) found.set(`${service.namespace ?? ''}/${service.name}`, service);
  }
  return [...found.values()];
}

/** The rule for webhooks whose service does not exist. */
export const webhookAttention =
  (kindId: string) =>
  (object: WebhookConfiguration, around?: Around): Attention | undefined => {
    const missing = around?.missing?.find(({ kind }) => kind === 'Service');
    if (missing === undefined) return undefined;
    const concerned = webhooksOf(object).filter((webhook) => {
      const service = serviceOf(webhook);
      return service?.name === missing.name && service.namespace === missing.namespace;
    });
    const blocks = concerned.some(blocksOnFailure);
    const service = `${missing.namespace ?? ''}/${missing.name}`;
    return {
      rule: `${kindId}.no-service`,
      tone: blocks ? 'bad' : 'warn',
      extent: blocks ? 2 : 1,
      title: blocks
        ? `Service ${service} does not exist, so the cluster rejects the requests that this webhook checks.`
        : `Service ${service} does not exist, so nothing is checked by it.`,
      detail: concerned.map((webhook) => webhookRules(webhook).join('; ')).join('; '),
    };
  };

const unique = (texts: readonly string[]) => [...new Set(texts)];

/** Columns of both kinds of webhook configurations. */
export const webhookColumns: readonly Column<WebhookConfiguration>[] = [
  {
    id: 'webhooks',
    label: 'Webhooks',
    format: 'number',
    dropAt: 2,
    value: (object) => webhooksOf(object).length,
  },
  {
    id: 'calls',
    label: 'Calls',
    format: 'list',
    links: { to: 'reference', kind: 'service' },
    dropAt: 3,
    value: (object) => unique(webhooksOf(object).map(webhookTarget)),
  },
  {
    id: 'failure',
    label: 'Without an answer',
    format: 'list',
    dropAt: 4,
    value: (object) => unique(webhooksOf(object).map(failureText)),
  },
  {
    id: 'rules',
    label: 'Asked about',
    format: 'list',
    dropAt: 5,
    value: (object) => unique(webhooksOf(object).flatMap(webhookRules)),
  },
];

/** What a selector leaves over, in words; null for one that selects everything. */
const onlyText = (what: string, selector: LabelSelector | undefined): string | null => {
  const labels = formatSelector(selector);
  return labels === '' ? null : `${what} ${labels}`;
};

/** Each webhook: what it calls, what it is asked about, and what happens without an answer. */
export const webhookSections: readonly Section<WebhookConfiguration>[] = [
  {
    title: 'Webhooks',
    columns: [
      { label: 'Name', format: 'mono' },
      { label: 'Calls', format: 'mono', links: { to: 'reference', kind: 'service' } },
      { label: 'Asked about', format: 'list' },
      { label: 'Only', format: 'list' },
      { label: 'Without an answer', format: 'status' },
    ],
    rows: (object) =>
      webhooksOf(object).map((webhook) => [
        webhook.name ?? null,
        webhookTarget(webhook),
        webhookRules(webhook),
        [
          onlyText('namespaces', webhook.namespaceSelector),
          onlyText('objects', webhook.objectSelector),
        ].filter((text) => text !== null),
        [
          `${failureText(webhook)} after ${webhook.timeoutSeconds ?? 10} s`,
          blocksOnFailure(webhook) ? 'warn' : 'idle',
        ],
      ]),
    empty: () => 'It has no webhooks, so it does nothing.',
  },
  'related',
  'metadata',
  'events',
  'yaml',
];
