import { ClusterProblem } from '../clusters/transport.ts';

/** Whether a cluster denies the console's credential what was asked. */
export const isDenied = (error: unknown): error is ClusterProblem =>
  error instanceof ClusterProblem && error.upstream.status === 403;

/**
 * Reads something of the whole cluster or, where the credential may not, of each namespace that it may read. Namespaces
 * that are denied are left out; throws the first denial when none can be read.
 * @param read of one namespace; of all without a name
 * @param namespaces asked for only after the whole cluster was denied
 */
export async function readScoped<T>(
  read: (namespace: string | undefined) => Promise<T>,
  namespaces: () => Promise<readonly string[]>,
): Promise<readonly T[]> {
  try {
    return [await read(undefined)];
  } catch (error) {
    if (!isDenied(error)) throw error;
    const found: T[] = [];
    for (const namespace of await namespaces()) {
      try {
        found.push(await read(namespace));
      } catch (narrower) {
        if (!isDenied(narrower)) throw narrower;
      }
    }
    if (found.length === 0) throw error;
    return found;
  }
}
