import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of the Prometheus operator, with their expected health. */
export const monitoringCases: CasesOfKinds = {
  'monitoring.coreos.com Prometheus': [
    {
      is: 'available and reconciled',
      status: having(on('Available', 'True'), on('Reconciled', 'True')),
      tone: 'ok',
      label: 'Available',
    },
    {
      is: 'degraded, which is a status of its condition',
      status: having(
        on('Available', 'Degraded', 'SomePodsNotReady', 'shard 0: pod 1 is pending'),
        on('Reconciled', 'True'),
      ),
      tone: 'warn',
      label: 'Degraded',
      message: 'shard 0: pod 1 is pending',
    },
    {
      is: 'without a pod',
      status: having(on('Available', 'False', 'NoPodReady', 'no pod is ready'), on('Reconciled', 'True')),
      tone: 'bad',
      label: 'NoPodReady',
      message: 'no pod is ready',
    },
    {
      is: 'available, but no longer what its spec says',
      status: having(
        on('Available', 'True'),
        on('Reconciled', 'False', 'ReconciliationFailed', 'invalid configuration'),
      ),
      tone: 'bad',
      label: 'ReconciliationFailed',
      message: 'invalid configuration',
    },
    {
      is: 'paused',
      spec: { paused: true },
      status: having(on('Available', 'True'), on('Reconciled', 'Unknown', 'ReconciliationPaused')),
      tone: 'idle',
      label: 'Suspended',
    },
  ],
  'monitoring.coreos.com ServiceMonitor': [
    {
      is: 'taken by its Prometheus',
      status: { bindings: [{ name: 'main', resource: 'prometheuses', ...having(on('Accepted', 'True')) }] },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'refused by its Prometheus',
      status: {
        bindings: [
          {
            name: 'main',
            ...having(on('Accepted', 'False', 'InvalidConfiguration', 'endpoint 0: no such port')),
          },
        ],
      },
      tone: 'bad',
      label: 'InvalidConfiguration',
      message: 'Binding main: endpoint 0: no such port',
    },
    { is: 'read by an operator that says nothing', status: {}, tone: 'idle', label: 'No status' },
  ],
};
