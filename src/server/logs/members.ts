import type { LogRequest } from '../../contract/log.ts';
import { collectionPath, objectPath } from '../../kube/change.ts';
import type { Pod } from '../../kube/core.ts';
import type { KubeList, KubeObject } from '../../kube/object.ts';
import { formatSelector } from '../../kube/format-selector.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Entry } from '../live/source/projector.ts';

/** Most jobs of one object whose pods are read: the newest. */
const maxJobs = 20;
/** The label by which Kubernetes marks the pods of a job. */
const jobLabel = 'batch.kubernetes.io/job-name';

const pods = { group: '', version: 'v1', plural: 'pods' };

/** The pods that a log is of. */
export interface Members {
  /** Those that are there now, oldest first. Throws ClusterProblem. */
  list(): Promise<readonly Pod[]>;
  /** Whether a pod is one of them, as far as its entry tells; known after the first `list`. */
  has(entry: Pick<Entry, 'namespace' | 'name' | 'labels'>): boolean;
  /** Whether there may be others later. */
  readonly isOpen: boolean;
  /** Their name in a sentence: `Deployment shop/api`. */
  readonly label: string;
}

type Of = LogRequest['of'];

const isGone = (error: unknown) => error instanceof ClusterProblem && error.upstream.status === 404;

const byAge = (a: KubeObject, b: KubeObject) =>
  (a.metadata?.creationTimestamp ?? '').localeCompare(b.metadata?.creationTimestamp ?? '') ||
  (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? '');

/** Pods by name. */
export function namedPods(
  of: Extract<Of, { pods: unknown }>,
  transport: () => Promise<Transport>,
  signal: AbortSignal,
): Members {
  const places = new Set(of.pods.map(({ namespace, name }) => `${namespace}/${name}`));
  return {
    isOpen: false,
    label: of.pods.length === 1 ? `Pod ${[...places].join('')}` : `${of.pods.length} pods`,
    has: ({ namespace, name }) => places.has(`${namespace}/${name}`),
    async list() {
      const way = await transport();
      const found = await Promise.all(
        of.pods.map(async ({ namespace, name }): Promise<Pod[]> => {
          try {
            return [await way.json<Pod>({ path: objectPath({ ...pods, namespace, name }), signal })];
          } catch (error) {
            if (isGone(error)) return [];
            throw error;
          }
        }),
      );
      return found.flat();
    },
  };
}

/** The pods of an object, by what its kind says of them. */
export function podsOf(
  { namespace, name }: Extract<Of, { kind: string }>,
  kind: AnyKind,
  transport: () => Promise<Transport>,
  signal: AbortSignal,
): Members {
  let selector: LabelSelector | undefined;

  async function selectorNow(way: Transport): Promise<LabelSelector | undefined> {
    const object = await way.json<KubeObject>({ path: objectPath({ ...kind, namespace, name }), signal });
    if (kind.logs !== 'jobs') {
      const found = kind.pods?.(object);
      return found === undefined || 'nodeName' in found ? undefined : found;
    }
    const jobs = await way.json<KubeList<KubeObject>>({
      path: collectionPath({ group: 'batch', version: 'v1', plural: 'jobs' }, namespace),
      signal,
    });
    const uid = object.metadata?.uid;
    const own = (jobs.items ?? [])
      .filter(({ metadata }) => metadata?.ownerReferences?.some((owner) => owner.uid === uid) === true)
      .sort(byAge)
      .slice(-maxJobs);
    const values = own.flatMap(({ metadata }) => metadata?.name ?? []);
    return values.length === 0
      ? undefined
      : { matchExpressions: [{ key: jobLabel, operator: 'In', values }] };
  }

  return {
    isOpen: true,
    label: `${kind.kind} ${namespace}/${name}`,
    // Which jobs are its own is only known once they are listed: the pod of any may be of a new one.
    has: (entry) =>
      entry.namespace === namespace &&
      (kind.logs === 'jobs' ? jobLabel in entry.labels : matchesSelector(selector, entry.labels)),
    async list() {
      const way = await transport();
      selector = await selectorNow(way);
      // Without a selector there are none, and an empty one would mean every pod of the namespace.
      const text = formatSelector(selector);
      if (text === '') return [];
      const found = await way.json<KubeList<Pod>>({
        path: collectionPath(pods, namespace),
        query: { labelSelector: text, limit: 500 },
        signal,
      });
      return [...(found.items ?? [])].sort(byAge);
    },
  };
}
