import { behaviour, deployment, type Situation } from './situation.ts';

/** Situations of containers and pods. */
export const podSituations: readonly Situation[] = [
  {
    id: 'image-tag',
    what: 'A release names a tag that was never pushed.',
    manifests: deployment('web', 'image: example/web:9.9-missing'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-missing',
    object: 'Pod web',
    names: /example\/web:9\.9-missing/,
  },
  {
    id: 'image-name',
    what: 'The name of an image has capital letters.',
    manifests: deployment('web', 'image: Example/Web:1'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-name',
    object: 'Pod web',
    names: /Example\/Web:1/,
  },
  {
    id: 'crash-loop',
    what: 'A program ends with an error some seconds after each start.',
    manifests: deployment('web', 'image: example/web:1', '', behaviour('crash-loop')),
    after: 180,
    ask: 'Deployment.apps default/web',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'command-missing',
    what: 'The command of a container is not in its image.',
    manifests: deployment('web', 'image: example/web:1', '', behaviour('exit-127')),
    after: 180,
    ask: 'Deployment.apps default/web',
    rule: 'pod.command',
    object: 'Pod web',
    names: /does not exist in its image/,
  },
  {
    id: 'out-of-memory',
    what: 'A container needs more memory than its limit.',
    manifests: deployment(
      'web',
      'image: example/web:1, resources: { limits: { memory: 64Mi } }',
      '',
      behaviour('oom'),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.out-of-memory',
    object: 'Pod web',
    names: /64Mi/,
  },
  {
    id: 'liveness',
    what: 'A liveness probe fails, and the container is killed again and again.',
    manifests: deployment(
      'web',
      'image: example/web:1, livenessProbe: { httpGet: { path: /alive, port: 8080 }, periodSeconds: 5 }',
      '',
      behaviour('liveness'),
    ),
    after: 400,
    ask: 'Deployment.apps default/web',
    rule: 'pod.probe-kills',
    object: 'Pod web',
    names: /liveness probe/,
  },
  {
    id: 'readiness',
    what: 'A readiness probe never passes.',
    manifests: deployment(
      'web',
      'image: example/web:1, readinessProbe: { httpGet: { path: /ready, port: 8080 } }',
      '',
      behaviour('unready'),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.readiness',
    object: 'Pod web',
    names: /readiness probe of container main/,
  },
  {
    id: 'ends-by-itself',
    what: 'A batch program runs as a Deployment and is started again each time it is done.',
    manifests: deployment('batch', 'image: example/batch:1', '', behaviour('exit-0')),
    after: 300,
    ask: 'Deployment.apps default/batch',
    rule: 'pod.ends-by-itself',
    object: 'Pod batch',
    names: /Job/,
  },
  {
    id: 'config-map-missing',
    what: 'A container takes its environment from a ConfigMap that nobody made.',
    manifests: deployment('web', 'image: example/web:1, envFrom: [{ configMapRef: { name: web-settings } }]'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /ConfigMap web-settings/,
  },
  {
    id: 'secret-look-alike',
    what: 'A Secret is missing; a ConfigMap has its name.',
    manifests: `
apiVersion: v1
kind: ConfigMap
metadata: { name: db-credentials }
data: { password: none }
---
${deployment('web', 'image: example/web:1, env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: db-credentials, key: password } } }]')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /Secret db-credentials .* there is a ConfigMap of that name/,
  },
  {
    id: 'config-key-missing',
    what: 'A Secret lacks the key that a container asks for.',
    manifests: `
apiVersion: v1
kind: Secret
metadata: { name: db }
stringData: { user: web }
---
${deployment('web', 'image: example/web:1, env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: db, key: password } } }]')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-key',
    object: 'Pod web',
    names: /Secret db has no key password/,
  },
  {
    id: 'volume-secret-missing',
    what: 'A volume is to be filled from a Secret that does not exist.',
    manifests: deployment(
      'web',
      'image: example/web:1, volumeMounts: [{ name: tls, mountPath: /tls }]',
      'volumes: [{ name: tls, secret: { secretName: web-tls } }]',
    ),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /Secret web-tls that volume tls of the pod needs/,
  },
  {
    id: 'node-selector',
    what: 'A pod asks for nodes with a label that none has.',
    manifests: deployment('web', 'image: example/web:1', 'nodeSelector: { disk: nvme }'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.node-selector',
    object: 'Pod web',
    names: /disk=nvme/,
  },
  {
    id: 'too-much-cpu',
    what: 'A pod requests more processors than any node has.',
    manifests: deployment('web', "image: example/web:1, resources: { requests: { cpu: '64' } }"),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.resources',
    object: 'Pod web',
    names: /cpu/,
  },
];
