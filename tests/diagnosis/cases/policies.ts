import { all, but, crashed, object, pod, type RuleCase } from './rule-case.ts';

const webhookCases: readonly RuleCase[] = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
].flatMap((kind) => {
  const webhook = (config: string, policy = 'Fail') =>
    object(
      'admissionregistration.k8s.io/v1',
      kind,
      'checks',
      `webhooks: [{ name: checks.example.org, failurePolicy: ${policy}, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { ${config} } }]`,
    );
  const called = 'service: { namespace: shop, name: checks, path: /validate }';
  const service = object(
    'v1',
    'Service',
    'checks',
    'spec: { selector: { app: checks }, ports: [{ port: 443 }] }',
  );
  const slice = (isReady: boolean) =>
    object(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      'checks-1',
      `endpoints: [{ addresses: [10.1.0.9], conditions: { ready: ${isReady} } }]`,
      'labels: { kubernetes.io/service-name: checks }',
    );
  const checker = but(pod({ name: 'checks-0', labels: 'app: checks' }), '07:00:00', '07:59:00');
  return [
    {
      rule: 'webhook.service-missing',
      broken: webhook(called),
      names: /shop\/checks of webhook checks\.example\.org .* refuses every change/,
      near: {
        'it is outside the cluster': webhook('url: https://checks.example.org/'),
        'it answers': all(webhook(called), service, slice(true), checker),
        'it exists without pods': all(webhook(called), service, slice(false), checker),
      },
    },
    {
      rule: 'webhook.service-missing',
      broken: webhook(called, 'Ignore'),
      names: /changes go through without it/,
      near: { 'it answers': all(webhook(called, 'Ignore'), service, slice(true), checker) },
    },
    {
      rule: 'webhook.service-silent',
      broken: all(webhook(called), service, slice(false), checker),
      names: /No ready pod is behind the service shop\/checks/,
      near: {
        'one answers': all(webhook(called), service, slice(true), checker),
        'its endpoints are made by hand': all(
          webhook(called),
          but(service, 'selector: { app: checks }, ', ''),
        ),
        'its pods crash, which says more': all(
          webhook(called),
          service,
          slice(false),
          pod({ name: 'checks-0', labels: 'app: checks', status: crashed(1) }),
        ),
      },
    },
  ];
});

const budget = (status: string, selector = 'app: web') =>
  object(
    'policy/v1',
    'PodDisruptionBudget',
    'web',
    `spec: { minAvailable: 1, selector: { matchLabels: { ${selector} } } }\nstatus: { ${status} }`,
  );
const quota = (used: string) =>
  object(
    'v1',
    'ResourceQuota',
    'small',
    `spec: { hard: { pods: '4' } }\nstatus: { hard: { pods: '4' }, used: { pods: '${used}' } }`,
  );
const policy = (spec: string) => object('networking.k8s.io/v1', 'NetworkPolicy', 'web', `spec: { ${spec} }`);
const toWeb = 'podSelector: { matchLabels: { app: web } }';

/** Cases of the rules about what refuses or restricts: webhooks, budgets, quotas and network policies. */
export const policyCases: readonly RuleCase[] = [
  ...webhookCases,
  {
    rule: 'budget.no-pods',
    broken: all(budget('expectedPods: 0', 'app: webs'), pod({})),
    names: /app=webs/,
    near: {
      'it has pods': all(budget('expectedPods: 1, disruptionsAllowed: 1'), pod({})),
      'it has just been made': all(
        but(budget('expectedPods: 0', 'app: webs'), '06:00:00', '07:59:30'),
        pod({}),
      ),
    },
  },
  {
    rule: 'poddisruptionbudget.blocks',
    broken: all(
      budget('expectedPods: 1, currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0'),
      pod({}),
    ),
    names: /budget allows no disruption/,
    near: {
      'one of its pods is not healthy': all(
        budget('expectedPods: 2, currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0'),
        pod({}),
      ),
      'one may go': all(
        budget('expectedPods: 2, currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1'),
        pod({}),
      ),
      'it has no pods yet': all(budget('expectedPods: 0, currentHealthy: 0, disruptionsAllowed: 0'), pod({})),
    },
  },
  {
    rule: 'resourcequota.exhausted',
    broken: quota('4'),
    names: /4 of 4 pods/,
    edits: ['ResourceQuota small'],
    near: { 'one is left': quota('3'), 'nothing is used': quota('0') },
  },
  {
    rule: 'networkpolicy.no-pods',
    broken: policy('podSelector: { matchLabels: { app: webs } }'),
    names: /app=webs/,
    near: { 'it is for every pod': policy('podSelector: {}'), 'it has one': all(policy(toWeb), pod({})) },
  },
  {
    rule: 'networkpolicy.allows-all',
    broken: all(policy(`${toWeb}, ingress: [{}]`), pod({})),
    names: /policy allows all incoming traffic/,
    near: {
      'it restricts ports': all(policy(`${toWeb}, ingress: [{ ports: [{ port: 80 }] }]`), pod({})),
      'it restricts senders': all(policy(`${toWeb}, ingress: [{ from: [{ podSelector: {} }] }]`), pod({})),
      'it lets nothing in': all(policy(`${toWeb}, policyTypes: [Ingress]`), pod({})),
    },
  },
];
