import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of Kyverno, with their expected health. */
export const kyvernoCases: CasesOfKinds = {
  'kyverno.io ClusterPolicy': [
    {
      is: 'ready',
      status: { ready: true, ...having(on('Ready', 'True', 'Succeeded', 'Ready')) },
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'not ready',
      status: having(on('Ready', 'False', 'Failed', 'no autogen for this rule')),
      tone: 'bad',
      label: 'Failed',
      message: 'no autogen for this rule',
    },
  ],
  'policies.kyverno.io ValidatingPolicy': [
    {
      is: 'not ready, by conditions that stand elsewhere',
      status: {
        conditionStatus: {
          ready: false,
          message: 'webhook not configured',
          conditions: [on('WebhookConfigured', 'False', 'Failed', 'webhook not configured')],
        },
      },
      tone: 'bad',
      label: 'Failed',
      message: 'webhook not configured',
    },
    {
      is: 'ready',
      status: { conditionStatus: { ready: true, conditions: [on('WebhookConfigured', 'True')] } },
      tone: 'ok',
      label: 'Ready',
    },
  ],
  'kyverno.io UpdateRequest': [
    {
      is: 'failed',
      status: { state: 'Failed', message: 'no such namespace' },
      tone: 'bad',
      label: 'Failed',
      message: 'no such namespace',
    },
    { is: 'left out', status: { state: 'Skip' }, tone: 'idle', label: 'Skip' },
  ],
};
