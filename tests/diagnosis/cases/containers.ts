import { all, but, crashed, object, pod, type RuleCase, waiting, warning } from './rule-case.ts';

const running = pod({
  status:
    "containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:01:00Z' } } }]",
});
/** Restarted long ago, and well since. */
const recovered = pod({
  status:
    "containerStatuses: [{ name: main, ready: true, restartCount: 1, state: { running: { startedAt: '2026-03-01T07:10:00Z' } }, lastState: { terminated: { exitCode: 1, reason: Error, finishedAt: '2026-03-01T07:09:00Z' } } }]",
});
const unready = pod({
  container: 'ports: [{ containerPort: 8080 }], readinessProbe: { httpGet: { path: /ready, port: 9090 } }',
  status:
    "containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:01:00Z' } } }], conditions: [{ type: Ready, status: 'False', lastTransitionTime: '2026-03-01T07:00:00Z' }]",
});
const liveness = 'Liveness probe failed: HTTP probe failed with statuscode: 500';
const config = (reason: string, message: string) =>
  pod({ phase: 'Pending', status: waiting(reason, message) });
const missingMap = config('CreateContainerConfigError', 'configmap "web-settings" not found');
const missingKey = config('CreateContainerConfigError', "couldn't find key password in Secret shop/database");
const volumes = (text: string, message: string) =>
  all(
    pod({ phase: 'Pending', spec: `volumes: [${text}],`, status: waiting('ContainerCreating', '') }),
    warning('Pod', 'web-0', 'FailedMount', `MountVolume.SetUp failed for volume "tls" : ${message}`),
  );
/** A pod with a postStart hook, and a warning about a hook. */
const hooked = (reason: string, message: string) =>
  all(
    pod({
      container: 'lifecycle: { postStart: { exec: { command: [/bin/init] } } }',
      status: crashed(137, 'Error'),
    }),
    warning('Pod', 'web-0', reason, message, { part: 'main' }),
  );
/** A pod that its liveness probe ended, by when its last run began; it ended 20 s before 08:00. */
const slowStart = (began: string) =>
  all(
    pod({
      container: 'livenessProbe: { httpGet: { path: /, port: 80 } }',
      status: `containerStatuses: [{ name: main, ready: false, restartCount: 5, state: { waiting: { reason: CrashLoopBackOff } }, lastState: { terminated: { exitCode: 143, reason: Error, startedAt: '2026-03-01T${began}Z', finishedAt: '2026-03-01T07:59:40Z' } } }]`,
    }),
    warning('Pod', 'web-0', 'Unhealthy', 'Liveness probe failed: dial tcp: connect: connection refused', {
      part: 'main',
    }),
  );
const asRoot = config(
  'CreateContainerConfigError',
  'container has runAsNonRoot and image will run as root (pod: "web-0_shop(uid)", container: main)',
);

/** Cases of the rules about containers that end, are not ready, or cannot be made. */
export const containerCases: readonly RuleCase[] = [
  {
    rule: 'pod.out-of-memory',
    broken: pod({ container: 'resources: { limits: { memory: 64Mi } }', status: crashed(137, 'OOMKilled') }),
    names: /main .* 64Mi/,
    near: {
      'killed with the same code': pod({ status: crashed(137) }),
      'killed long ago, well since': pod({
        status:
          "containerStatuses: [{ name: main, ready: true, restartCount: 1, state: { running: { startedAt: '2026-03-01T07:10:00Z' } }, lastState: { terminated: { exitCode: 137, reason: OOMKilled, finishedAt: '2026-03-01T07:09:00Z' } } }]",
      }),
    },
  },
  {
    rule: 'pod.out-of-memory',
    broken: pod({ status: crashed(137, 'OOMKilled') }),
    names: /node ran out of memory/,
    near: { 'it runs': running },
  },
  {
    rule: 'pod.command',
    broken: pod({
      container: "command: ['/srv/web']",
      status: crashed(
        128,
        'StartError',
        'failed to create containerd task: OCI runtime create failed: exec: "/srv/web": stat /srv/web: no such file or directory: unknown',
      ),
    }),
    names: /command \/srv\/web of container main does not exist in its image/,
    near: {
      'the program misses a file of its own': pod({
        status: crashed(1, 'Error', 'open /etc/web.yaml: no such file or directory'),
      }),
      'the kubelet misses a device': pod({
        status: crashed(128, 'StartError', 'failed to create shim task: cgroup is busy: unknown'),
      }),
    },
  },
  {
    rule: 'pod.command',
    broken: pod({ status: crashed(126, 'ContainerCannotRun', 'exec /srv/web: exec format error') }),
    names: /another CPU architecture/,
    near: { 'it ends with an error': pod({ status: crashed(2) }) },
  },
  {
    rule: 'pod.post-start',
    broken: hooked(
      'FailedPostStartHook',
      "PostStartHook failed: command '/bin/init' exited with 1: no such host",
    ),
    names: /postStart hook of container main fails.*'\/bin\/init' exited with 1: no such host\.$/,
    near: {
      'the hook before its end fails': hooked('FailedPreStopHook', 'PreStopHook failed'),
      'its program ends by itself': but(
        hooked('FailedPostStartHook', 'PostStartHook failed: exited with 1'),
        'exitCode: 137',
        'exitCode: 1',
      ),
      'it ran out of memory': but(
        hooked('FailedPostStartHook', 'PostStartHook failed: exited with 137'),
        'reason: Error',
        'reason: OOMKilled',
      ),
    },
  },
  {
    rule: 'pod.probe-kills',
    broken: slowStart('07:59:00'),
    names: /ends it 40 s after its start, before it listens on port 80: the probe allows 30 s\./,
    near: {
      'a readiness probe ends nothing': but(slowStart('07:59:00'), 'Liveness probe', 'Readiness probe'),
    },
  },
  {
    rule: 'pod.probe-kills',
    broken: slowStart('07:30:00'),
    names: /fails, so the kubelet restarts the container: nothing listens on port 80\.$/,
    near: { 'it ends with an error': pod({ status: crashed(2) }) },
  },
  {
    rule: 'pod.probe-kills',
    broken: all(
      pod({ container: 'livenessProbe: { httpGet: { path: /, port: 80 } }', status: crashed(137) }),
      warning('Pod', 'web-0', 'Unhealthy', liveness, { part: 'main' }),
    ),
    names: /liveness probe of container main/,
    near: {
      'the probe of another container fails': all(
        pod({ status: crashed(137) }),
        warning('Pod', 'web-0', 'Unhealthy', liveness, { part: 'proxy' }),
      ),
      'a readiness probe kills nothing': all(
        pod({ status: crashed(137) }),
        warning(
          'Pod',
          'web-0',
          'Unhealthy',
          'Readiness probe failed: HTTP probe failed with statuscode: 500',
          { part: 'main' },
        ),
      ),
      'it ends by itself': all(
        pod({ status: crashed(1) }),
        warning('Pod', 'web-0', 'Unhealthy', liveness, { part: 'main' }),
      ),
      'it ran out of memory': all(
        pod({ status: crashed(137, 'OOMKilled') }),
        warning('Pod', 'web-0', 'Unhealthy', liveness, { part: 'main' }),
      ),
    },
  },
  {
    rule: 'pod.ends-by-itself',
    broken: pod({ status: crashed(0, 'Completed') }),
    names: /Container main .* Job/,
    near: {
      'it ends with an error': pod({ status: crashed(1) }),
      'a pod of a job is done': pod({
        phase: 'Succeeded',
        spec: 'restartPolicy: Never,',
        status:
          "containerStatuses: [{ name: main, state: { terminated: { exitCode: 0, reason: Completed, finishedAt: '2026-03-01T07:58:00Z' } } }]",
      }),
    },
  },
  {
    rule: 'pod.crash',
    broken: pod({ status: crashed(1) }),
    names: /container main .* code 1/,
    near: {
      'it did so once, an hour ago': recovered,
      'it ends without an error': pod({ status: crashed(0, 'Completed') }),
      'its command is missing': pod({ status: crashed(127) }),
    },
  },
  {
    rule: 'pod.crash',
    broken: pod({ status: crashed(139) }),
    names: /SIGSEGV/,
    near: { 'it runs': running },
  },
  {
    rule: 'pod.readiness-port',
    broken: all(
      unready,
      warning(
        'Pod',
        'web-0',
        'Unhealthy',
        'Readiness probe failed: Get "http://10.1.0.9:9090/ready": dial tcp 10.1.0.9:9090: connect: connection refused',
        { part: 'main' },
      ),
    ),
    names: /port 9090, but the container declares 8080/,
    near: {
      'it has just been started': all(
        unready.replace("startedAt: '2026-03-01T07:01:00Z'", "startedAt: '2026-03-01T07:59:40Z'"),
        warning('Pod', 'web-0', 'Unhealthy', 'Readiness probe failed: refused', { part: 'main' }),
      ),
      'it was unready and is well': all(
        running,
        warning('Pod', 'web-0', 'Unhealthy', 'Readiness probe failed: refused', { part: 'main' }),
      ),
    },
  },
  {
    rule: 'pod.readiness',
    broken: all(
      unready,
      warning('Pod', 'web-0', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', {
        part: 'main',
      }),
    ),
    names: /readiness probe of container main fails/,
    near: { 'nothing was said of a probe': unready },
  },
  {
    rule: 'pod.config-missing',
    broken: missingMap,
    names: /ConfigMap web-settings that container main needs/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'web-settings', namespace: 'shop' },
        data: {},
      },
    ],
    near: {
      'it has no such key': missingKey,
      'the image runs as root': asRoot,
      'the volume arrived late': all(
        running,
        warning(
          'Pod',
          'web-0',
          'FailedMount',
          'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
        ),
      ),
    },
  },
  {
    rule: 'pod.config-missing',
    broken: pod({
      phase: 'Pending',
      container:
        'env: [{ name: A, valueFrom: { secretKeyRef: { name: database, key: password } } }, { name: B, valueFrom: { secretKeyRef: { name: database, key: hint, optional: true } } }, { name: C, valueFrom: { configMapKeyRef: { name: database, key: host } } }], envFrom: [{ secretRef: { name: database } }]',
      spec: 'initContainers: [{ name: init, env: [{ name: A, valueFrom: { secretKeyRef: { name: database, key: user } } }] }], volumes: [{ name: all, projected: { sources: [{ secret: { name: database, items: [{ key: ca.crt, path: ca }] } }] } }],',
      status: waiting('CreateContainerConfigError', 'secret "database" not found'),
    }),
    names: /Secret database that container main needs/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'database', namespace: 'shop' },
        type: 'Opaque',
        stringData: { user: '', password: '', 'ca.crt': '' },
      },
    ],
    near: { 'it runs': running },
  },
  {
    rule: 'pod.config-missing',
    // Every namespace gets it from the cluster itself.
    broken: config('CreateContainerConfigError', 'configmap "kube-root-ca.crt" not found'),
    names: /ConfigMap kube-root-ca\.crt/,
    near: { 'it runs': running },
  },
  {
    rule: 'pod.config-missing',
    broken: volumes(
      '{ name: tls, secret: { secretName: web-tls, items: [{ key: tls.crt, path: crt }] } }',
      'secret "web-tls" not found',
    ),
    names: /Secret web-tls that volume tls of the pod needs/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'web-tls', namespace: 'shop' },
        type: 'Opaque',
        stringData: { 'tls.crt': '' },
      },
    ],
    near: {
      'another volume has another trouble': all(
        pod({ phase: 'Pending', status: waiting('ContainerCreating', '') }),
        warning(
          'Pod',
          'web-0',
          'FailedMount',
          'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32',
        ),
      ),
    },
  },
  {
    rule: 'pod.config-missing',
    broken: all(
      config('CreateContainerConfigError', 'secret "database" not found'),
      object('v1', 'ConfigMap', 'database', 'data: { password: none }'),
    ),
    names: /Secret database .* there is a ConfigMap of that name/,
    near: { 'it runs': running },
  },
  {
    rule: 'pod.config-key',
    broken: missingKey,
    names: /Secret database has no key password/,
    edits: ['Secret database'],
    near: { 'it does not exist at all': missingMap, 'the image runs as root': asRoot },
  },
  {
    rule: 'pod.config-key',
    broken: volumes(
      '{ name: tls, secret: { secretName: web-tls, items: [{ key: tls.key, path: key }] } }',
      'references non-existent secret key: tls.key',
    ),
    names: /Secret web-tls has no key tls\.key, which volume tls of the pod needs/,
    edits: ['Secret web-tls'],
    near: { 'it runs': running },
  },
  {
    rule: 'pod.config-key',
    // Nothing says in which object.
    broken: volumes('{ name: other }', 'references non-existent config key: web.yaml'),
    names: /key web\.yaml that volume tls of the pod needs/,
    near: { 'it runs': running },
  },
  {
    rule: 'pod.run-as-root',
    broken: asRoot,
    names: /container main runs as root/,
    near: {
      'it may': running,
      'it only says so': pod({ spec: 'securityContext: { runAsNonRoot: true },', status: crashed(1) }),
    },
  },
  {
    rule: 'pod.evicted',
    broken: pod({
      phase: 'Failed',
      status:
        'reason: Evicted, message: "The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 500Mi."',
    }),
    names: /ephemeral-storage/,
    near: {
      'it was preempted': pod({
        phase: 'Failed',
        status: 'reason: Preempting, message: Preempted in order to admit critical pod',
      }),
      'it failed': pod({ phase: 'Failed', status: crashed(1) }),
    },
  },
  {
    rule: 'pod.rejected',
    broken: pod({
      phase: 'Failed',
      status:
        'reason: SysctlForbidden, message: \'Pod was rejected: forbidden sysctl: "net.core.somaxconn" not allowlisted\'',
    }),
    names:
      /did not accept the pod \(SysctlForbidden\): forbidden sysctl: "net\.core\.somaxconn" not allowlisted\.$/,
    near: {
      'it was evicted': pod({
        phase: 'Failed',
        status: 'reason: Evicted, message: "The node was low on resource: memory."',
      }),
      'its program ended': pod({ phase: 'Failed', status: crashed(1) }),
    },
  },
  {
    rule: 'pod.rejected',
    broken: pod({
      phase: 'Failed',
      status: 'reason: Preempting, message: Preempted in order to admit critical pod',
    }),
    names: /^The pod failed on node \S* \(Preempting\): Preempted in order to admit critical pod\.$/,
    near: { 'its program ended': pod({ phase: 'Failed', status: crashed(1) }) },
  },
  {
    rule: 'pod.claim-missing',
    broken: pod({
      phase: 'Pending',
      spec: 'volumes: [{ name: data, persistentVolumeClaim: { claimName: web-data } }],',
      status:
        "conditions: [{ type: PodScheduled, status: 'False', reason: Unschedulable, message: 'persistentvolumeclaim \"web-data\" not found', lastTransitionTime: '2026-03-01T07:00:00Z' }]",
    }),
    names: /claim web-data/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'web-data', namespace: 'shop' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '' } } },
      },
    ],
    near: {
      'the claim exists': all(
        pod({ spec: 'volumes: [{ name: data, persistentVolumeClaim: { claimName: web-data } }],' }),
        object('v1', 'PersistentVolumeClaim', 'web-data', 'status: { phase: Bound }'),
      ),
      'its StatefulSet makes it': pod({
        owner:
          'ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true }]',
        spec: 'volumes: [{ name: data, persistentVolumeClaim: { claimName: web-data } }],',
      }),
    },
  },
  {
    rule: 'pod.privileged',
    broken: pod({ container: 'securityContext: { privileged: true }' }),
    names: /Container main is privileged/,
    near: { 'it is not': pod({ container: 'securityContext: { privileged: false }' }) },
  },
];
