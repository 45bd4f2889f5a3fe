import { create, put } from '../life/write.ts';
import { timestamp } from '../kit/clock.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';
import { plantDefinitions } from './definitions.ts';
import { gatewayDefinitions, plantGateway } from './gateway.ts';
import { plantHelm } from './helm.ts';
import { plantNetwork } from './network.ts';
import { plantSecrets } from './secrets.ts';
import { registryHost } from './workload.ts';
import { plantWebhooks } from './webhooks.ts';

const quotas = '/resourcequotas';

const job = (namespace: string, name: string, image: string, spec: Rec) => ({ namespace, name, image, spec });
const crons = [
  job('payments', 'settlement-report', 'payments/settlement-report:2.1.0', {
    schedule: '0 6 * * 1-5',
    timeZone: 'Europe/Berlin',
    concurrencyPolicy: 'Forbid',
  }),
  job('batch', 'cleanup', 'data/cleanup:0.4.2', { schedule: '@daily', suspend: true }),
];

const autoscalerSeeds: readonly { namespace: string; name: string; annotations?: Rec; spec: Rec }[] = [
  {
    namespace: 'shop',
    name: 'search',
    spec: {
      scaleTargetRef: { name: 'search' },
      minReplicaCount: 2,
      maxReplicaCount: 5,
      triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '60' } }],
    },
  },
  {
    namespace: 'batch',
    name: 'report-builder',
    annotations: { 'autoscaling.keda.sh/paused-replicas': '2' },
    spec: {
      scaleTargetRef: { name: 'report-builder' },
      maxReplicaCount: 10,
      triggers: [
        {
          type: 'kafka',
          metadata: {
            bootstrapServers: 'kafka.batch.svc:9092',
            topic: 'reports',
            consumerGroup: 'builders',
            lagThreshold: '50',
          },
        },
      ],
    },
  },
  {
    namespace: 'payments',
    name: 'settlement-worker',
    spec: {
      scaleTargetRef: { name: 'settlement-worker' },
      minReplicaCount: 2,
      maxReplicaCount: 12,
      fallback: { failureThreshold: 3, replicas: 2 },
      triggers: [
        {
          type: 'rabbitmq',
          metadata: {
            host: 'rabbitmq.payments.svc',
            queueName: 'settlements',
            mode: 'QueueLength',
            value: '20',
          },
          authenticationRef: { name: 'rabbitmq' },
        },
      ],
    },
  },
];

const certificates: readonly {
  namespace: string;
  name: string;
  secret: string;
  hosts: string[];
  issuer: string;
  extraSpec?: Rec;
}[] = [
  {
    namespace: 'shop',
    name: 'shop-acme-example',
    secret: 'shop-acme-example-tls',
    hosts: ['shop.acme.example', 'www.shop.acme.example'],
    issuer: 'letsencrypt',
  },
  {
    namespace: 'payments',
    name: 'pay-acme-example',
    secret: 'pay-acme-example-tls',
    hosts: ['pay.acme.example'],
    issuer: 'letsencrypt',
  },
  // Renewed every forty minutes, so that its life can be observed.
  {
    namespace: 'platform',
    name: 'vault-internal',
    secret: 'vault-internal-tls',
    hosts: ['vault.platform.svc'],
    issuer: 'internal-ca',
    extraSpec: { duration: '1h', renewBefore: '20m' },
  },
  {
    namespace: 'platform',
    name: 'argocd',
    secret: 'argocd-tls',
    hosts: ['argocd.acme.example'],
    issuer: 'letsencrypt-staging',
  },
];

/**
 * Creates everything besides workloads: definitions and custom resources, releases, secrets, networks, limits,
 * roles.
 */
export function plantEstate(world: World, now: number, settle: () => void): void {
  plantDefinitions(world, gatewayDefinitions);
  settle();
  plantSecrets(world);
  plantNetwork(world);
  plantGateway(world);
  plantWebhooks(world);
  plantHelm(world, now);
  plantStorage(world);
  plantLimits(world);
  for (const { namespace, name, image, spec } of crons) {
    const template = {
      metadata: { labels: { 'app.kubernetes.io/name': name } },
      spec: { restartPolicy: 'OnFailure', containers: [{ name, image: `${registryHost}/${image}` }] },
    };
    create(world, 'batch/cronjobs', namespace, {
      metadata: { name, labels: { 'app.kubernetes.io/name': name } },
      spec: { ...spec, jobTemplate: { spec: { template } } },
    });
  }
  for (const { namespace, name, annotations, spec } of autoscalerSeeds) {
    const metadata = { name, ...(annotations === undefined ? {} : { annotations }) };
    create(world, 'keda.sh/scaledobjects', namespace, { metadata, spec: structuredClone(spec) });
  }
  create(world, 'keda.sh/triggerauthentications', 'payments', {
    metadata: { name: 'rabbitmq' },
    spec: { secretTargetRef: [{ parameter: 'host', name: 'psp-credentials', key: 'API_KEY' }] },
  });
  plantIssuers(world);
  for (const { namespace, name, secret, hosts, issuer, extraSpec } of certificates) {
    create(world, 'cert-manager.io/certificates', namespace, {
      metadata: { name },
      spec: {
        secretName: secret,
        dnsNames: hosts,
        issuerRef: { name: issuer, kind: 'ClusterIssuer' },
        ...extraSpec,
      },
    });
  }
}

function plantIssuers(world: World): void {
  const issuers: readonly (readonly [string, Rec, boolean, string])[] = [
    [
      'letsencrypt',
      { acme: { server: 'https://acme-v02.api.letsencrypt.org/directory' } },
      true,
      'The ACME account was registered with the ACME server',
    ],
    [
      'letsencrypt-staging',
      { acme: { server: 'https://acme-staging-v02.api.letsencrypt.org/directory' } },
      false,
      'Failed to register ACME account: context deadline exceeded',
    ],
    ['internal-ca', { selfSigned: {} }, true, 'Signing CA verified'],
  ];
  for (const [name, spec, ready, message] of issuers) {
    const created = create(world, 'cert-manager.io/clusterissuers', '', { metadata: { name }, spec });
    if (created === undefined) continue;
    const condition = {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'ACMEAccountRegistered' : 'ErrRegisterACMEAccount',
      message,
      lastTransitionTime: timestamp(world.clock.now()),
    };
    put(world, 'cert-manager.io/clusterissuers', { ...created, status: { conditions: [condition] } });
  }
}

function plantStorage(world: World): void {
  const driver = 'ebs.csi.aws.com';
  create(world, 'storage.k8s.io/csidrivers', '', {
    metadata: { name: driver, labels: { 'app.kubernetes.io/name': 'aws-ebs-csi-driver' } },
    spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'File' },
  });
  for (const node of world.store.list('/nodes')) {
    const { name = '', uid } = node.metadata;
    create(world, 'storage.k8s.io/csinodes', '', {
      metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
      spec: {
        drivers: [
          {
            name: driver,
            nodeID: name,
            topologyKeys: ['topology.kubernetes.io/zone'],
            allocatable: { count: 25 },
          },
        ],
      },
    });
  }
  create(world, 'storage.k8s.io/storageclasses', '', {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  create(world, '/persistentvolumes', '', {
    metadata: { name: 'archive-nfs' },
    spec: {
      capacity: { storage: '2Ti' },
      accessModes: ['ReadWriteMany'],
      persistentVolumeReclaimPolicy: 'Retain',
      nfs: { server: 'nfs.acme.example', path: '/archive' },
    },
  });
  create(world, '/persistentvolumeclaims', 'batch', {
    metadata: { name: 'scratch' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '50Gi' } },
    },
  });
}

function plantLimits(world: World): void {
  const quota = (namespace: string, hard: Rec) =>
    create(world, quotas, namespace, { metadata: { name: 'team' }, spec: { hard } });
  quota('shop', { pods: '60', 'requests.cpu': '12', 'requests.memory': '24Gi', 'limits.memory': '48Gi' });
  quota('batch', { pods: '20', 'requests.cpu': '4', 'requests.memory': '8Gi' });
  const limits = (namespace: string, limit: Rec) =>
    create(world, '/limitranges', namespace, {
      metadata: { name: 'defaults' },
      spec: { limits: [{ type: 'Container', ...limit }] },
    });
  const defaultRequest = { cpu: '50m', memory: '64Mi' };
  limits('shop', { defaultRequest, default: { memory: '256Mi' } });
  limits('batch', { defaultRequest });
}
