import { behaves, daemonSet, deployment, object, objects, service, statefulSet } from './manifests.ts';
import type { Situation } from './situation.ts';

const place = 'nodeSelector: { kubernetes.io/hostname: node-1 }';
/** A minute after the pods run, the kubelet of a node ends. */
const death: Pick<Situation, 'steps' | 'after' | 'rule' | 'object' | 'names'> = {
  steps: [{ after: 60, apply: object('v1', 'Node', 'node-1', '', `annotations: ${behaves('silent')}`) }],
  // The node is called unknown after 50 s; its pods are evicted five minutes later.
  after: 75,
  rule: 'node.not-ready',
  object: 'Node node-1',
  names: /^Node node-1 is not ready: its kubelet stopped posting status more than \d+s ago\.$/,
};

/** A node that dies, asked about by what ran on it. */
export const nodeSituations: readonly Situation[] = [
  {
    id: 'dead-node-deployment',
    what: 'The node of a Deployment dies.',
    manifests: deployment('web', { replicas: 3 }),
    ask: 'Deployment.apps default/web',
    ...death,
  },
  {
    id: 'dead-node-statefulset',
    what: 'The node of a StatefulSet dies.',
    manifests: objects(
      service('db', { spec: 'clusterIP: None', port: 'port: 5432' }),
      statefulSet('db', 'serviceName: db', { pod: place }),
    ),
    ask: 'StatefulSet.apps default/db',
    ...death,
  },
  {
    id: 'dead-node-daemonset',
    what: 'One of the nodes of a DaemonSet dies.',
    manifests: daemonSet('agent'),
    ask: 'DaemonSet.apps default/agent',
    ...death,
  },
  {
    id: 'dead-node-pod',
    what: 'The node of a pod dies.',
    manifests: object(
      'v1',
      'Pod',
      'web',
      `spec: { ${place}, containers: [{ name: main, image: 'example/web:1' }] }`,
    ),
    ask: 'Pod default/web',
    ...death,
  },
  {
    id: 'dead-node-scheduled',
    what: 'A pod is put on a node that has died and is not known to have.',
    manifests: '',
    ask: 'Pod default/web',
    ...death,
    steps: [
      ...(death.steps ?? []),
      {
        after: 5,
        apply: object(
          'v1',
          'Pod',
          'web',
          `spec: { ${place}, containers: [{ name: main, image: 'example/web:1' }] }`,
        ),
      },
    ],
  },
];
