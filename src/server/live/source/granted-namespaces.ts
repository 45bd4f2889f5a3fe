import type { Logger } from 'pino';
import type { ClusterDirectory } from '../../clusters/directory.ts';
import { describeError } from '../../kit/describe-error.ts';

/** Lists that may be narrowed to namespaces. */
export interface Narrowable {
  /** Whether they read some namespaces alone, or nothing: the credential may not list the whole cluster. */
  readonly isLimited: boolean;
  /** Takes the namespaces that are read one by one now. */
  renarrow(namespaces: readonly string[]): void;
}

interface FollowedCluster {
  readonly id: number;
  readonly companyId: number;
  readonly lists: () => readonly Narrowable[];
}

interface FollowGrantsParts {
  readonly clusters: Pick<ClusterDirectory, 'namespaces' | 'onGrants'>;
  /** The clusters that have lists open. */
  readonly open: () => readonly FollowedCluster[];
  readonly log: Logger;
}

/**
 * Has lists that are narrowed to namespaces take those that grants name as soon as grants change. The namespaces of a
 * cluster are asked for once, however many of its lists are open. Returns a disposer.
 */
export function followGrantedNamespaces({ clusters, open, log }: FollowGrantsParts): () => void {
  /** How often each cluster was asked: of several answers that of the last question counts. */
  const questions = new Map<number, number>();

  async function follow({ id, lists }: FollowedCluster): Promise<void> {
    const limited = () => lists().filter(({ isLimited }) => isLimited);
    if (limited().length === 0) return;
    const question = (questions.get(id) ?? 0) + 1;
    questions.set(id, question);
    try {
      const namespaces = await clusters.namespaces(id);
      if (questions.get(id) === question) for (const list of limited()) list.renarrow(namespaces);
    } catch (error) {
      // Lists that are denied ask again by themselves.
      log.warn(
        { err: describeError(error), clusterId: id },
        'The namespaces of a cluster could not be read after a change of grants',
      );
    }
  }

  return clusters.onGrants((companyId) => {
    for (const cluster of open())
      if (companyId === undefined || cluster.companyId === companyId) void follow(cluster);
  });
}
