import { all, but, condition, object, pod, type RuleCase } from './rule-case.ts';

const scaler = (message: string, status = 'False') =>
  object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'web',
    `spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 5, metrics: [{ type: Pods, pods: { metric: { name: http_requests } } }] }\nstatus: { ${condition('ScalingActive', status, 'FailedGetPodsMetric', message)} }`,
  );
const target = object('apps/v1', 'Deployment', 'web', 'spec: { replicas: 1 }');
const unserved =
  'the HPA was unable to compute the replica count: unable to get metric http_requests: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
const external =
  'unable to get external metric shop/queue-length/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue-length.external.metrics.k8s.io)';
const silent =
  'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
const young =
  'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API';

const initial = (container: string, began = '07:30:00', phase = 'Pending') =>
  pod({
    phase,
    spec: `initContainers: [{ name: wait, ${container} }],`,
    status: `initContainerStatuses: [{ name: wait, ready: false, restartCount: 0, state: { running: { startedAt: '2026-03-01T${began}Z' } } }], containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { waiting: { reason: PodInitializing } } }]`,
  });
const script = (text: string) => `command: [sh, '-c', ${JSON.stringify(text)}]`;
const lookup = initial(script('until nslookup db.shop.svc.cluster.local; do sleep 2; done'));
const service = object('v1', 'Service', 'db', 'spec: { clusterIP: 10.96.44.12, selector: { app: db } }');
const places = object('v1', 'Namespace', 'shop');

/** Each way in which a script waits for the service `db`. */
const scripts = [
  'until nslookup db; do sleep 2; done',
  'until nc -z -w 2 db 5432; do sleep 1; done',
  'while ! pg_isready -q -U web -h db; do sleep 1; done',
  'curl --retry 90 http://db:8080/health',
  './wait-for-it.sh db:5432 -- echo up',
  'until getent hosts db.shop.svc; do sleep 2; done',
] as const;

const initCases: readonly RuleCase[] = scripts.map((text) => ({
  rule: 'pod.init-waits',
  broken: initial(script(text)),
  names: /Init container wait .* 30m .* service db in namespace shop/,
  near: { 'the service exists': all(initial(script(text)), service) },
}));

const ready = (status: string, message: string, since = '07:30:00') =>
  condition('Ready', status, 'DoesNotExist', message).replace('07:00:00', since);
const certificate = (
  issuer: string,
  status = ready('False', 'Issuing certificate as Secret does not exist'),
) =>
  object(
    'cert-manager.io/v1',
    'Certificate',
    'shop',
    `spec: { dnsNames: [shop.example.org], secretName: shop-tls, issuerRef: { ${issuer} } }\nstatus: { ${status} }`,
  );
const clusterIssuer = (status: string, message = 'The ACME account was registered') =>
  object('cert-manager.io/v1', 'ClusterIssuer', 'letsencrypt', `status: { ${ready(status, message)} }`);
const byIssuer = 'kind: ClusterIssuer, name: letsencrypt';
const request = (message: string, status = 'False', of = 'shop') =>
  object(
    'cert-manager.io/v1',
    'CertificateRequest',
    'shop-1',
    `status: { ${ready(status, message)} }`,
    `annotations: { cert-manager.io/certificate-name: ${of} }`,
  );
const pending = 'Waiting on certificate issuance from order shop/shop-1-3114: "pending"';
const challenge = (name: string, state: string, reason: string) =>
  object(
    'acme.cert-manager.io/v1',
    'Challenge',
    'shop-1-3114-1',
    `spec: { type: HTTP-01, dnsName: ${name} }\nstatus: { state: ${state}, reason: ${JSON.stringify(reason)} }`,
  );
const selfCheck = "Waiting for HTTP-01 challenge propagation: wrong status code '404', expected '200'";

const certificateCases: readonly RuleCase[] = [
  {
    rule: 'certificate.issuer',
    broken: certificate(byIssuer),
    names: /its ClusterIssuer letsencrypt does not exist/,
    near: {
      'it is ready': certificate(byIssuer, ready('True', 'Certificate is up to date')),
      'it was asked for just now': certificate(
        byIssuer,
        ready('False', 'Issuing certificate as Secret does not exist', '07:59:00'),
      ),
      'an issuer of another group': certificate(
        'group: awspca.cert-manager.io, kind: AWSPCAIssuer, name: pca',
      ),
      'the issuer is ready': all(certificate(byIssuer), clusterIssuer('True')),
    },
  },
  {
    rule: 'certificate.issuer',
    broken: all(
      certificate(byIssuer),
      clusterIssuer('False', 'Failed to register ACME account: invalid email'),
    ),
    names: /ClusterIssuer letsencrypt is not ready: Failed to register ACME account/,
    near: { 'it is ready again': all(certificate(byIssuer), clusterIssuer('True')) },
  },
  {
    rule: 'certificaterequest.refused',
    broken: all(request('Failed to sign: the CA has expired'), certificate(byIssuer), clusterIssuer('True')),
    names: /request shop-1 is not granted: Failed to sign/,
    near: { 'it is granted': request('Certificate fetched from issuer successfully', 'True') },
  },
  {
    rule: 'certificaterequest.refused',
    broken: request(pending),
    names: /Waiting on certificate issuance/,
    near: {
      'it is of another certificate': all(
        certificate(byIssuer),
        clusterIssuer('True'),
        request(pending, 'False', 'api'),
      ),
      'the issuer is the fault': all(certificate(byIssuer), request(pending)),
    },
  },
  {
    rule: 'challenge.fails',
    broken: challenge('shop.example.org', 'pending', selfCheck),
    names: /challenge for shop\.example\.org \(HTTP-01\) has not passed: .*404/,
    near: {
      'it is for another name': all(
        certificate(byIssuer),
        clusterIssuer('True'),
        challenge('api.example.org', 'pending', selfCheck),
      ),
      'it is passed': challenge('shop.example.org', 'valid', 'Successfully authorized domain'),
    },
  },
];

/** Cases of the rules about what others have to give: metrics, services, certificates. */
export const dependencyCases: readonly RuleCase[] = [
  ...[
    { message: unserved, names: /http_requests: nothing .* custom\.metrics\.k8s\.io/ },
    { message: external, names: /queue-length: nothing .* external\.metrics\.k8s\.io/ },
    { message: silent, names: /cpu: what serves metrics\.k8s\.io does not answer.*the metrics server/ },
  ].map(({ message, names }) => ({
    rule: 'hpa.metrics-api',
    broken: all(scaler(message), target),
    names,
    near: {
      'it can measure again': all(scaler(message, 'True'), target),
      'its pods have no metrics yet': all(scaler(young), target),
    },
  })),
  ...initCases,
  {
    rule: 'pod.init-waits',
    broken: initial(
      `env: [{ name: DB_HOST, value: db.shop }], ${script('until nc -z $DB_HOST 5432; do sleep 1; done')}`,
    ).concat('\n---\n', places),
    names: /service db in namespace shop/,
    near: {
      'it began a minute ago': initial(script('until nslookup db; do sleep 2; done'), '07:59:00'),
      'it is a sidecar': initial(`restartPolicy: Always, ${script('nslookup db; sleep 9999')}`),
      'it only prints such words': initial(script('echo "nslookup fails, ping db"; ./migrate')),
      'the host is outside of the cluster': initial(script('curl http://db.example.com/dump')),
      'the pod is being deleted': but(lookup, 'labels', "deletionTimestamp: '2026-03-01T07:59:00Z', labels"),
    },
  },
  {
    rule: 'pod.init-runs',
    broken: initial(script('./migrate')),
    names: /Init container wait has been running for 30m/,
    near: {
      'it waits for a service': lookup,
      'it began a minute ago': initial(script('./migrate'), '07:59:00'),
      'it runs beside the others': initial('restartPolicy: Always', '07:00:00', 'Running'),
    },
  },
  ...certificateCases,
];
