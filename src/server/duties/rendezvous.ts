import { createHash } from 'node:crypto';

/**
 * The place of a server among those that would do a duty, from 0: each server has another order for each duty, all
 * servers agree on it, and one that goes changes the order of no others (rendezvous hashing).
 */
export function rankOf(server: string, servers: readonly string[], duty: string): number {
  const weight = (one: string) => createHash('sha256').update(`${duty}\n${one}`).digest('hex');
  const own = weight(server);
  return servers.filter((one) => one !== server && weight(one) > own).length;
}
