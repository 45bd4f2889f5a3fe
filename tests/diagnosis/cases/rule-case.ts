/**
 * One case of a rule. Objects are YAML as the API server gives them, the one that is asked about first; it is 08:00 on
 * 1 March 2026, and nothing else is in the cluster.
 */
export interface RuleCase {
  readonly rule: string;
  /** Objects of which the rule speaks. Where rules of several kinds have the id, it is the one of the first object. */
  readonly broken: string;
  /** What the sentence names. */
  readonly names: RegExp;
  /** Manifests of the missing objects that it offers to create: none by default. */
  readonly creates?: readonly object[];
  /** Objects that it offers to open besides those that it cites, by kind and name. */
  readonly opens?: readonly string[];
  /** Objects that it offers to edit, by kind and name. */
  readonly edits?: readonly string[];
  /** Rules that say something besides. */
  readonly besides?: readonly string[];
  /** What looks alike and is none of it, by what is different: the rule says nothing. */
  readonly near: Readonly<Record<string, string>>;
}

/** Objects after one another. */
export const all = (...objects: readonly string[]): string => objects.join('\n---\n');

/** A text with a part of it replaced. Throws if it has no such part: the case would test nothing. */
export function but(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`There is no "${part}" in ${text}`);
  return text.replace(part, other);
}

/** An object in one line of YAML for each member. */
export function object(apiVersion: string, kind: string, name: string, members = '', metadata = ''): string {
  const isOfCluster =
    /^(APIService|Node|PersistentVolume|\w+Class|Cluster\w+|Namespace|\w+WebhookConfiguration)$/.test(kind);
  const place = isOfCluster ? '' : ' namespace: shop,';
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name},${place} uid: uid-${kind}-${name}, creationTimestamp: '2026-03-01T06:00:00Z', ${metadata} }\n${members}`;
}

interface PodParts {
  readonly name?: string;
  readonly labels?: string;
  readonly owner?: string;
  /** Members of the spec, of its one container, and of the status. */
  readonly spec?: string;
  readonly container?: string;
  readonly status?: string;
  readonly phase?: string;
}

/** A pod with the container `main`, which was started an hour ago. */
export const pod = ({
  name = 'web-0',
  labels = 'app: web',
  owner = '',
  spec = '',
  container = '',
  status = '',
  phase = 'Running',
}: PodParts): string =>
  object(
    'v1',
    'Pod',
    name,
    `spec: { nodeName: node-1, ${spec} containers: [{ name: main, image: example/web:1, ${container} }] }\nstatus: { phase: ${phase}, startTime: '2026-03-01T07:00:00Z', ${status} }`,
    `labels: { ${labels} }, ${owner}`,
  );

/** The status of the container `main` that waits. */
export const waiting = (reason: string, message: string): string =>
  `containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { waiting: { reason: ${reason}, message: ${JSON.stringify(message)} } } }]`;

/** The status of the container `main` that ended some times and waits to be started again. */
export const crashed = (code: number, reason = 'Error', message = ''): string =>
  `containerStatuses: [{ name: main, ready: false, restartCount: 5, state: { waiting: { reason: CrashLoopBackOff, message: back-off 2m40s restarting failed container=main } }, lastState: { terminated: { exitCode: ${code}, reason: ${reason}, ${message === '' ? '' : `message: ${JSON.stringify(message)},`} startedAt: '2026-03-01T07:57:00Z', finishedAt: '2026-03-01T07:58:00Z' } } }]`;

/** A warning about an object. @param at minutes ago */
export const warning = (
  kind: string,
  name: string,
  reason: string,
  message: string,
  {
    part = '',
    minutes = 1,
    from = 'kubelet',
  }: { readonly part?: string; readonly minutes?: number; readonly from?: string } = {},
): string => {
  const at = new Date(Date.parse('2026-03-01T08:00:00Z') - minutes * 60_000).toISOString();
  return `apiVersion: v1\nkind: Event\nmetadata: { name: ${name}.${reason.toLowerCase()}, namespace: shop }\ntype: Warning\nreason: ${reason}\nmessage: ${JSON.stringify(message)}\ncount: 7\nsource: { component: ${from} }\nlastTimestamp: '${at}'\ninvolvedObject: { kind: ${kind}, name: ${name}, namespace: shop, uid: uid-${kind}-${name}, ${part === '' ? '' : `fieldPath: 'spec.containers{${part}}'`} }`;
};

/**
 * What the container `main` of the pod `web-0` wrote before it ended at 07:58: not an object of a cluster, but it stands
 * with them. A line may begin with its time in seconds before the end.
 */
export const log = (...lines: readonly string[]): string =>
  `kind: LastLines\nmetadata: { name: web-0, namespace: shop }\nlines: ${JSON.stringify(lines)}`;

/** Conditions of an object in one line. */
export const condition = (type: string, status: string, reason = 'Because', message = 'It is so'): string =>
  `conditions: [{ type: ${type}, status: '${status}', reason: ${reason}, message: ${JSON.stringify(message)}, lastTransitionTime: '2026-03-01T07:00:00Z' }]`;
