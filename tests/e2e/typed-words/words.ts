import { kindFacts } from '../../../commands/kinds/facts.ts';

/** Words that are typed whatever the seed is: kinds and products that did damage once. */
export const fixedWords = ['Docker', 'Dashboard', 'Deployments', 'Database', 'redis', 'S3'] as const;

const kindWords = kindFacts.flatMap(({ kind, plural, title, aliases = [] }) => [
  kind,
  plural,
  title,
  ...aliases,
]);

const productWords =
  'nginx postgres PostgreSQL mysql MongoDB Kafka rabbitmq Elasticsearch Grafana Prometheus Loki vault Consul etcd traefik Envoy Istio ArgoCD cert-manager keycloak minio memcached alpine busybox ubuntu node:22 python:3.13 openjdk golang rust dotnet Jenkins GitLab Harbor Sentry Datadog Splunk cassandra influxdb haproxy fluentd'.split(
    ' ',
  );

const commandWords =
  'kubectl get describe delete scale restart rollout undo drain cordon uncordon exec logs apply edit patch port-forward helm upgrade rollback uninstall install docker ps kill exit quit clear sudo ssh top ls cat grep'.split(
    ' ',
  );

const plainWords =
  'Search resume Save yes no ok sorry Regards Delete deploy production staging backup checkout payment failed error warning memory running stopped dead slow broken please help Shopping because yesterday invoice Customer Xylophone ready Reset Remove Stop Suspend Xx over under zone'.split(
    ' ',
  );

const oddTexts = [
  'my text here',
  'Delete Pod',
  'Dear Sir',
  'restart the cart',
  'not yet',
  'r u there',
  'a b c d',
  'scale to 0',
  'Scale 0',
  'S 0',
  's 5',
  'web-01',
  'node-7',
  'worker-b2',
  'v1.33.2',
  '10.0.0.1',
  'K8s',
  'k3s',
  'H2',
  'EC2',
  'R53',
  'D3',
  'x86_64',
  '404',
  '500 errors',
  'UTF-8',
  'SSD',
  'DDoS',
  'RR',
  'DD',
  'XX',
  'SOS 112',
  'PVC data-loki-0',
  'TODO: fix',
];

/** The same elements in an order of chance. */
export function shuffled<T>(all: readonly T[], next: () => number): T[] {
  return all
    .map((element) => ({ element, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ element }) => element);
}

/**
 * Draws texts that somebody types who believes to be in a field: names of kinds, products and objects, commands, plain
 * words, and texts with digits, capitals, blanks and hyphens. As many of each source, in an order of chance.
 * @param names of namespaces and objects of the cluster
 */
export function drawWords(count: number, next: () => number, names: readonly string[]): string[] {
  const sources = [kindWords, productWords, commandWords, names, plainWords, oddTexts].map((source) =>
    shuffled(source, next),
  );
  const drawn = new Set<string>(fixedWords);
  for (let at = 0; drawn.size < count; at += 1) {
    const left = sources.filter((source) => at < source.length);
    if (left.length === 0) throw new Error(`There are only ${drawn.size} words to draw from.`);
    for (const source of left) {
      const word = source[at];
      if (word !== undefined && drawn.size < count) drawn.add(word);
    }
  }
  return shuffled([...drawn], next);
}

/** Longest word that the gate types: the keys after it do what those before it did, and each costs as much. */
const longest = 8;

/** The short words of those drawn, and the fixed ones. As many as let each meet each of the three endings in turn. */
export function shortWords(drawn: readonly string[]): string[] {
  const short = drawn.filter((word) => word.length <= longest || fixedWords.some((fixed) => fixed === word));
  if (short.length % 3 !== 0) return short;
  const spare = short.findLastIndex((word) => !fixedWords.some((fixed) => fixed === word));
  return short.toSpliced(spare, 1);
}
