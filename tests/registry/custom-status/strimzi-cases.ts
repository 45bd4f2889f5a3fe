import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of Strimzi, with their expected health. */
export const strimziCases: CasesOfKinds = {
  'kafka.strimzi.io Kafka': [
    { is: 'ready', status: having(on('Ready', 'True')), tone: 'ok', label: 'Ready' },
    {
      is: 'being created',
      status: having(on('NotReady', 'True', 'Creating', 'Kafka cluster is being deployed')),
      tone: 'info',
      label: 'NotReady',
    },
    {
      is: 'not ready',
      status: having(
        on('NotReady', 'True', 'TimeoutException', 'Exceeded timeout of 300000ms while waiting for Pods'),
      ),
      tone: 'bad',
      label: 'TimeoutException',
      message: 'Exceeded timeout of 300000ms while waiting for Pods',
    },
    {
      is: 'ready with a warning',
      status: having(
        on('Warning', 'True', 'DeprecatedFields', 'spec.zookeeper is deprecated'),
        on('Ready', 'True'),
      ),
      tone: 'warn',
      label: 'DeprecatedFields',
      message: 'spec.zookeeper is deprecated',
    },
    {
      is: 'paused',
      status: having(on('ReconciliationPaused', 'True')),
      tone: 'idle',
      label: 'ReconciliationPaused',
    },
  ],
  'kafka.strimzi.io KafkaConnector': [
    {
      is: 'failed in Connect',
      status: {
        ...having(on('Ready', 'True')),
        connectorStatus: { connector: { state: 'FAILED', trace: 'ConnectException: no such table' } },
      },
      tone: 'bad',
      label: 'FAILED',
      message: 'ConnectException: no such table',
    },
    {
      is: 'running',
      status: { ...having(on('Ready', 'True')), connectorStatus: { connector: { state: 'RUNNING' } } },
      tone: 'ok',
      label: 'Ready',
    },
  ],
  'kafka.strimzi.io KafkaRebalance': [
    {
      is: 'waiting for approval',
      status: having(on('ProposalReady', 'True')),
      tone: 'ok',
      label: 'ProposalReady',
    },
    { is: 'moving', status: having(on('Rebalancing', 'True')), tone: 'info', label: 'Rebalancing' },
    {
      is: 'refused',
      status: having(on('NotReady', 'True', 'CruiseControlRestException', 'Not enough brokers')),
      tone: 'bad',
      label: 'CruiseControlRestException',
      message: 'Not enough brokers',
    },
    { is: 'stopped', status: having(on('Stopped', 'True')), tone: 'idle', label: 'Stopped' },
  ],
  'core.strimzi.io StrimziPodSet': [
    { is: 'complete', status: { pods: 3, readyPods: 3, currentPods: 3 }, tone: 'ok', label: 'Ready' },
    {
      is: 'one short',
      status: { pods: 3, readyPods: 2, currentPods: 3 },
      tone: 'warn',
      label: '2 of 3 ready',
    },
    { is: 'rolling', status: { pods: 3, readyPods: 2, currentPods: 1 }, tone: 'info', label: 'Rolling' },
  ],
};
