import { rankable, rankQuery } from '../../../src/registry/palette/rank.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import type { Names, NameEntry } from '../../../src/server/search/names.ts';
import { findNames } from '../../../src/server/search/find.ts';
import type { FoundObjects, ObjectQuery } from '../../../src/web/features/palette/ask-objects.ts';
import { foundObjects } from '../palette-moment.ts';

/** `kind namespace/name`, or `kind name` for a cluster-scoped object. */
const prodObjects = `
  deployment shop/checkout
  deployment shop/checkout-worker
  deployment shop/recommendations
  deployment shop/email-worker
  deployment shop/legacy-api
  deployment shop/catalog-api
  deployment shop/settings-api
  deployment monitoring/log-shipper
  deployment monitoring/prometheus
  deployment monitoring/grafana
  clusterrole cluster-admin
  secret shop/deploy-key
  deployment kube-system/coredns
  statefulset data/postgres
  statefulset data/redis
  daemonset monitoring/node-exporter
  cronjob jobs/nightly-report
  job jobs/nightly-report-29381
  service shop/checkout
  service data/postgres
  service shop/recommendations
  ingress shop/shop
  configmap shop/checkout-config
  configmap shop/kube-root-ca.crt
  configmap data/kube-root-ca.crt
  secret shop/db-credentials
  secret shop/checkout-tls
  hpa shop/checkout
  persistentvolumeclaim data/data-postgres-0
  persistentvolume pv-data-postgres-0
  storageclass standard
  node worker-a1
  node worker-b2
  node control-plane-1
  namespace shop
  namespace data
  namespace monitoring
  namespace jobs
  namespace kube-system
  release shop/tideline
  pod shop/checkout-7d9c5b8f6c-x2k4p
  pod shop/checkout-7d9c5b8f6c-9qw8z
  pod shop/checkout-worker-6c8d9f7b5-mn2vd
  pod shop/recommendations-5b9c7d8f6-h7xk2
  pod data/postgres-0
  pod data/redis-0
  pod shop/email-worker-5f7d8c9b4-abcde
  pod monitoring/prometheus-0
  pod monitoring/node-exporter-4kq7z
  pod jobs/nightly-report-29381-q8w2e
  replicaset shop/checkout-7d9c5b8f6c
  replicaset shop/checkout-58b6d7f9d4
  replicaset shop/checkout-66f5d4c8b7
  replicaset shop/checkout-worker-6c8d9f7b5
  replicaset shop/recommendations-5b9c7d8f6
  replicaset shop/email-worker-5f7d8c9b4
`;

/** Objects of the playground's company. */
const playgroundObjects = `
  deployment shop/storefront
  deployment shop/catalog-api
  deployment shop/cart
  deployment shop/checkout
  deployment shop/search
  deployment shop/image-proxy
  statefulset shop/shop-redis
  statefulset shop/shop-postgres
  deployment payments/payments-api
  deployment payments/ledger
  deployment payments/settlement-worker
  deployment default/status-page
  deployment batch/report-builder
  deployment shop/email-worker
  deployment shop/recommendations
  deployment payments/psp-gateway
  deployment payments/fraud-scorer
  deployment kube-system/coredns
  deployment kube-system/metrics-server
  deployment observability/grafana
  deployment observability/otel-collector
  statefulset observability/loki
  statefulset observability/prometheus
  statefulset security/vault
  pod shop/cart-6d8f7c9b5-abcde
  pod shop/cart-6d8f7c9b5-fghij
  pod shop/checkout-7d9c5b8f6c-x2k4p
  pod shop/search-5d8f7c9b5-klmno
  pod security/vault-2
  pod observability/alertmanager-1
  replicaset shop/cart-6d8f7c9b5
  service shop/cart
  service shop/search
  service observability/grafana
  service default/kubernetes
  ingress shop/storefront
  ingress payments/payments-api
  hpa shop/cart
  hpa shop/catalog-api
  configmap shop/cart-config
  configmap kube-system/coredns
  configmap shop/kube-root-ca.crt
  secret shop/shop-acme-example-tls
  secret shop/shop-postgres-credentials
  persistentvolumeclaim shop/data-shop-postgres-0
  storageclass standard
  node worker-a1
  node worker-b2
  node control-plane-1
  namespace shop
  namespace payments
  namespace batch
  namespace observability
  namespace security
  namespace kube-system
  clusterrole view
  clusterrole edit
  clusterrole admin
  clusterrole cluster-admin
  clusterrole system:node
  role kube-system/system::leader-locking-kube-scheduler
  serviceaccount shop/default
  cronjob batch/nightly-backup
  job batch/warehouse-backfill
  daemonset observability/node-exporter
  release observability/loki
  networkpolicy payments/default-deny
`;

const stagingObjects = `
  deployment shop/checkout
  deployment shop/recommendations
  statefulset data/postgres
  service shop/checkout
  pod shop/checkout-6b7c8d9f5-aaaaa
  replicaset shop/checkout-6b7c8d9f5
  replicaset shop/checkout-old1
  node staging-worker-1
`;

/** The objects of a cluster by kind, as the index holds them. */
function namesOf(text: string): readonly Names[] {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  return kinds.map((kind): Names => {
    const own = lines.flatMap((line): readonly NameEntry[] => {
      const [id, place = ''] = line.split(' ');
      if (id !== kind.id) return [];
      const [namespace, name] = place.includes('/') ? place.split('/') : ['', place];
      return [
        {
          ...rankable(name ?? '', namespace),
          uid: line,
          version: '',
          labels: {},
          owners: [],
          refs: [],
          facts: {},
          attention: undefined,
          cells: [],
        },
      ];
    });
    return {
      kind,
      state: { status: 'live' } as Names['state'],
      isListed: true,
      entries: () => own,
      size: own.length,
      isLimited: false,
      renarrow: () => undefined,
      restart: () => undefined,
      dispose: () => undefined,
    };
  });
}

const playground = [
  { row: { id: 1, name: 'prod-eu' }, names: namesOf(playgroundObjects) },
  { row: { id: 2, name: 'staging' }, names: [] },
];

const searched = [
  { row: { id: 1, name: 'prod-eu' }, names: namesOf(prodObjects) },
  { row: { id: 2, name: 'staging' }, names: namesOf(stagingObjects) },
];

/** The namespaces of prod-eu. */
export const namespaces: readonly string[] = ['shop', 'data', 'monitoring', 'jobs', 'kube-system'];

/** What the server's index answers to a question of the palette: its own search, over these objects. */
export const answerOf = (
  query: ObjectQuery | undefined,
  mayView: (kindId: string) => boolean,
): FoundObjects => answerIn(searched, query, mayView);

/** The same over the objects of the playground. */
export const playgroundAnswer: typeof answerOf = (query, mayView) => answerIn(playground, query, mayView);

function answerIn(
  searched: readonly {
    readonly row: { readonly id: number; readonly name: string };
    readonly names: readonly Names[];
  }[],
  query: ObjectQuery | undefined,
  mayView: (kindId: string) => boolean,
): FoundObjects {
  if (query === undefined) return foundObjects([]);
  const wanted = query.kinds?.split(',');
  const within = searched
    .filter(({ row }) => query.cluster === undefined || row.id === query.cluster)
    .map(({ row, names }) => ({
      row,
      within: () => 'all' as const,
      excluded: new Set<string>(),
      names: names.filter(({ kind: { id } }) => mayView(id) && (wanted === undefined || wanted.includes(id))),
    }));
  const finding = findNames(within, {
    query: rankQuery(query.q),
    namespace: query.namespace,
    near: query.near,
    nearNamespace: query.nearNamespace,
    limit: 50,
  });
  let step = finding.next();
  while (step.done !== true) step = finding.next();
  const { found, total } = step.value;
  const answer = foundObjects(
    found.map(({ clusterId, kind, kindName, namespace, name }) => ({
      clusterId,
      kind,
      kindName,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    })),
    total,
  );
  return { ...answer, query };
}
