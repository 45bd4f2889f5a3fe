import { createHash } from 'node:crypto';

/** A server that lives. */
export interface LiveServer {
  readonly id: string;
  /** It has lived for long enough to be given duties that another server does. */
  readonly isSettled: boolean;
}

const weightOf = (server: string, duty: string) =>
  createHash('sha256').update(`${duty}\n${server}`).digest('hex');

/**
 * The servers that would do a duty, in the order in which they try. All servers agree on it, as far as they know of the
 * same servers and duties. Of the settled servers the first one of each duty is chosen so that none is the first of more
 * than its share, rounded up; otherwise each duty has another order, and one server that goes changes the order of no
 * others (rendezvous hashing). Servers that are not settled come last, unless none is.
 */
export function orders(
  servers: readonly LiveServer[],
  duties: readonly string[],
): ReadonlyMap<string, string[]> {
  const settled = servers.filter(({ isSettled }) => isSettled);
  const first = settled.length > 0 ? settled : servers;
  const share = Math.ceil(duties.length / Math.max(1, first.length));
  const loads = new Map<string, number>();
  const ranked = (some: readonly LiveServer[], duty: string) =>
    some
      .map(({ id }) => ({ id, weight: weightOf(id, duty) }))
      .toSorted((a, b) => (a.weight > b.weight ? -1 : 1))
      .map(({ id }) => id);
  const chosen = new Map<string, string[]>();
  // In an order that has nothing to do with their names, so that no kind of duty is always the one without its best server.
  const shuffled = duties
    .map((duty) => ({ duty, weight: weightOf('', duty) }))
    .toSorted((a, b) => (a.weight < b.weight ? -1 : 1));
  for (const { duty } of shuffled) {
    const order = ranked(first, duty);
    const owner = order.find((id) => (loads.get(id) ?? 0) < share) ?? order[0];
    if (owner === undefined) continue;
    loads.set(owner, (loads.get(owner) ?? 0) + 1);
    const others = servers.filter(({ id }) => !order.includes(id));
    chosen.set(duty, [owner, ...order.filter((id) => id !== owner), ...ranked(others, duty)]);
  }
  return chosen;
}
