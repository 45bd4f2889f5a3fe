import { generateKeyPairSync } from 'node:crypto';
import { all, object, pod, type RuleCase, warning } from './rule-case.ts';

/** A certificate for shop.example.test, valid until the beginning of March 2026. */
const certificate =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM4akNDQWRxZ0F3SUJBZ0lCQVRBTkJna3Foa2lHOXcwQkFRc0ZBREFjTVJvd0dBWURWUVFEREJGemFHOXcKTG1WNFlXMXdiR1V1ZEdWemREQWVGdzB5TlRBeE1ERXdNREF3TURCYUZ3MHlOakF6TURFd01EQXdNREJhTUJ3eApHakFZQmdOVkJBTU1FWE5vYjNBdVpYaGhiWEJzWlM1MFpYTjBNSUlCSWpBTkJna3Foa2lHOXcwQkFRRUZBQU9DCkFROEFNSUlCQ2dLQ0FRRUFydDZzVG1lN3lxK3NpVTRFQWJnSnBmdjBtRGh2OVA4V0VKNzNuRzJWRFpWYzcrZzcKUHNuTEVvcStLdzhBaDlJZWxEWkVxc29oYUhIaXNuSlBVbTJJVnkzMHphRERDUUkvKzVoZENiSDk0WUtTMmJqWgowbFB0c0pPK2piWHRuaVBtWEhwZXBZWkVFY0tqOGhtVlZFU00rSld0Z01yd2JRRjljWERkeUdjTWdaSTlHb0hVClZCSUVFMXlOTGtVM2FBM0lVaS9XbVBEeS8yd1hpMThicXBvT05STVNvOEIzcnNjSmhacGxrV2FHZ1J2RFVFb2sKaklFT2Q3MS8xWENmOWMxZjJKZWZ6am5rU09BRjV2K2g1eU1PY2d4aGJZaDd4T05oa0Mrb05LcHd2c2hjUnV1ZApSV2J3VFZJRDlpb1V5RmVTQmNzWEN3YUNaakl0MlhzczExeE1YUUlEQVFBQm96OHdQVEFjQmdOVkhSRUVGVEFUCmdoRnphRzl3TG1WNFlXMXdiR1V1ZEdWemREQWRCZ05WSFE0RUZnUVVabmVrVUxiU3Q5MWhwV3k0VkhtbmlCMm8KVlpJd0RRWUpLb1pJaHZjTkFRRUxCUUFEZ2dFQkFIa09yUjFpekxyMTlqdDFLY0xTRWsrU2tjb2gybDJ0TnErTwo3T2o1UWtGdTFGUENrNi9LdlBQb2xjOWZrWG82Kzlwc2JicnZqL0dZMVFoWlRKY2FBVlVEaC9VYjZFckVSMW5ECnpLYnpLeEhOSWZqRS9DOEg3Z25HdnYrWEttaXJ5dENOajV2MUFjUE5JVStESHp0eVFrbmk4VEVJU0xOTU5qQVUKTGt6Y3lwa0VzQ1VkdFJWM0ZrRzF3NC94SEUydFpmdEFkNXpkNC9DQWJNa25WYzlIalVZeWV4bURPbm0yVVhlbAo3c3dIM3FnbTZtNjR5L2ZhK1cwcHpPVlRpZTBiWk92dDdBbXJmQnF5YWtQeS9wTnhzOTVoaGhzL1NPaVVLclJCClNUZHVoa3dac2dhUUFCaUNoSXYyTFpIYThZSGprSDU4YVRFQnQvanAva2dydnE5WHZJaz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=';

const tls = object('v1', 'Secret', 'shop-tls', `type: kubernetes.io/tls\ndata: { tls.crt: ${certificate} }`);
/** A key that is not the certificate's. */
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64');
const otherPem = Buffer.from(
  `-----BEGIN PRIVATE KEY-----\n${otherKey}\n-----END PRIVATE KEY-----\n`,
).toString('base64');
const mixed = object(
  'v1',
  'Secret',
  'shop-tls',
  `type: kubernetes.io/tls\ndata: { tls.crt: ${certificate}, tls.key: ${otherPem} }`,
);
const ingress = (host: string, metadata = '', spec = 'ingressClassName: nginx,'): string =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    'shop',
    `spec: { ${spec} tls: [{ hosts: [${host}], secretName: shop-tls }] }`,
    metadata,
  );
const nginx = object(
  'networking.k8s.io/v1',
  'IngressClass',
  'nginx',
  'spec: { controller: k8s.io/ingress-nginx }',
);
const deleted = "deletionTimestamp: '2026-03-01T07:00:00Z',";
const scaler = (ref: string): string =>
  object(
    'keda.sh/v1alpha1',
    'ScaledObject',
    'web',
    `spec: { scaleTargetRef: { name: web }, triggers: [{ type: redis, ${ref} }] }\nstatus: { conditions: [{ type: Ready, status: 'False', message: failed, lastTransitionTime: '2026-03-01T06:00:00Z' }] }`,
  );
const web = object('apps/v1', 'Deployment', 'web');
const authentication = object('keda.sh/v1alpha1', 'TriggerAuthentication', 'redis');
const release = (status: string, description: string, updated = '2026-03-01T06:00:00Z'): string =>
  object(
    'helm.sh/v1',
    'Release',
    'billing',
    `revision: 2\nstatus: ${status}\nupdated: '${updated}'\ndescription: ${JSON.stringify(description)}`,
  );
const flux = (group: string, kind: string, spec: string): string =>
  object(`${group}.toolkit.fluxcd.io/v1`, kind, 'infra', `spec: { ${spec} }`);
const application = (status: string): string =>
  object('argoproj.io/v1alpha1', 'Application', 'shop', `status: { ${status} }`);
const set = (strategy: string, update = 'web-2'): string =>
  object(
    'apps/v1',
    'StatefulSet',
    'web',
    `spec: { replicas: 2, updateStrategy: { ${strategy} } }\nstatus: { replicas: 2, readyReplicas: 2, currentRevision: web-1, updateRevision: ${update}, updatedReplicas: 0 }`,
  );
const node = (name: string, version: string, taints = ''): string =>
  object(
    'v1',
    'Node',
    name,
    `spec: { ${taints} }\nstatus: { nodeInfo: { kubeletVersion: ${version} }, conditions: [{ type: Ready, status: 'True' }] }`,
  );
const tainted = node('gpu-1', 'v1.36.0', 'taints: [{ key: gpu, effect: NoSchedule }]');
const daemons = (spec: string, strategy = ''): string =>
  object(
    'apps/v1',
    'DaemonSet',
    'agent',
    `spec: { updateStrategy: { ${strategy} }, template: { spec: { containers: [], ${spec} } } }\nstatus: { desiredNumberScheduled: 1, numberReady: 1, numberAvailable: 1, currentNumberScheduled: 1, updatedNumberScheduled: ${strategy === 'type: OnDelete' ? 0 : 1} }`,
  );
const claim = (metadata = '', status = 'Pending'): string =>
  object(
    'v1',
    'PersistentVolumeClaim',
    'data',
    `spec: { storageClassName: fast }\nstatus: { phase: ${status} }`,
    `annotations: { volume.kubernetes.io/storage-provisioner: ebs.csi.aws.com }, ${metadata}`,
  );
const fast = object('storage.k8s.io/v1', 'StorageClass', 'fast', 'provisioner: ebs.csi.aws.com');
const starting = pod({
  phase: 'Pending',
  status:
    'containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { waiting: { reason: ContainerCreating } } }]',
});
const sandbox = warning(
  'Pod',
  'web-0',
  'FailedCreatePodSandBox',
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5b": plugin type="calico" failed (add): no address left',
);
const ofJob = (restart: string): string =>
  pod({
    spec: `restartPolicy: ${restart},`,
    status:
      "containerStatuses: [{ name: main, state: { terminated: { exitCode: 0, finishedAt: '2026-03-01T07:30:00Z' } } }, { name: proxy, ready: true, state: { running: { startedAt: '2026-03-01T07:00:00Z' } } }]",
  });

/** Cases of the rules about what no status tells, and about objects of every kind. */
export const quietCases: readonly RuleCase[] = [
  {
    rule: 'secret.certificate',
    broken: tls,
    names:
      /certificate in Secret shop-tls for shop\.example\.test has expired: it was valid until 2026-03-01/,
    near: { 'it has none': object('v1', 'Secret', 'shop-tls', 'data: { password: eA== }') },
  },
  {
    rule: 'secret.certificate',
    broken: mixed,
    names: /does not belong to its private key: tls\.key is that of another certificate/,
    near: { 'it has no key': object('v1', 'Secret', 'shop-tls', 'data: { password: eA== }') },
  },
  {
    rule: 'ingress.certificate-host',
    broken: all(ingress('www.example.org'), nginx, tls),
    names: /is for shop\.example\.test, not for host www\.example\.org of the ingress/,
    besides: ['secret.certificate'],
    near: { 'it is for the host': all(ingress('shop.example.test'), nginx, tls) },
  },
  {
    rule: 'ingress.class-annotation',
    broken: all(
      ingress('shop.example.test', 'annotations: { kubernetes.io/ingress.class: nginx },', ''),
      nginx,
      tls,
    ),
    names: /names its class nginx only in the deprecated annotation/,
    besides: ['secret.certificate'],
    near: { 'it names its class': all(ingress('shop.example.test'), nginx, tls) },
  },
  {
    rule: 'object.finalizer',
    broken: object(
      'v1',
      'ConfigMap',
      'settings',
      'data: { a: b }',
      `${deleted} finalizers: [example.org/keep],`,
    ),
    names:
      /ConfigMap settings has been waiting 60m to be deleted: its finalizer example\.org\/keep is still there/,
    near: {
      'it was just deleted': object(
        'v1',
        'ConfigMap',
        'settings',
        'data: { a: b }',
        "deletionTimestamp: '2026-03-01T07:59:30Z', finalizers: [example.org/keep],",
      ),
      'nobody deleted it': object(
        'v1',
        'ConfigMap',
        'settings',
        'data: { a: b }',
        'finalizers: [example.org/keep],',
      ),
    },
  },
  {
    rule: 'object.reference-missing',
    broken: all(scaler('authenticationRef: { name: redis }'), web),
    names: /TriggerAuthentication redis, which ScaledObject web refers to, does not exist/,
    near: {
      'it exists': all(scaler('authenticationRef: { name: redis }'), web, authentication),
      'it refers to nothing': all(scaler('metadata: {}'), web),
    },
  },
  {
    rule: 'object.warning',
    broken: all(
      object('networking.k8s.io/v1', 'IngressClass', 'nginx', 'spec: {}', 'namespace: shop,'),
      warning('IngressClass', 'nginx', 'Rejected', 'the annotation is not allowed'),
    ),
    names: /IngressClass nginx: the annotation is not allowed/,
    near: {
      'it was long ago': all(
        object('networking.k8s.io/v1', 'IngressClass', 'nginx', 'spec: {}', 'namespace: shop,'),
        warning('IngressClass', 'nginx', 'Rejected', 'the annotation is not allowed', { minutes: 40 }),
      ),
    },
  },
  {
    rule: 'release.failed',
    broken: release(
      'failed',
      'Upgrade "billing" failed: unable to build kubernetes objects from new release manifest: resource mapping not found for name: "b" namespace: "": no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"',
    ),
    names: /Revision 2 of release billing failed: its chart has a PodDisruptionBudget of policy\/v1beta1/,
    near: { 'it is installed': release('deployed', 'Upgrade complete') },
  },
  {
    rule: 'release.waited',
    broken: release('failed', 'Upgrade "billing" failed: timed out waiting for the condition'),
    names: /Revision 2 of release billing failed: timed out waiting/,
    near: { 'it is installed': release('deployed', 'Upgrade complete') },
  },
  {
    rule: 'release.pending',
    broken: release('pending-upgrade', 'Preparing upgrade'),
    names: /has been pending-upgrade for 120m/,
    near: { 'it has just begun': release('pending-upgrade', 'Preparing upgrade', '2026-03-01T07:58:00Z') },
  },
  ...(
    [
      ['kustomize', 'Kustomization'],
      ['helm', 'HelmRelease'],
      ['source', 'GitRepository'],
      ['source', 'OCIRepository'],
      ['source', 'HelmRepository'],
      ['source', 'HelmChart'],
      ['source', 'Bucket'],
    ] as const
  ).map(
    ([group, kind]): RuleCase => ({
      rule: `${kind.toLowerCase()}.suspended`,
      broken: flux(group, kind, 'suspend: true'),
      names: new RegExp(`${kind} infra is suspended`),
      near: { 'it is not': flux(group, kind, 'suspend: false') },
    }),
  ),
  {
    rule: 'application.error',
    broken: application("conditions: [{ type: ComparisonError, message: 'no such path' }]"),
    names: /ComparisonError\): no such path/,
    near: { 'it warns': application("conditions: [{ type: OrphanedResourceWarning, message: 'one' }]") },
  },
  {
    rule: 'application.sync-failed',
    broken: application("operationState: { phase: Failed, message: 'one object is not valid' }"),
    names: /last sync of application shop failed: one object is not valid/,
    near: { 'it went well': application('operationState: { phase: Succeeded }') },
  },
  {
    rule: 'statefulset.partition',
    broken: set('type: RollingUpdate, rollingUpdate: { partition: 5 }'),
    names: /StatefulSet web has partition 5, which keeps all 2 pods at the earlier revision/,
    near: {
      'nothing was changed': set('type: RollingUpdate, rollingUpdate: { partition: 5 }', 'web-1'),
      'it has none': set('type: RollingUpdate'),
    },
  },
  {
    rule: 'workload.on-delete',
    broken: set('type: OnDelete'),
    names: /OnDelete gives pods of StatefulSet web the new template only once/,
    near: { 'nothing was changed': set('type: OnDelete', 'web-1') },
  },
  {
    rule: 'workload.on-delete',
    broken: daemons('', 'type: OnDelete'),
    names: /OnDelete gives pods of DaemonSet agent the new template only once/,
    near: { 'it rolls': daemons('', 'type: RollingUpdate') },
  },
  {
    rule: 'node.kubelet-old',
    broken: all(node('old-1', 'v1.31.4'), node('node-1', 'v1.36.2')),
    names: /kubelet of node old-1 is v1\.31\.4, 5 minor versions behind v1\.36\.2/,
    near: { 'it is a little behind': all(node('old-1', 'v1.33.4'), node('node-1', 'v1.36.2')) },
  },
  {
    rule: 'daemonset.nodes-left-out',
    broken: all(daemons(''), tainted, node('node-1', 'v1.36.0')),
    names: /DaemonSet agent does not run on 1 of 2 nodes: .* gpu:NoSchedule on gpu-1/,
    near: {
      'it tolerates the taint': all(
        daemons('tolerations: [{ operator: Exists }]'),
        tainted,
        node('node-1', 'v1.36.0'),
      ),
      'it selects its nodes': all(daemons('nodeSelector: { disk: ssd }'), tainted, node('node-1', 'v1.36.0')),
    },
  },
  {
    rule: 'claim.provisioner-silent',
    broken: all(claim(), fast),
    names: /waits for provisioner ebs\.csi\.aws\.com of class fast, and no driver of that name is installed/,
    near: { 'it is bound': all(claim('', 'Bound'), fast) },
  },
  {
    rule: 'claim.deleted',
    broken: claim(`${deleted} finalizers: [kubernetes.io/pvc-protection],`, 'Bound'),
    names: /Claim data is being deleted/,
    near: { 'it is not': claim('', 'Bound') },
  },
  {
    rule: 'pod.start-failed',
    broken: all(starting, sandbox),
    names: /Node node-1 cannot start the pod: the network plugin calico says: no address left/,
    near: { 'it runs': all(pod({}), sandbox) },
  },
  {
    rule: 'pod.sidecar-runs',
    broken: ofJob('Never'),
    names: /Container main is done, but container proxy beside it keeps running/,
    near: { 'the pod restarts what ends': ofJob('Always') },
  },
];
