import { Problem } from '../../contract/problem.ts';
import type { KubeList } from '../../kube/object.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Clock } from './clock.ts';
import { isExpired, noun, type Subject } from './faults.ts';
import { reflectorLimits } from './limits.ts';
import { type Entry, identity, type Projector } from './projector.ts';

export interface ListOptions {
  readonly path: string;
  readonly subject: () => Subject;
  readonly project: Projector;
  readonly clock: Clock;
}

/** A complete list. Entries equal to held ones are the held ones themselves. */
export interface Listed {
  readonly entries: Map<string, Entry>;
  /** Where the watch begins; opaque, may be empty. */
  readonly version: string;
}

/** A new turn of the event loop: a list of many pages must not keep others waiting. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** There are more objects than the console holds. */
export function tooMany({ cluster, kind }: Subject): Problem {
  const limit = reflectorLimits.objects.toLocaleString('en');
  return new Problem({
    status: 502,
    title: `${cluster} has more than ${limit} ${noun(kind)}; this console holds no more of one kind.`,
    where: { source: 'cluster' },
  });
}

async function readPage(
  options: ListOptions,
  transport: Transport,
  query: { limit: number | undefined; continue: string | undefined },
  signal: AbortSignal,
): Promise<KubeList> {
  const { cluster } = options.subject();
  const deadline = new AbortController();
  const cancel = options.clock.after(reflectorLimits.pageTimeout, () => deadline.abort());
  try {
    const list = await transport.json<KubeList | null>({
      path: options.path,
      query,
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    if (typeof list === 'object' && list !== null && Array.isArray(list.items ?? [])) return list;
    throw new ClusterProblem(
      { status: 502, title: `${cluster} answered a list with something else.` },
      { status: 200 },
    );
  } catch (error) {
    if (!deadline.signal.aborted || signal.aborted) throw error;
    const seconds = reflectorLimits.pageTimeout / 1000;
    throw new ClusterProblem(
      { status: 502, title: `${cluster} did not finish a list within ${seconds} seconds.` },
      {},
      { cause: error },
    );
  } finally {
    cancel();
  }
}

async function readOnce(
  options: ListOptions,
  transport: Transport,
  held: ReadonlyMap<string, Entry>,
  limit: number | undefined,
  signal: AbortSignal,
): Promise<Listed> {
  const entries = new Map<string, Entry>();
  let token: string | undefined;
  let version: string | undefined;
  do {
    const page = await readPage(options, transport, { limit, continue: token }, signal);
    // The first page's version: later pages may be newer, and a repeated event does no harm.
    version ??= page.metadata?.resourceVersion ?? '';
    for (const item of page.items ?? []) {
      const uid = identity(item);
      const entry = uid === undefined ? undefined : options.project(item, held.get(uid));
      if (entry !== undefined) entries.set(entry.uid, entry);
    }
    if (entries.size > reflectorLimits.objects) throw tooMany(options.subject());
    token = page.metadata?.continue || undefined;
    await nextTurn();
    signal.throwIfAborted();
  } while (token !== undefined);
  return { entries, version };
}

/**
 * Reads a whole list, page by page, beside what is held: a failure half way changes nothing.
 * A page token that expires begins the list anew; after three times everything is asked for at once.
 * Throws what the transport throws.
 */
export async function readList(
  options: ListOptions,
  transport: Transport,
  held: ReadonlyMap<string, Entry>,
  signal: AbortSignal,
): Promise<Listed> {
  for (let tries = 1; ; tries += 1) {
    const paged = tries <= reflectorLimits.pagedTries;
    try {
      return await readOnce(options, transport, held, paged ? reflectorLimits.pageSize : undefined, signal);
    } catch (error) {
      if (!isExpired(error) || !paged) throw error;
    }
  }
}
