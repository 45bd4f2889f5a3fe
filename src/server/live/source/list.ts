import { Problem } from '../../../contract/problem.ts';
import type { KubeList } from '../../../kube/object.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import { OwnLimit } from '../../kit/own-limit.ts';
import { isPlain, objectIn } from '../../objects/read.ts';
import { isExpired, noun, type Subject } from './faults.ts';
import { reflectorLimits } from './limits.ts';
import { type Entry, identity, type Projector } from './projector.ts';
import type { Budget } from '../../kit/memory-budget.ts';
import { weightOf } from './weight.ts';

export interface ListOptions {
  readonly path: string;
  readonly subject: () => Subject;
  readonly project: Projector;
  readonly clock: Clock;
  /** Shared by all lists of the server. */
  readonly budget: Budget;
}

/** What a list is read beside. */
export interface Reading {
  /** Entries that are held already: a list brings those that are equal to them, not copies. */
  readonly held: ReadonlyMap<string, Entry>;
  /** What of the budget is the list's own at present, bytes. */
  readonly own: () => number;
  readonly signal: AbortSignal;
  /** Takes the entries of each page but the last; more are to come, and a list begun anew brings them again. */
  readonly onPage?: ((entries: readonly Entry[]) => void) | undefined;
}

/** A list that this console does not hold, as it is too large. */
export class TooLarge extends Problem {}

/** A list that this console has no memory for at present. */
export class NoMemory extends OwnLimit {}

/** A complete list. Entries equal to held ones are the held ones themselves. */
export interface Listed {
  readonly entries: Map<string, Entry>;
  /** Where the watch begins; opaque, may be empty. */
  readonly version: string;
  /** Of the entries together, bytes. */
  readonly weight: number;
}

/** A new turn of the event loop: a list of many pages must not keep others waiting. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** There are more objects than the console holds. */
export function tooMany({ cluster, kind }: Subject): TooLarge {
  const limit = reflectorLimits.objects.toLocaleString('en');
  return new TooLarge({
    status: 502,
    title: `${cluster} has more than ${limit} ${noun(kind)}; this console holds no more of one kind.`,
    where: { source: 'cluster' },
  });
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024).toLocaleString('en')} MB`;

/**
 * Throws TooLarge for a list that weighs more than the console holds of one, NoMemory for one that there is no room for.
 * @param weight of the list, bytes
 * @param own what of the budget is already the list's own
 */
export function requireRoom(weight: number, own: number, budget: Budget, { cluster, kind }: Subject): void {
  if (weight > reflectorLimits.bytes) {
    throw new TooLarge({
      status: 502,
      title: `The ${noun(kind)} of ${cluster} take more than ${megabytes(reflectorLimits.bytes)} in this console; it holds no more of one kind.`,
      where: { source: 'cluster' },
    });
  }
  if (budget.held - own + weight > budget.limit) {
    throw new NoMemory(
      `This console has no memory left for the ${noun(kind)} of ${cluster}. They load by themselves once other lists are closed.`,
    );
  }
}

async function readPage(
  options: ListOptions,
  transport: Transport,
  query: { limit: number; continue: string | undefined },
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
    if (isPage(list)) return list;
    throw new ClusterProblem(
      { status: 502, title: `${cluster} answered with something that is not a list.` },
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

/** Whether an answer is a page of a list, as far as it is used. */
function isPage(list: KubeList | null): list is KubeList {
  if (!isPlain(list) || !Array.isArray(list['items'] ?? [])) return false;
  const metadata = list['metadata'] ?? {};
  if (!isPlain(metadata)) return false;
  return ['continue', 'resourceVersion'].every((name) => typeof (metadata[name] ?? '') === 'string');
}

async function readOnce(
  options: ListOptions,
  transport: Transport,
  { held, own, signal, onPage }: Reading,
  limit: number,
): Promise<Listed> {
  const entries = new Map<string, Entry>();
  let weight = 0;
  let reserved = 0;
  let pages = 0;
  let token: string | undefined;
  let version: string | undefined;
  /** What is read beside the entries that are held already takes room until it takes their place. */
  const reserve = () => {
    const beside = Math.max(0, weight - own());
    options.budget.held += beside - reserved;
    reserved = beside;
  };
  try {
    do {
      const page = await readPage(options, transport, { limit, continue: token }, signal);
      // The first page's version: later pages may be newer, and a repeated event does no harm.
      version ??= page.metadata?.resourceVersion ?? '';
      const read: Entry[] = [];
      for (const item of page.items ?? []) {
        // An item that is no object has no name: it is skipped, and the other rows are shown.
        if (!isPlain(item)) continue;
        const object = objectIn(item);
        const uid = identity(object);
        const entry = uid === undefined ? undefined : options.project(object, held.get(uid));
        if (entry === undefined) continue;
        const before = entries.get(entry.uid);
        if (before !== undefined) weight -= weightOf(before);
        weight += weightOf(entry);
        entries.set(entry.uid, entry);
        read.push(entry);
      }
      pages += 1;
      const subject = options.subject();
      if (entries.size > reflectorLimits.objects || pages > reflectorLimits.pages) throw tooMany(subject);
      requireRoom(weight, own() + reserved, options.budget, subject);
      token = page.metadata?.continue || undefined;
      if (token !== undefined) onPage?.(read);
      reserve();
      await nextTurn();
      signal.throwIfAborted();
    } while (token !== undefined);
  } finally {
    options.budget.held -= reserved;
  }
  return { entries, version, weight };
}

/**
 * Reads a whole list, page by page, beside what is held: a failure half way leaves that to whoever takes pages.
 * A page token that expires begins the list anew; after three times all that may be held is asked for at once.
 * Throws what the transport throws, TooLarge for more than is held, and NoMemory.
 */
export async function readList(
  options: ListOptions,
  transport: Transport,
  reading: Reading,
): Promise<Listed> {
  for (let tries = 1; ; tries += 1) {
    const paged = tries <= reflectorLimits.pagedTries;
    try {
      // A list without a limit is one that the transport takes least of.
      const limit = paged ? reflectorLimits.pageSize : reflectorLimits.objects;
      return await readOnce(options, transport, reading, limit);
    } catch (error) {
      if (!isExpired(error) || !paged) throw error;
    }
  }
}
