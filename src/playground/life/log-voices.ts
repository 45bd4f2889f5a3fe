/** The level of a log entry. */
export type LogLevel = 'info' | 'warn' | 'error';

/**
 * Messages of an application by level. `#` stands for a number, `~` for eight hexadecimal digits, `$` for a
 * duration.
 */
export interface Messages {
  readonly info: readonly [string, ...string[]];
  readonly warn?: readonly [string, ...string[]];
  readonly error?: readonly [string, ...string[]];
}

/** Activities of the company's own applications, by a word in their name. */
const activities: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [/cart/, ['cart loaded', 'item added', 'order priced', 'carts merged after sign-in', 'prices refreshed']],
  [/checkout/, ['order priced', 'address validated', 'payment requested', 'order placed']],
  [/email/, ['mail queued', 'template rendered', 'mail sent', 'bounce recorded']],
  [/recommend/, ['candidates fetched', 'model scored', 'request served', 'cache warmed']],
  [/runner/, ['job picked up', 'cache restored', 'step finished', 'artifact uploaded']],
  [/report|digest|render/, ['rows fetched', 'sheet written', 'report stored', 'next page requested']],
  [/feature-flags/, ['flags evaluated', 'snapshot published', 'client connected', 'rules reloaded']],
  [/payments|psp/, ['payment authorised', 'capture settled', 'refund issued', 'challenge passed']],
  [/ledger/, ['entry booked', 'balance verified', 'batch posted', 'period checked']],
  [/settlement/, ['transfer matched', 'batch settled', 'file fetched', 'difference noted']],
  [/search/, ['query answered', 'index refreshed', 'segments merged', 'synonyms reloaded']],
  [/fraud/, ['score computed', 'features fetched', 'rule matched']],
  [/catalog/, ['product read', 'page of products served', 'stock refreshed', 'cache refreshed']],
  [/image/, ['image resized', 'original fetched', 'thumbnail served', 'cache refreshed']],
  [/backup|backfill|cleanup/, ['chunk uploaded', 'rows copied', 'checksum verified', 'segment closed']],
];
const generalMessages: readonly [string, ...string[]] = [
  'request served',
  'cache refreshed',
  'job picked up',
  'connection reused',
  'message published',
  'order priced',
];

/** The activities that an application of the company logs. */
export const activitiesOf = (name: string): readonly [string, ...string[]] =>
  activities.find(([pattern]) => pattern.test(name))?.[1] ?? generalMessages;

/** Messages of Kubernetes components and others that log with klog: file and line, then the message. */
const components: readonly (readonly [RegExp, Messages])[] = [
  [
    /apiserver/,
    {
      info: [
        'alloc.go:328] "allocated clusterIPs" service="shop/cart" clusterIPs={"IPv4":"10.96.#.#"}',
        'controller.go:667] quota admission added evaluator for: #.batch',
        'trace.go:236] Trace[~]: "List" accept:application/json,audit-id:~,client:10.20.0.1#,resource:pods (total time: $)',
        'cidrallocator.go:277] updated ClusterIP allocator for Service CIDR 10.96.0.0/12',
      ],
      warn: ['watcher.go:338] watch chan error: etcdserver: mvcc: required revision has been compacted'],
      error: [
        'timeout.go:140] "Post-timeout activity" timeElapsed="$" method="GET" path="/api/v1/pods" result=null',
      ],
    },
  ],
  [
    /controller-manager/,
    {
      info: [
        'replica_set.go:679] "Finished syncing" logger="replicaset-controller" kind="ReplicaSet" key="shop/cart-~" duration="$"',
        'job_controller.go:598] "enqueueing job" logger="job-controller" key="shop/order-digest-29#" delay="1s"',
        'endpointslice_controller.go:338] "Finished syncing" logger="endpointslice-controller" service="shop/storefront" duration="$"',
        'garbagecollector.go:235] "syncing garbage collector with updated resources from discovery" logger="garbage-collector-controller"',
      ],
      error: [
        'deployment_controller.go:534] "Unhandled Error" err="Operation cannot be fulfilled on deployments.apps: the object has been modified; please apply your changes to the latest version and try again"',
      ],
    },
  ],
  [
    /scheduler/,
    {
      info: [
        'schedule_one.go:314] "Successfully bound pod to node" pod="shop/cart-~" node="worker-a1" evaluatedNodes=6 feasibleNodes=5',
        'schedule_one.go:314] "Successfully bound pod to node" pod="shop/storefront-~" node="worker-b1" evaluatedNodes=6 feasibleNodes=4',
        'scheduling_queue.go:1285] "Pod moved to an internal scheduling queue" pod="payments/fraud-scorer-~" event="NodeUpdate" queue="Backoff"',
      ],
    },
  ],
  [
    /kube-proxy/,
    {
      info: [
        'proxier.go:1547] "SyncProxyRules complete" ipFamily="IPv4" elapsed="$"',
        'proxier.go:839] "Syncing iptables rules" ipFamily="IPv4" fullSync=false',
        'proxier.go:1533] "Reloading service iptables data" ipFamily="IPv4" numServices=3# numEndpoints=7#',
      ],
    },
  ],
  [
    /cert-manager/,
    {
      info: [
        'conditions.go:285] "Setting lastTransitionTime for CertificateRequest condition" logger="cert-manager" condition="Ready"',
        'trigger_controller.go:223] "Certificate must be re-issued" logger="cert-manager.controller" key="platform/vault-internal" reason="Renewing" message="Renewing certificate as renewal was scheduled"',
        'controller.go:152] "re-queuing item due to optimistic locking on resource" logger="cert-manager.controller"',
      ],
      error: [
        'sync.go:394] "error waiting for authorization" err="acme: authorization error for argocd.acme.example: 403" logger="cert-manager.challenges"',
      ],
    },
  ],
  [
    /metrics-server/,
    {
      info: [
        'server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
        'scraper.go:113] "Scraping metrics from nodes" nodeCount=6',
        'decode.go:105] "Failed getting complete Pod metric" pod="batch/order-digest-~"',
      ],
      error: [
        'scraper.go:149] "Failed to scrape node, timeout to access kubelet" err="Get \\"https://10.20.0.13:10250/metrics/resource\\": context deadline exceeded" node="worker-a3" timeout="10s"',
      ],
    },
  ],
  [
    /csi/,
    {
      info: [
        'controller.go:512] "ControllerPublishVolume: attached" volumeID="vol-~" nodeID="worker-a1" devicePath="/dev/xvdaa"',
        'connection.go:264] "GRPC response" response="{}" err=null',
        'leaderelection.go:297] "Lease is renewed" lease="kube-system/ebs-csi-aws-com"',
      ],
    },
  ],
];
const component: Messages = {
  info: [
    'controller.go:231] "Finished syncing" duration="$"',
    'reflector.go:436] "Caches populated" type="*v1.ConfigMap"',
    'leaderelection.go:297] "Lease is renewed"',
  ],
  error: [
    'leaderelection.go:429] "Failed to update lock optimistically, falling back to slow path" err="context deadline exceeded"',
  ],
};

/** Messages of a klog component: file and line, `]`, message. */
export const componentMessages = (name: string): Messages =>
  components.find(([pattern]) => pattern.test(name))?.[1] ?? component;

/** Messages of programs that log key-value pairs. `source`: the text before the level. */
const programs: readonly (readonly [RegExp, Messages & { readonly source: string }])[] = [
  [
    /prometheus/,
    {
      source: 'head.go',
      info: [
        'msg="write block completed" component=tsdb mint=~ duration=$',
        'msg="Head GC completed" component=tsdb caller=truncateMemory duration=$',
        'msg="Creating checkpoint" component=tsdb from_segment=# to_segment=#',
        'msg="WAL checkpoint complete" component=tsdb first=# last=# duration=$',
      ],
      warn: [
        'msg="Scrape commit failed" component="scrape manager" scrape_pool=shop/cart err="out of order sample"',
      ],
      error: [
        'msg="Failed to evaluate rule" component="rule manager" group=shop err="query timed out in expression evaluation"',
      ],
    },
  ],
  [
    /alertmanager/,
    {
      source: 'dispatch.go',
      info: [
        'msg="Notify success" component=dispatcher receiver=sre integration=webhook[0] attempts=1 duration=$',
        'msg="Maintenance done" component=nflog duration=$ size=#',
        'msg="gossip settled; proceeding" component=cluster elapsed=$',
      ],
      warn: [
        'msg="Notify attempt failed, will retry later" component=dispatcher receiver=sre integration=webhook[0] attempts=1 err="context deadline exceeded"',
      ],
    },
  ],
  [
    /loki/,
    {
      source: 'table_manager.go',
      info: [
        'msg="uploading tables" index-store=tsdb-2026-01-01',
        'msg="flushing stream" component=ingester user=fake fp=~ num_chunks=#',
        'msg="executing query" org_id=fake query="{namespace=\\"shop\\"}" length=1h0m0s duration=$',
      ],
      error: [
        'msg="failed to flush" component=ingester user=fake err="RequestTimeout: request has timed out"',
      ],
    },
  ],
  [
    /grafana/,
    {
      source: 'context',
      info: [
        'msg="Request Completed" method=GET path=/api/dashboards/uid/~ status=200 duration=$ handler=/api/dashboards/uid/:uid',
        'msg="Request Completed" method=POST path=/api/ds/query status=200 duration=$ handler=/api/ds/query',
        'msg="Completed cleanup jobs" duration=$',
      ],
      error: [
        'msg="Request Completed" method=POST path=/api/ds/query status=504 duration=$ err="context deadline exceeded"',
      ],
    },
  ],
  [
    /exporter/,
    {
      source: 'collector.go',
      info: [
        'msg="collector succeeded" name=cpu duration_seconds=0.0#',
        'msg="collector succeeded" name=filesystem duration_seconds=0.0#',
        'msg="collector succeeded" name=netdev duration_seconds=0.0#',
      ],
      error: ['msg="collector failed" name=nfs err="open /host/proc/net/rpc/nfs: no such file or directory"'],
    },
  ],
  [
    /otel/,
    {
      source: 'logging_exporter.go',
      info: [
        'msg=Traces resource_spans=# spans=#',
        'msg=Metrics resource_metrics=# data_points=#',
        'msg=Logs resource_logs=# log_records=#',
      ],
      warn: [
        'msg="Exporting failed. Will retry the request after interval." kind=exporter name=otlphttp/loki interval=$',
      ],
      error: [
        'msg="Exporting failed. Dropping data." kind=exporter name=otlphttp/loki err="context deadline exceeded" dropped_items=#',
      ],
    },
  ],
  [
    /vault/,
    {
      source: 'expiration.go',
      info: [
        'msg="revoked lease" lease_id=auth/kubernetes/login/h~',
        'msg="renewed token" accessor=~ ttl=1h',
        'msg="snapshot complete" component=storage.raft.fsm',
      ],
      warn: ['msg="clock skew between nodes" component=storage.raft skew=$'],
      error: ['msg="failed to contact" component=storage.raft server-id=vault-2 time=$'],
    },
  ],
  [
    /cilium/,
    {
      source: 'endpoint.go',
      info: [
        'msg="Successful endpoint creation" subsys=daemon endpointID=# containerID=~',
        'msg="Rewrote endpoint BPF program" subsys=endpoint endpointID=# identity=#',
        'msg="Conntrack garbage collector interval recalculated" subsys=map-ct newInterval=7m30s',
        'msg="Policy updated via API, recalculating..." subsys=daemon policyAddRequest=~',
      ],
      warn: ['msg="Unable to fetch previous endpoint state" subsys=endpoint endpointID=#'],
    },
  ],
  [
    /external-dns/,
    {
      source: 'controller.go',
      info: [
        'msg="All records are already up to date"',
        'msg="Applying provider record filter for domains: [acme.example. .acme.example.]"',
        'msg="4 record(s) were successfully updated" profile=default zoneName=acme.example.',
      ],
    },
  ],
  [
    /argocd/,
    {
      source: 'logging.go',
      info: [
        'msg="finished unary call with code OK" grpc.code=OK grpc.method=List grpc.service=application.ApplicationService grpc.time_ms=#',
        'msg="Reconciliation completed" application=argocd/shop dest-namespace=shop time_ms=#',
        'msg="manifest cache hit" application=payments revision=~',
        'msg="Comparing app state (cluster: https://kubernetes.default.svc, namespace: platform)" application=argocd/platform',
      ],
      warn: ['msg="Failed to save cluster info: dial tcp 10.96.#.#:6379: i/o timeout"'],
      error: [
        'msg="finished unary call with code DeadlineExceeded" grpc.code=DeadlineExceeded grpc.method=GenerateManifest err="context deadline exceeded"',
      ],
    },
  ],
];
const program = {
  source: 'main.go',
  info: ['msg="task completed" duration=$', 'msg="queue drained" items=#', 'msg="state saved" duration=$'],
  error: ['msg="task failed" err="context deadline exceeded" duration=$'],
} satisfies Messages & { source: string };

/** Messages of a program that logs key-value pairs, and its source file. */
export const programMessages = (name: string): Messages & { readonly source: string } =>
  programs.find(([pattern]) => pattern.test(name))?.[1] ?? program;

/** One message with its placeholders filled in. A level without messages falls back to info. */
export function messageOf(
  messages: Messages,
  level: LogLevel,
  roll: number,
): { text: string; level: LogLevel } {
  const list = level === 'info' ? undefined : messages[level];
  const [first, ...others] = list ?? messages.info;
  const all = [first, ...others];
  const sentence = all[(roll >>> 3) % all.length] ?? first;
  let random = roll;
  const text = sentence.replaceAll(/[#~$]/g, (placeholder) => {
    random = (Math.imul(random, 0x9e3779b1) ^ (random >>> 15)) >>> 0;
    if (placeholder === '#') return String(random % 10 === 0 ? random % 97 : random % 10);
    return placeholder === '~' ? random.toString(16).padStart(8, '0') : `${(random % 90_000) / 1000}ms`;
  });
  return { text, level: list === undefined ? 'info' : level };
}
