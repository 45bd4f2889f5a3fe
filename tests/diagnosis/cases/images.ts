import { all, but, object, pod, type RuleCase, waiting, warning } from './rule-case.ts';

const pull = (why: string, spec = '', container = '') =>
  pod({
    phase: 'Pending',
    spec,
    container,
    status: waiting(
      'ImagePullBackOff',
      `Back-off pulling image "example/web:1": ErrImagePull: rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/example/web:1": ${why}`,
    ),
  });

const missing = pull(
  'failed to resolve reference "docker.io/example/web:1": docker.io/example/web:1: not found',
);
const denied = pull(
  'failed to resolve reference "docker.io/example/web:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
);
const unreachable = pull(
  'failed to do request: Head "https://registry.example.org/v2/web/manifests/1": dial tcp 192.0.2.9:443: i/o timeout',
);
const nameless = pull(
  'failed to do request: Head "https://registry.example.org/v2/web/manifests/1": dial tcp: lookup registry.example.org on 10.96.0.10:53: no such host',
);
const untrusted = pull(
  'failed to do request: Head "https://registry.example.org/v2/web/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority',
);
const unencrypted = pull(
  'failed to do request: Head "https://registry.example.org/v2/web/manifests/1": http: server gave HTTP response to HTTPS client',
);
const limited = pull(
  'failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/example/web/manifests/sha256:3134: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit',
);
const otherProcessor = pull(
  'failed to resolve reference "docker.io/example/web:1": no match for platform in manifest: not found',
);
const pulled = pod({
  status:
    "containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:01:00Z' } } }]",
});

/** Cases of the rules about images. */
export const imageCases: readonly RuleCase[] = [
  {
    rule: 'pod.image-space',
    broken: pull('failed to extract layer sha256:5dac: write /var/lib/containerd/x: no space left on device'),
    names: /Node node-1 has no disk space left for the image example\/web:1 of container main\.$/,
    near: { 'it does not exist': missing, 'it was pulled since': pulled },
  },
  {
    rule: 'pod.image-failed',
    broken: pull('failed to unpack: unexpected media type application/json'),
    names: /container main cannot be pulled: .*unexpected media type/,
    near: { 'it does not exist': missing, 'it was pulled since': pulled },
  },
  {
    rule: 'pod.image-limited',
    broken: limited,
    names: /example\/web:1 .* pull rate limit/,
    near: { 'it does not exist': missing, 'it is denied': denied, 'it was pulled since': pulled },
  },
  {
    rule: 'pod.image-platform',
    broken: otherProcessor,
    names: /not built for the CPU architecture of node node-1/,
    near: { 'it does not exist': missing, 'too many were pulled': limited },
  },
  {
    rule: 'pod.image-missing',
    broken: missing,
    names: /example\/web:1/,
    near: {
      'the registry denies it': denied,
      'the name of the registry is not found': unreachable,
      'the image was pulled': pulled,
      'an earlier pull failed': all(
        pulled,
        warning('Pod', 'web-0', 'Failed', 'Failed to pull image "example/web:1": not found'),
      ),
    },
  },
  {
    rule: 'pod.image-missing',
    // A kubelet whose back-off does not repeat why the pull failed: the event says it.
    broken: all(
      pod({
        phase: 'Pending',
        status: waiting('ImagePullBackOff', 'Back-off pulling image "example/web:1"'),
      }),
      warning(
        'Pod',
        'web-0',
        'Failed',
        'Failed to pull image "example/web:1": rpc error: code = NotFound desc = manifest unknown',
      ),
    ),
    names: /example\/web:1/,
    near: {
      'the event is about another image': all(
        pod({
          phase: 'Pending',
          status: waiting('ImagePullBackOff', 'Back-off pulling image "example/web:1"'),
        }),
        warning('Pod', 'web-0', 'Failed', 'Failed to pull image "example/proxy:1": manifest unknown'),
      ),
    },
  },
  {
    rule: 'pod.image-missing',
    // The name of an image is not what the registry says.
    broken: missing.replaceAll('example/web:1', 'example/access-denied-page:403'),
    names: /example\/access-denied-page:403/,
    near: { 'nothing is said yet': pod({ phase: 'Pending', status: waiting('ContainerCreating', '') }) },
  },
  {
    rule: 'pod.image-denied',
    broken: denied,
    names: /names no pull secret/,
    near: {
      'the image does not exist': missing,
      'the registry cannot be reached': unreachable,
      'a name with such a word': missing.replaceAll('example/web:1', 'example/unauthorized:401'),
    },
  },
  {
    rule: 'pod.image-denied',
    broken: pull(
      'unexpected status from HEAD request: 401 Unauthorized',
      'imagePullSecrets: [{ name: registry }],',
    ),
    names: /pull secret registry that the pod names does not exist/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'registry', namespace: 'shop' },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: {
          '.dockerconfigjson': `${JSON.stringify({ auths: { 'https://index.docker.io/v1/': { username: '', password: '' } } }, null, 2)}\n`,
        },
      },
    ],
    near: { 'it was pulled without': pulled },
  },
  {
    rule: 'pod.image-denied',
    broken: all(
      pull(
        'unexpected status from HEAD request: 401 Unauthorized',
        'imagePullSecrets: [{ name: registry }],',
      ),
      object('v1', 'Secret', 'registry', 'type: kubernetes.io/dockerconfigjson'),
    ),
    names: /with the pull secrets of the pod/,
    edits: ['Secret registry'],
    near: { 'the registry cannot be reached': unreachable },
  },
  {
    rule: 'pod.registry-unreachable',
    broken: unreachable,
    names: /cannot reach the registry of example\/web:1/,
    near: {
      'the registry answers 404': missing,
      'the registry answers 401': denied,
      'the program cannot reach something': pod({
        status: waiting('CrashLoopBackOff', 'dial tcp 10.0.0.1:443: i/o timeout'),
      }),
    },
  },
  {
    rule: 'pod.registry-name',
    broken: nameless,
    names: /cannot resolve .* the registry of image example\/web:1/,
    near: { 'the registry does not answer': unreachable },
  },
  {
    rule: 'pod.registry-certificate',
    broken: untrusted,
    names: /does not trust the certificate of the registry of example\/web:1: its issuer is unknown there/,
    near: { 'the registry does not answer': unreachable },
  },
  {
    rule: 'pod.registry-plain',
    broken: unencrypted,
    names: /serves plain HTTP, but the node connects with HTTPS/,
    near: { 'the registry does not answer': unreachable },
  },
  {
    rule: 'pod.image-name',
    broken: pod({
      phase: 'Pending',
      status: waiting(
        'InvalidImageName',
        'Failed to apply default image tag "Example/Web:1": couldn\'t parse image name "Example/Web:1": invalid reference format: repository name (Example/Web) must be lowercase',
      ),
    }).replace('image: example/web:1', 'image: Example/Web:1'),
    names: /Example\/Web:1/,
    near: { 'a valid name that does not exist': missing },
  },
  {
    rule: 'pod.image-never',
    broken: but(
      pod({
        phase: 'Pending',
        container: 'imagePullPolicy: Never',
        status: waiting(
          'ErrImageNeverPull',
          'Container image "example/web:1" is not present with pull policy of Never',
        ),
      }),
      'Pending',
      'Pending',
    ),
    names: /pull policy Never/,
    near: {
      'it is on the node': but(
        pulled,
        'image: example/web:1,',
        'image: example/web:1, imagePullPolicy: Never,',
      ),
      'it may be pulled': missing,
    },
  },
];
