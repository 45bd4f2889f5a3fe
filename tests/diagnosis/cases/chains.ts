import {
  all,
  but,
  condition,
  crashed,
  log,
  object,
  pod,
  type RuleCase,
  waiting,
  warning,
} from './rule-case.ts';

const custom = (apiVersion: string, kind: string, name: string, members: string, metadata = ''): string =>
  object(apiVersion, kind, name, members, metadata);
const failing = (message: string): string => `status: { ${condition('Ready', 'False', 'Failed', message)} }`;

const mounted = (subPath: string): string =>
  pod({
    spec: 'volumes: [{ name: config, configMap: { name: settings } }],',
    container: `volumeMounts: [{ name: config, mountPath: /etc/web/web.conf, ${subPath} }]`,
    status: crashed(
      128,
      'StartError',
      'failed to create containerd task: error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/config/main/0" to rootfs at "/etc/web/web.conf": not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)?',
    ),
  });
const settings = (key: string): string => object('v1', 'ConfigMap', 'settings', `data: { ${key}: a }`);
const subPath = 'subPath: web.conf';

const store = (members: string): string => custom('external-secrets.io/v1', 'SecretStore', 'vault', members);
const external = custom(
  'external-secrets.io/v1',
  'ExternalSecret',
  'account',
  `spec: { secretStoreRef: { name: vault, kind: SecretStore }, target: { name: account } }\n${failing('could not get secret data from provider')}`,
);
const withoutSecret = pod({
  phase: 'Pending',
  container: 'envFrom: [{ secretRef: { name: account } }]',
  status: waiting('CreateContainerConfigError', 'secret "account" not found'),
});

const sources = ['GitRepository', 'OCIRepository', 'HelmRepository', 'HelmChart', 'Bucket'] as const;
const source = (kind: string, members: string): string =>
  custom('source.toolkit.fluxcd.io/v1', kind, 'app', members);

const challenge = (spec: string): string =>
  custom(
    'acme.cert-manager.io/v1',
    'Challenge',
    'shop-1',
    `spec: { dnsName: shop.example.org, type: DNS-01, issuerRef: { name: acme, kind: Issuer }, solver: { ${spec} } }\nstatus: { state: pending }`,
  );
const byToken = challenge('dns01: { cloudflare: { apiTokenSecretRef: { name: dns-token, key: token } } }');

const database = custom(
  'postgresql.cnpg.io/v1',
  'Cluster',
  'db',
  "spec: { instances: 1 }\nstatus: { phase: Not enough disk space, phaseReason: 'One or more instances are reporting not enough disk space' }",
);
const claim = object(
  'v1',
  'PersistentVolumeClaim',
  'db-1',
  'spec: { resources: { requests: { storage: 20Gi } } }\nstatus: { phase: Bound, capacity: { storage: 10Gi } }',
  'labels: { cnpg.io/cluster: db },',
);
const archive = custom(
  'postgresql.cnpg.io/v1',
  'Cluster',
  'db',
  `spec: { instances: 1 }\nstatus: { ${condition('ContinuousArchiving', 'False', 'Failing', 'unexpected failure invoking wal-archive')} }`,
);
const instance = pod({
  name: 'web-0',
  labels: 'cnpg.io/cluster: db',
  status:
    "containerStatuses: [{ name: main, ready: true, state: { running: { startedAt: '2026-03-01T07:00:00Z' } } }]",
});
const archiveError = log('ERROR: wal-archive: Access Denied by the bucket backups');

const route = (kind: string, reason: string): string =>
  object(
    'gateway.networking.k8s.io/v1',
    kind,
    'shop',
    `spec: { parentRefs: [{ name: public, namespace: edge }] }\nstatus: { parents: [{ conditions: [{ type: Accepted, status: 'False', reason: ${reason}, message: No listeners allow it }] }] }`,
  );
const gateway = but(
  object(
    'gateway.networking.k8s.io/v1',
    'Gateway',
    'public',
    'spec: { listeners: [{ name: web, allowedRoutes: { namespaces: { from: Selector, selector: { matchLabels: { edge: open } } } } }] }',
  ),
  'namespace: shop',
  'namespace: edge',
);

const virtual = (destination: string): string =>
  custom(
    'networking.istio.io/v1',
    'VirtualService',
    'web',
    `spec: { hosts: [web], http: [{ route: [{ destination: { ${destination} } }] }] }`,
  );
const destination = custom(
  'networking.istio.io/v1',
  'DestinationRule',
  'web',
  'spec: { host: web.shop.svc.cluster.local, subsets: [{ name: v1 }] }',
);
const web = object('v1', 'Service', 'web', 'spec: { selector: { app: web }, ports: [{ port: 80 }] }');
const ceph = (health: string): string =>
  custom(
    'ceph.rook.io/v1',
    'CephCluster',
    'store',
    `status: { ceph: { health: ${health}, details: { OSD_FULL: { severity: ${health}, message: 1 full osd(s) } } } }`,
  );

const ingress = object(
  'networking.k8s.io/v1',
  'Ingress',
  'shop',
  'spec: { ingressClassName: nginx, rules: [{ http: { paths: [{ path: /, backend: { service: { name: web, port: { number: 80 } } } }] } }] }',
);
const nginx = object(
  'networking.k8s.io/v1',
  'IngressClass',
  'nginx',
  'spec: { controller: k8s.io/ingress-nginx }',
);
const controller = but(
  pod({ name: 'controller-1', labels: 'app.kubernetes.io/name: ingress-nginx' }),
  'namespace: shop',
  'namespace: edge',
);
const answering = pod({ name: 'web-0', status: "conditions: [{ type: Ready, status: 'True' }]" });
const slice = object(
  'discovery.k8s.io/v1',
  'EndpointSlice',
  'web-1',
  'endpoints: [{ addresses: [10.1.0.4], conditions: { ready: true } }]',
  'labels: { kubernetes.io/service-name: web },',
);
const policy = (from: string): string =>
  object(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'strict',
    `spec: { podSelector: {}, policyTypes: [Ingress], ingress: [{ from: [{ ${from} }] }] }`,
  );
const reached = [nginx, web, slice, answering, controller];

/** Cases of the rules that follow chains: from Secrets, mounts, routes and objects of operators. */
export const chainCases: readonly RuleCase[] = [
  {
    rule: 'pod.mount-type',
    broken: all(mounted(subPath), settings('main.conf')),
    names:
      /ConfigMap settings has no key web\.conf, the subPath of volume config: .* The existing keys are main\.conf/,
    opens: ['ConfigMap settings'],
    near: { 'it runs': all(pod({}), settings('main.conf')) },
  },
  {
    rule: 'pod.mount-type',
    broken: all(mounted(''), settings('web.conf')),
    names:
      /has a file at \/etc\/web\/web\.conf, and ConfigMap settings \(volume config\) is mounted there as a directory/,
    opens: ['ConfigMap settings'],
    near: { 'its command does not exist': pod({ status: crashed(127) }) },
  },
  {
    rule: 'pod.create-failed',
    broken: pod({
      phase: 'Pending',
      status: waiting('CreateContainerError', 'failed to reserve container name "main_web-0"'),
    }),
    names: /The kubelet cannot create container main: failed to reserve container name/,
    near: { 'a Secret is missing': withoutSecret },
  },
  {
    rule: 'object.reference-missing',
    broken: all(withoutSecret, external),
    names: /SecretStore vault, which ExternalSecret account refers to, does not exist in namespace shop/,
    near: {
      'the store is there': all(withoutSecret, external, store(failing('permission denied'))),
    },
  },
  ...sources.map(
    (kind): RuleCase => ({
      rule: `${kind.toLowerCase()}.not-fetched`,
      broken:
        source(
          kind,
          `spec: { url: 'ssh://git@example.org/app', secretRef: { name: key } }\n${failing('ssh: handshake failed: knownhosts: key mismatch')}`,
        ) + `\n---\n${object('v1', 'Secret', 'key')}`,
      names: new RegExp(`${kind} app cannot be fetched with Secret key: ssh: handshake failed: knownhosts`),
      near: { 'it is': source(kind, `spec: {}\nstatus: { ${condition('Ready', 'True')} }`) },
    }),
  ),
  {
    rule: 'challenge.secret-missing',
    broken: byToken,
    names: /challenge for shop\.example\.org waits for Secret dns-token in namespace shop, .* Issuer acme/,
    near: { 'the Secret is there': all(byToken, object('v1', 'Secret', 'dns-token')) },
  },
  {
    rule: 'challenge.class-missing',
    broken: all(challenge('http01: { ingress: { ingressClassName: ngnix } }'), nginx),
    names: /uses the ingress class ngnix, which does not exist; the cluster has nginx/,
    near: { 'the class is there': all(challenge('http01: { ingress: { ingressClassName: nginx } }'), nginx) },
  },
  {
    rule: 'object.disk-full',
    broken: all(database, claim),
    names: /Cluster db has no disk space left on its claim db-1 \(10Gi\)/,
    near: { 'it waits for something else': all(archive, claim) },
  },
  {
    rule: 'object.part-log',
    broken: all(archive, instance, archiveError),
    names:
      /Cluster db: unexpected failure invoking wal-archive; pod web-0 says: “.*Access Denied by the bucket/,
    near: { 'its pods say nothing of it': all(archive, instance, log('checkpoint complete')) },
  },
  {
    rule: 'claim.not-enlarged',
    broken: all(
      claim,
      warning('PersistentVolumeClaim', 'db-1', 'VolumeResizeFailed', 'only one change in 6 hours'),
    ),
    names:
      /Claim db-1 keeps its size: its expansion from 10Gi to 20Gi is refused: only one change in 6 hours/,
    near: { 'the driver is at it': claim },
  },
  ...(['HTTPRoute', 'GRPCRoute'] as const).map(
    (kind): RuleCase => ({
      rule: 'route.namespace',
      broken: all(route(kind, 'NotAllowedByListeners'), gateway),
      names:
        /Gateway edge\/public allows only routes from namespaces with edge=open, so it does not accept this one from namespace shop/,
      near: { 'it is refused for its host': all(route(kind, 'NoMatchingListenerHostname'), gateway) },
    }),
  ),
  {
    rule: 'virtualservice.subset',
    broken: all(virtual('host: web, subset: v2'), destination, web),
    names: /sends requests to subset v2 of web, and DestinationRule web defines only v1/,
    near: { 'the subset is there': all(virtual('host: web, subset: v1'), destination, web) },
  },
  {
    rule: 'virtualservice.service-missing',
    broken: virtual('host: web'),
    names: /VirtualService web sends requests to service web in namespace shop, which does not exist/,
    near: {
      'it is there': all(virtual('host: web'), web),
      'it is of the world': virtual('host: api.example.org'),
    },
  },
  {
    rule: 'cephcluster.health',
    broken: ceph('HEALTH_ERR'),
    names: /CephCluster store is HEALTH_ERR, its storage is full and takes no writes: OSD_FULL: 1 full osd/,
    near: { 'it warns': ceph('HEALTH_WARN') },
  },
  {
    rule: 'ingress.call-forbidden',
    broken: all(ingress, ...reached, policy('namespaceSelector: { matchLabels: { name: edge } }')),
    names: /NetworkPolicy strict does not let pods of namespace edge, such as controller-1/,
    near: {
      'the policy allows the namespace': all(ingress, ...reached, policy('namespaceSelector: {}')),
      'there is none': all(ingress, ...reached),
    },
  },
];
